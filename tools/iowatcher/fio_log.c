/* SPDX-License-Identifier: GPL-2.0-only */
/* A bandwidth log of fio; see fio_log.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/iowatcher/bins.h"
#include "tools/iowatcher/fio_log.h"
#include "tools/iowatcher/options.h"

/* fio's directions that are drawn, as rates have them */
static const enum rate_class classes[] = { RATE_READ, RATE_WRITE };

enum { DIRECTIONS = sizeof(classes) / sizeof(*classes) };

/* A number that a comma, a blank or the end follows; *text moves behind it. */
static bool next_number(char **text, uint64_t *n)
{
	char *at = *text + strspn(*text, " \t"), *rest;

	if (*at < '0' || *at > '9')
		return false;
	*n = strtoull(at, &rest, 10);
	/* newer releases may write fractions */
	if (*rest == '.')
		rest += strspn(rest, ".0123456789");
	rest += strspn(rest, " \t\r\n");
	if (*rest && *rest != ',')
		return false;
	*text = rest + (*rest == ',');
	return true;
}

static void read_line(struct fio_log *l, const struct watch_options *o,
		      char *line)
{
	uint64_t ms, kib, direction, time, bytes;

	if (!next_number(&line, &ms) || !next_number(&line, &kib) ||
	    !next_number(&line, &direction)) {
		l->bad++;
		return;
	}
	/* 1.3.0: trims are left out */
	if (direction >= DIRECTIONS)
		return;
	if (__builtin_mul_overflow(ms, NS_PER_MS, &time) ||
	    __builtin_mul_overflow(kib, 1024, &bytes)) {
		l->bad++;
		return;
	}
	if (time < o->time.low || time > o->time.high)
		return;
	if (rates_add(&l->rates, time, classes[direction], bytes, UINT64_MAX))
		msg_die("out of memory");
	l->values++;
	if (time > l->end)
		l->end = time;
}

void fio_log_read(struct fio_log *l, const struct watch_options *o,
		  const struct watched_name *name)
{
	FILE *f = fopen(name->path, "re");
	char *line = NULL;
	size_t size = 0;

	if (!f)
		msg_die("cannot read %s:", name->path);
	*l = (struct fio_log){ .label = name->label ? name->label : "" };
	if (rates_init(&l->rates, o->time.low, BIN_NS, bins_of(o)))
		msg_die("out of memory");
	while (getline(&line, &size, f) >= 0)
		if (line[strspn(line, " \t\r\n")])
			read_line(l, o, line);
	if (ferror(f))
		msg_die("cannot read %s:", name->path);
	free(line);
	fclose(f);
}

void fio_log_free(struct fio_log *l)
{
	rates_free(&l->rates);
}
