/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks per second; see per_second.h. */
#include <float.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/btt/busy.h"
#include "tools/btt/datafile.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/seconds.h"

/* --- periods -------------------------------------------------------------- */

enum { HEIGHT_TEXT = 32 };

/* a height as it ends a line */
struct height {
	char text[HEIGHT_TEXT];
	size_t len;
};

static struct height height_of(float y)
{
	struct height h;

	h.len = (size_t)snprintf(h.text, sizeof(h.text), " %.1f\n", (double)y);
	return h;
}

static char *point(char *p, uint64_t time, const struct height *h)
{
	p = seconds_nano(p, time, 0);
	memcpy(p, h->text, h->len);
	return p + h->len;
}

static void write_period(struct datafile *f, uint64_t before,
			 const struct period *period, const struct height *low,
			 const struct height *high)
{
	char *p = datafile_room(f, 5 * (SECONDS_MAX + HEIGHT_TEXT));

	if (!p)
		return;
	p = point(p, before, low);
	p = point(p, period->start, low);
	p = point(p, period->start, high);
	p = point(p, period->end, high);
	p = point(p, period->end, low);
	datafile_commit(f, p);
}

bool periods_write(const struct busy *b, const struct opener *by,
		   const char *label, int height)
{
	struct datafile *f = datafile_open_here(by, label, "_live.dat");
	float y = (float)height;
	struct height low = height_of(y), high = height_of((float)(y + 0.9));
	uint64_t before = 0;

	for (size_t i = 0; i < b->count; i++) {
		write_period(f, before, &b->list[i], &low, &high);
		before = b->list[i].end;
	}
	return datafile_close(f, DATAFILE_DROP_EMPTY);
}

/* --- rates ---------------------------------------------------------------- */

void rates_open(struct rates *r, const struct opener *by, const char *label)
{
	*r = (struct rates){ .second = -1 };
	r->iops = datafile_open_here(by, label, "_iops_fp.dat");
	r->mbps = datafile_open_here(by, label, "_mbps_fp.dat");
}

bool rates_are_open(const struct rates *r)
{
	return r->iops && r->mbps;
}

static void rates_write_second(struct rates *r)
{
	double bytes = (double)(r->blocks << 9);

	datafile_printf(r->iops, "%" PRId64 " %" PRIu64 "\n", r->second,
			r->requests);
	datafile_printf(r->mbps, "%" PRId64 " %f\n", r->second,
			bytes / (1024 * 1024));
}

void rates_begin(struct rates *r, int64_t second)
{
	if (r->second >= 0)
		rates_write_second(r);
	r->second = second;
	r->requests = r->blocks = 0;
}

/* 1.3.0: without a completion there is a line for second -1. */
bool rates_close(struct rates *r)
{
	bool fine;

	rates_write_second(r);
	fine = datafile_close(r->iops, DATAFILE_DROP_EMPTY);
	return datafile_close(r->mbps, DATAFILE_DROP_EMPTY) && fine;
}

/* --- per second ----------------------------------------------------------- */

void per_second_open(struct per_second *s, const struct opener *by,
		     const char *queued, const char *issued, const char *label)
{
	*s = (struct per_second){
		.queued_file = datafile_open_for(by, queued, label, ".dat"),
		.issued_file = datafile_open_for(by, issued, label, ".dat"),
	};
}

/* seeks per second of their time */
static double rate(const struct second *s)
{
	double span = seconds_of_time(s->last) - seconds_of_time(s->first);

	if (s->seeks == 1 || span < DBL_EPSILON)
		return (double)s->seeks;
	return (double)s->seeks / span;
}

/* returns the bytes of its line */
static size_t write_second(const struct second *s, struct datafile *f)
{
	static const char line[] = "%15.9f %.2f\n";
	double first = seconds_of_time(s->first);

	if (!s->seeks)
		return 0;
	datafile_printf(f, line, first, rate(s));
	return (size_t)snprintf(NULL, 0, line, first, rate(s));
}

/* adds a seek; true: a second is over, *over */
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

/* 1.3.0: overwrites the lines of issues by those of queueing.  When they are a
 * byte shorter, the file ends with an empty line, which is harmless. */
static void add_last_line(struct per_second *s)
{
	if (s->queues && s->issued_len == s->queued_len + 1)
		datafile_printf(s->queued_file, "\n");
}

bool per_second_close(struct per_second *s, bool passes_on)
{
	bool fine;

	s->queued_len += write_second(&s->queued, s->queued_file);
	write_issued(s, &s->issued);
	add_last_line(s);
	if (passes_on)
		datafile_restart(s->queued_file);
	fine = datafile_close(s->queued_file, DATAFILE_DROP_EMPTY);
	return datafile_close(s->issued_file, DATAFILE_DROP_EMPTY) && fine;
}
