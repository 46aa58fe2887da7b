/* SPDX-License-Identifier: GPL-2.0-only */
/* A first pass over a replay file; see scan.h. */
#include <stdbool.h>

#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/scan.h"

/* The sector after an I/O; the largest number if that overflows. */
static uint64_t end_of(const struct packet *p)
{
	uint64_t end = p->sector + (p->bytes + 511u) / 512;

	return end < p->sector ? UINT64_MAX : end;
}

static void count_overlap(struct scan *s, const struct packet *p)
{
	for (unsigned int i = 0; i < s->region_count; i++) {
		struct region *r = &s->regions[i];

		if (p->sector >= r->end || end_of(p) <= r->start)
			continue;
		r->ios++;
		r->writes += !p->read;
	}
}

/* Of possible I/Os only: memory is allocated for the longest. */
static void keep_longest(struct scan *s, const struct packet *p)
{
	uint32_t *longest = p->read ? &s->longest_read : &s->longest_write;

	if (!packet_is_possible(p))
		s->impossible++;
	else if (p->bytes > *longest)
		*longest = p->bytes;
}

static void add_packet(struct scan *s, const struct packet *p)
{
	bool first = !s->reads && !s->writes;

	if (p->read) {
		s->reads++;
		s->read_bytes += p->bytes;
	} else {
		s->writes++;
		s->write_bytes += p->bytes;
	}
	if (first || p->sector < s->first)
		s->first = p->sector;
	if (end_of(p) > s->last)
		s->last = end_of(p);
	if (s->sectors && end_of(p) > s->sectors)
		s->beyond++;
	keep_longest(s, p);
	count_overlap(s, p);
}

void scan_add(struct scan *s, const struct bunch *b)
{
	if (!s->bunches++ || b->time < s->genesis)
		s->genesis = b->time;
	if (b->time > s->end)
		s->end = b->time;
	for (uint32_t i = 0; i < b->count; i++)
		add_packet(s, &b->packets[i]);
}

int scan_read(struct scan *s, struct bunch_reader *r)
{
	struct bunch b;
	int got;

	while ((got = bunch_reader_next(r, &b)) > 0)
		scan_add(s, &b);
	bunch_reader_rewind(r);
	if (got < 0)
		return -1;
	/* 1.3.0: the header has fewer than there are */
	return bunch_reader_header(r)->bunches > s->bunches ? -2 : 0;
}
