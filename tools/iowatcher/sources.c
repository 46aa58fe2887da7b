/* SPDX-License-Identifier: GPL-2.0-only */
/* The sources of a picture; see sources.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* --- logs of fio --------------------------------------------------------- */

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

/* an unreadable log ends the program */
static void fio_log_read(struct fio_log *l, const struct watch_options *o,
			 const struct watched_name *name)
{
	FILE *f = fopen(name->path, "re");
	char *line = NULL;
	size_t size = 0;

	if (!f)
		msg_die("cannot read %s:", name->path);
	*l = (struct fio_log){ .label = name->label ? name->label : "" };
	if (rates_init(&l->rates, o->time.low, BIN_NS, watch_options_bins(o)))
		msg_die("out of memory");
	while (getline(&line, &size, f) >= 0)
		if (line[strspn(line, " \t\r\n")])
			read_line(l, o, line);
	if (ferror(f))
		msg_die("cannot read %s:", name->path);
	free(line);
	fclose(f);
}

/* --- all ----------------------------------------------------------------- */

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

static void report_loss(const struct traced *t, const char *name)
{
	if (t->missing)
		msg_warn("%s: %llu records lost", name,
			 (unsigned long long)t->missing);
}

static void report_lines(const struct fio_log *l, const char *name)
{
	if (l->bad)
		msg_warn("%s: %llu lines do not belong to a bandwidth log",
			 name, (unsigned long long)l->bad);
}

void sources_read(struct sources *s, const struct watch_options *o)
{
	*s = (struct sources){ .trace_count = o->traces.count,
			       .log_count = o->logs.count };
	s->traces = allocate(s->trace_count, sizeof(*s->traces));
	s->logs = allocate(s->log_count, sizeof(*s->logs));
	for (size_t i = 0; i < s->trace_count; i++) {
		traced_read(&s->traces[i], o, &o->traces.list[i]);
		report_loss(&s->traces[i], o->traces.list[i].path);
	}
	for (size_t i = 0; i < s->log_count; i++) {
		fio_log_read(&s->logs[i], o, &o->logs.list[i]);
		report_lines(&s->logs[i], o->logs.list[i].path);
	}
}

static bool has_cpus(const struct sources *s)
{
	for (size_t i = 0; i < s->trace_count; i++)
		if (s->traces[i].cpus.mean[0].count)
			return true;
	return false;
}

static bool has_ios(const struct sources *s)
{
	for (size_t i = 0; i < s->trace_count; i++)
		if (s->traces[i].ios)
			return true;
	return false;
}

static bool has_values(const struct sources *s)
{
	for (size_t i = 0; i < s->log_count; i++)
		if (s->logs[i].values)
			return true;
	return false;
}

unsigned int sources_graphs(const struct sources *s,
			    const struct watch_options *o)
{
	unsigned int graphs = o->graphs;

	if (!has_cpus(s))
		graphs &= ~GRAPHS_CPU;
	if (!s->log_count)
		graphs &= ~GRAPH_BIT(GRAPH_FIO);
	return graphs;
}

bool sources_any(const struct sources *s, unsigned int graphs)
{
	if (graphs & GRAPHS_CPU)
		return true;
	if (graphs & GRAPH_BIT(GRAPH_FIO) && has_values(s))
		return true;
	return graphs & ~GRAPH_BIT(GRAPH_FIO) && has_ios(s);
}

bool sources_damaged(const struct sources *s)
{
	for (size_t i = 0; i < s->trace_count; i++)
		if (s->traces[i].damaged)
			return true;
	for (size_t i = 0; i < s->log_count; i++)
		if (s->logs[i].bad)
			return true;
	return false;
}

uint64_t sources_missing(const struct sources *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->trace_count; i++)
		sum += s->traces[i].missing;
	return sum;
}

void sources_free(struct sources *s)
{
	for (size_t i = 0; i < s->trace_count; i++)
		traced_free(&s->traces[i]);
	for (size_t i = 0; i < s->log_count; i++)
		rates_free(&s->logs[i].rates);
	free(s->traces);
	free(s->logs);
}
