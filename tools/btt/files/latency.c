/* SPDX-License-Identifier: GPL-2.0-only */
/* Latencies over time; see latency.h. */
#include <stdio.h>

#include "tools/btt/files/latency.h"
#include "tools/btt/seconds.h"

void latency_open(struct latency *l, const struct opener *by, const char *kind,
		  const char *prefix, const char *label, double period)
{
	char suffix[32];

	*l = (struct latency){ .period = period };
	snprintf(suffix, sizeof(suffix), "_%s.dat", kind);
	l->each = datafile_open_for(by, prefix, label, suffix);
	snprintf(suffix, sizeof(suffix), "_%s_plat.dat", kind);
	if (period > 0)
		l->averages = datafile_open_here(by, label, suffix);
}

/* A line stands in the middle of its period. */
static void write_average(struct latency *l)
{
	if (l->samples)
		datafile_printf(l->averages, "%f %f\n",
				l->first + (l->last - l->first) / 2,
				l->sum / (double)l->samples);
	l->samples = 0;
}

static void average(struct latency *l, double now, double latency)
{
	if (l->samples && now - l->first >= l->period)
		write_average(l);
	if (!l->samples) {
		l->first = now;
		l->sum = 0;
	}
	l->last = now;
	l->sum += latency;
	l->samples++;
}

void latency_write(struct latency *l, uint64_t time, uint64_t latency)
{
	char *p = datafile_room(l->each, 2 * SECONDS_MAX);

	if (p) {
		p = seconds_micro_span(p, time);
		*p++ = ' ';
		p = seconds_micro_span(p, latency);
		*p++ = '\n';
		datafile_commit(l->each, p);
	}
	if (l->averages)
		average(l, seconds_of_span(time), seconds_of_span(latency));
}

bool latency_close(struct latency *l)
{
	bool fine;

	write_average(l);
	fine = datafile_close(l->each, DATAFILE_DROP_EMPTY);
	return datafile_close(l->averages, DATAFILE_DROP_EMPTY) && fine;
}
