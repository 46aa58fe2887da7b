/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks per second; see per_second.h. */
#include <float.h>
#include <stdio.h>

#include "tools/btt/datafile.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/seconds.h"

void per_second_open(struct per_second *s, const struct opener *by,
		     const char *queued, const char *issued, const char *label)
{
	*s = (struct per_second){
		.queued_file = datafile_open_for(by, queued, label, ".dat"),
		.issued_file = datafile_open_for(by, issued, label, ".dat"),
	};
}

/* The seeks counted, by the time that they took. */
static double rate(const struct second *s)
{
	double span = seconds_of_time(s->last) - seconds_of_time(s->first);

	if (s->seeks == 1 || span < DBL_EPSILON)
		return (double)s->seeks;
	return (double)s->seeks / span;
}

/* Bytes of its line. */
static size_t write_second(const struct second *s, struct datafile *f)
{
	static const char line[] = "%15.9f %.2f\n";
	double first = seconds_of_time(s->first);

	if (!s->seeks)
		return 0;
	datafile_printf(f, line, first, rate(s));
	return (size_t)snprintf(NULL, 0, line, first, rate(s));
}

/* One more seek; whether a second is over, which is *over then. */
static bool count(struct second *s, uint64_t time, struct second *over)
{
	bool ends = s->seeks && seconds_of_time(time) -
					seconds_of_time(s->first) >= 1.0;

	*over = *s;
	if (ends || !s->seeks)
		*s = (struct second){ .first = time };
	s->last = time;
	s->seeks++;
	return ends;
}

void per_second_queue(struct per_second *s, uint64_t time)
{
	struct second over;

	if (!s->queued_file)
		return;
	if (!s->queues)
		datafile_restart(s->queued_file);
	s->queues = true;
	if (count(&s->queued, time, &over))
		s->queued_len += write_second(&over, s->queued_file);
}

static void write_issued(struct per_second *s, const struct second *over)
{
	s->issued_len += write_second(over, s->issued_file);
	if (!s->queues)
		write_second(over, s->queued_file);
}

void per_second_issue(struct per_second *s, uint64_t time)
{
	struct second over;

	if ((s->queued_file || s->issued_file) &&
	    count(&s->issued, time, &over))
		write_issued(s, &over);
}

/*
 * 1.3.0 writes the lines of what is queued over those of what is issued.  When
 * they are a byte shorter its file ends with an empty line; that means nothing
 * false, so ours does, too.
 */
static void end_as_ever(struct per_second *s)
{
	if (s->queues && s->issued_len == s->queued_len + 1)
		datafile_printf(s->queued_file, "\n");
}

bool per_second_close(struct per_second *s, bool passes_on)
{
	bool fine;

	s->queued_len += write_second(&s->queued, s->queued_file);
	write_issued(s, &s->issued);
	end_as_ever(s);
	if (passes_on)
		datafile_restart(s->queued_file);
	fine = datafile_close(s->queued_file, DATAFILE_DROP_EMPTY);
	return datafile_close(s->issued_file, DATAFILE_DROP_EMPTY) && fine;
}
