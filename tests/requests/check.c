/* SPDX-License-Identifier: GPL-2.0-only */
/* See check.h. */
#include "tests/requests/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"
#include "record/record.h"
#include "request/io.h"
#include "request/joiner.h"

/* what is kept of a record, under its id */
struct row {
	bool seen, referred;
	bool gap, completed, cut, leads;
	uint64_t bytes, rq_bytes;
	struct wide riders, parts;	/* bytes of those that refer to it */
};

struct check {
	bool whole;
	uint64_t events, records, latest, oldest;
	struct wide told_events, told_bytes, read_bytes;
	struct row *rows;	/* by id */
	size_t size;
	char fault[120];
};

/* An event makes three records at most: a split of what nobody has seen. */
enum { RECORDS_AN_EVENT = 4, FIRST_ROWS = 1024 };

struct check *check_new(bool whole)
{
	struct check *c = calloc(1, sizeof(*c));

	if (c)
		c->whole = whole;
	return c;
}

/* The first fault counts: others may follow from it. */
static __attribute__((format(printf, 2, 3)))
void fault(struct check *c, const char *format, ...)
{
	va_list args;

	if (*c->fault)
		return;
	va_start(args, format);
	vsnprintf(c->fault, sizeof(c->fault), format, args);
	va_end(args);
}

static bool completes(const struct event *ev)
{
	return !event_is_note(ev) && event_number(ev) == BLK_TA_COMPLETE;
}

void check_event(struct check *c, const struct event *ev)
{
	c->events++;
	if (ev->time > c->latest)
		c->latest = ev->time;
	if (completes(ev))
		wide_add(&c->read_bytes, ev->bytes);
}

static struct row *grown(struct check *c, uint64_t id)
{
	size_t size = c->size ? c->size : FIRST_ROWS;
	struct row *rows;

	while (size <= id)
		size *= 2;
	rows = array_resize(c->rows, size, sizeof(*rows));
	if (!rows) {
		fault(c, "no memory for the check");
		return NULL;
	}
	memset(rows + c->size, 0, (size - c->size) * sizeof(*rows));
	c->rows = rows;
	c->size = size;
	return &rows[id];
}

/* where an id is kept; NULL: there can be none of that number */
static struct row *row(struct check *c, uint64_t id)
{
	if (id == 0 || id > c->events * RECORDS_AN_EVENT) {
		fault(c, "an id of %" PRIu64 " behind %" PRIu64 " events", id,
		      c->events);
		return NULL;
	}
	return id < c->size ? &c->rows[id] : grown(c, id);
}

static struct row *refer(struct check *c, uint64_t id)
{
	struct row *r = id ? row(c, id) : NULL;

	if (r)
		r->referred = true;
	return r;
}

/* --- one record ---------------------------------------------------------- */

static struct wide phases(const struct io *io, unsigned int without)
{
	struct wide all = { 0, 0 };

	for (unsigned int p = 0; p < IO_PHASES; p++)
		if (io->has & ~without & 1u << p)
			wide_add(&all, io->phase[p]);
	return all;
}

static void check_times(struct check *c, const struct io *io)
{
	struct wide all = phases(io, 0);

	if (io->has >> IO_PHASES)
		fault(c, "%" PRIu64 " has phases that are none", io->id);
	if (io->time > c->latest || 
	    wide_less(wide_of(c->latest - io->time), all))
		fault(c, "%" PRIu64 " ends in the future", io->id);
	if (c->whole && io->time < c->oldest)
		fault(c, "%" PRIu64 " is older than the oldest", io->id);
	if (io_completed(io) != (io->total != IO_NONE))
		fault(c, "%" PRIu64 " ends by %s", io->id,
		      io_ended_name(io->ended));
	else if (io_completed(io) && !wide_same(all, wide_of(io->total)))
		fault(c, "phases of %" PRIu64 " do not add up", io->id);
}

