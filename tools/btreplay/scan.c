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

static void count_overlap(struct scan *s, const struct packet *p, enum kind k)
{
	for (unsigned int i = 0; i < s->region_count; i++) {
		struct region *r = &s->regions[i];

		if (p->sector >= r->end || end_of(p) <= r->start)
			continue;
		r->ios++;
		r->writes += kind_changes(k);
	}
}

/* Only of possible I/Os, as memory is allocated for the longest. */
static void keep_longest(struct scan *s, const struct packet *p, enum kind k)
{
	uint32_t *longest = p->read ? &s->longest_read : &s->longest_write;

	if (!packet_is_possible(p)) {
		s->impossible++;
		s->kinds_impossible[k]++;
		s->kinds_impossible[KIND_FLUSH] += p->preflush;
	} else if (!kind_is_call(k) && p->bytes > *longest) {
		*longest = p->bytes;
	}
}

/* A flush has no sectors. */
static void keep_bounds(struct scan *s, const struct packet *p)
{
	if (!s->last || p->sector < s->first)
		s->first = p->sector;
	if (end_of(p) > s->last)
		s->last = end_of(p);
	if (s->sectors && end_of(p) > s->sectors)
		s->beyond++;
}

static void add_packet(struct scan *s, const struct packet *p)
{
	enum kind k = kind_of(p);

	s->kinds[k].ios++;
	s->kinds[k].bytes += p->bytes;
	s->kinds[KIND_FLUSH].ios += p->preflush;
	keep_longest(s, p, k);
	if (k == KIND_FLUSH)
		return;
	keep_bounds(s, p);
	count_overlap(s, p, k);
}

/* Whether there was an I/O; flushes' end is none. */
static bool add_packets(struct scan *s, const struct bunch *b)
{
	bool any = false;

	for (uint32_t i = 0; i < b->count; i++) {
		if (b->packets[i].kind == PACKET_FLUSHED)
			continue;
		add_packet(s, &b->packets[i]);
		any = true;
	}
	return any;
}

void scan_add(struct scan *s, const struct bunch *b)
{
	if (!s->bunches++ || b->time < s->genesis)
		s->genesis = b->time;
	if (add_packets(s, b) && b->time > s->end)
		s->end = b->time;
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
	/* 1.3.0: the header has too few */
	return bunch_reader_header(r)->bunches > s->bunches ? -2 : 0;
}
