/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of CPU times; see cpu_file.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/iowatcher/cpu_file.h"
#include "tools/iowatcher/cpu_times.h"
#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/named.h"

/* a directory's name may end in a slash */
static size_t length_of(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	return len;
}

static bool read_file(struct cpu_times *c, FILE *f, const char *path)
{
	int err = mpstat_read(c, f);

	if (err == -ENOMEM)
		msg_die("out of memory");
	if (err) {
		errno = -err;
		msg_warn("cannot read %s:", path);
	} else if (!c->mean[0].count) {
		msg_warn("%s: there are no CPU times in it", path);
		err = -EINVAL;
	}
	return !err;
}

void cpu_file_names(const char *name, char *names[CPU_FILES])
{
	const size_t lengths[CPU_FILES] = { length_of(name), named_stem(name) };

	for (int i = 0; i < CPU_FILES; i++)
		if (asprintf(&names[i], "%.*s.mpstat", (int)lengths[i],
			     name) < 0)
			msg_die("out of memory");
}

bool cpu_file_read(struct cpu_times *c, const char *name)
{
	char *names[CPU_FILES];
	bool good = true;
	FILE *f = NULL;

	cpu_file_names(name, names);
	for (int i = 0; !f && i < CPU_FILES; i++) {
		f = fopen(names[i], "re");
		if (f)
			good = read_file(c, f, names[i]);
	}
	if (f)
		fclose(f);
	for (int i = 0; i < CPU_FILES; i++)
		free(names[i]);
	return good;
}