static void check_plug(struct check *c, const struct io *io)
{
	const unsigned int other = 1u << IO_Q2G | 1u << IO_D2C |
		1u << IO_REQUEUE;

	if (io->plug != IO_NONE && io_completed(io) &&
	    wide_less(phases(io, other), wide_of(io->plug)))
		fault(c, "%" PRIu64 " is in a plug for longer than it waits",
		      io->id);
	if (io->zplug != IO_NONE && io->zplug > c->latest)
		fault(c, "%" PRIu64 " is in a zone's plug for ever", io->id);
}

static void check_words(struct check *c, const struct io *io)
{
	if (io->kind >= IO_KINDS || io->op >= IO_OPS || io->link >= IO_LINKS ||
	    io->merge >= IO_MERGES || io->ended >= IO_ENDINGS)
		fault(c, "%" PRIu64 " has a word that is none", io->id);
	if (!io->link != !io->parent)
		fault(c, "%" PRIu64 " has one of link and parent", io->id);
	if (!io->rq != !io->rq_ios)
		fault(c, "%" PRIu64 " has one of rq and rq_ios", io->id);
}

static void check_references(struct check *c, const struct io *io)
{
	struct row *r;

	refer(c, io->flush);
	refer(c, io->flush2);
	r = refer(c, io->rq);
	if (r) {
		r->leads = true;
		wide_add(&r->riders, io->bytes);
	}
	r = refer(c, io->parent);
	if (r && io->link == IO_SPLIT)
		wide_add(&r->parts, io->bytes);
}

void check_record(struct check *c, const struct io *io)
{
	struct row *r = row(c, io->id);

	if (!r)
		return;
	if (r->seen)
		fault(c, "%" PRIu64 " is there twice", io->id);
	r->seen = true;
	r->gap = io->gap;
	r->completed = io->ended == IO_ENDED_C;
	r->cut = io->has & 1u << IO_Q2X;
	r->bytes = io->bytes;
	r->rq_bytes = io->rq_bytes;
	c->records++;
	wide_add(&c->told_events, io->events);
	wide_add(&c->told_bytes, io->done);
	check_times(c, io);
	check_plug(c, io);
	check_words(c, io);
	check_references(c, io);
}

void check_oldest(struct check *c, uint64_t oldest)
{
	c->oldest = oldest == IO_NONE ? c->latest : oldest;
}

/* --- all of them --------------------------------------------------------- */

static void check_sums(struct check *c, const struct joiner_counts *counts)
{
	for (int l = 0; l < JOINER_LEFTOVERS; l++)
		wide_add(&c->told_events, counts->leftovers[l]);
	wide_add(&c->told_bytes, counts->leftover_bytes);
	if (!wide_same(c->told_events, wide_of(c->events)))
		fault(c, "%" PRIu64 " events told of %" PRIu64,
		      c->told_events.low, c->events);
	if (!wide_same(c->told_bytes, c->read_bytes))
		fault(c, "%" PRIu64 " bytes told of %" PRIu64,
		      c->told_bytes.low, c->read_bytes.low);
}

static void check_row(struct check *c, size_t id)
{
	const struct row *r = &c->rows[id];

	if (r->referred && !r->seen)
		fault(c, "%zu is referred to, and nowhere", id);
	if (!c->whole || !r->seen || r->gap)
		return;
	if (r->leads && r->completed &&
	    !wide_same(r->riders, wide_of(r->rq_bytes)))
		fault(c, "request %zu has %" PRIu64 " bytes, its ios %" PRIu64,
		      id, r->rq_bytes, r->riders.low);
	if (r->cut && !wide_same(r->parts, wide_of(r->bytes)))
		fault(c, "%zu has %" PRIu64 " bytes, its parts %" PRIu64, id,
		      r->bytes, r->parts.low);
}

void check_end(struct check *c, const struct joiner_counts *counts)
{
	check_sums(c, counts);
	for (size_t id = 0; id < c->size; id++)
		check_row(c, id);
}

const char *check_fault(const struct check *c)
{
	return *c->fault ? c->fault : NULL;
}

uint64_t check_events(const struct check *c)
{
	return c->events;
}

uint64_t check_records(const struct check *c)
{
	return c->records;
}

void check_free(struct check *c)
{
	if (!c)
		return;
	free(c->rows);
	free(c);
}
