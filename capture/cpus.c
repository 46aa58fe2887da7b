/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of this machine that are online. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "blktrace.h"
#include "capture/cpus.h"

static int add(struct cpus *c, uint32_t cpu)
{
	uint32_t *online = realloc(c->online,
				   (c->count + 1) * sizeof(*online));

	if (!online)
		return -ENOMEM;
	c->online = online;
	online[c->count++] = cpu;
	c->max = cpu + 1;
	return 0;
}

/* Adds one number or range at *text, and moves *text past it. */
static int add_range(struct cpus *c, const char **text)
{
	char *end;
	unsigned long first = strtoul(*text, &end, 10), last = first;
	const char *from = *text;
	int err = 0;

	if (end != from && *end == '-') {
		from = end + 1;
		last = strtoul(from, &end, 10);
	}
	if (end == from)
		return -EINVAL;
	if (last < first || last >= BLK_CPU_MAX || first < c->max)
		return -EINVAL;
	for (; !err && first <= last; first++)
		err = add(c, (uint32_t)first);
	*text = end;
	return err;
}

int cpus_parse(struct cpus *c, const char *list)
{
	int err;

	*c = (struct cpus){ .count = 0 };
	do
		err = add_range(c, &list);
	while (!err && *list++ == ',');
	if (err)
		cpus_free(c);
	return err;
}

int cpus_online(struct cpus *c)
{
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");
	char list[4096];
	int err = -EINVAL;

	if (!f)
		return -errno;
	if (fgets(list, sizeof(list), f))
		err = cpus_parse(c, list);
	fclose(f);
	return err;
}

void cpus_free(struct cpus *c)
{
	free(c->online);
	*c = (struct cpus){ .count = 0 };
}
