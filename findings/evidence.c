/* SPDX-License-Identifier: GPL-2.0-only */
/* What is gathered of a device; see evidence.h. */
#include <errno.h>
#include <stdlib.h>

#include "blktrace.h"
#include "findings/evidence.h"
#include "request/io.h"
#include "run/device.h"

int evidence_new(struct evidence **e, const struct device *disk,
		 findings_name *name, const void *names)
{
	*e = calloc(1, sizeof(**e));
	if (!*e)
		return -ENOMEM;
	(*e)->disk = disk;
	(*e)->people.name = name;
	(*e)->people.names = names;
	(*e)->people.origin = disk->origin;
	return 0;
}

/* --- in order of time ---------------------------------------------------- */

static APART int see_begun(struct evidence *e, const struct served *s)
{
	int err = flight_begun(&e->flight, s, e->recent.now);

	if (!err && s->data)
		err = shape_in_order(&e->shape, &e->people, s);
	if (!err && s->data)
		err = behind_add(&e->behind, &e->people, s);
	return err;
}

/* What comes next of the way; 1, 0 if that was all, or -ENOMEM. */
static inline int sweep_one(struct evidence *e, struct recent_way *w)
{
	struct recent *r = &e->recent;
	const struct served *s;

	switch (recent_which(w)) {
	case SERVED_BEGUN:
		s = recent_take(r, w, SERVED_BEGUN);
		return see_begun(e, s) ? -ENOMEM : 1;
	case SERVED_WAITS:
		recent_take(r, w, SERVED_WAITS);
		flight_ready(&e->flight, r->now);
		return 1;
	case SERVED_ISSUED:
		s = recent_take(r, w, SERVED_ISSUED);
		flight_issued(&e->flight, s, r->now);
		return 1;
	case SERVED_DONE:
		s = recent_take(r, w, SERVED_DONE);
		return flight_done(&e->flight, s, r->now) ? -ENOMEM : 1;
	default:
		return 0;
	}
}

static int sweep(struct evidence *e, uint64_t until)
{
	struct recent_way w;
	int got;

	if (!e->recent.count)
		return 0;
	w = recent_start(&e->recent, until);
	do
		got = sweep_one(e, &w);
	while (got > 0);
	recent_stop(&e->recent, &w);
	return got;
}

static int hold(struct evidence *e, const struct served *s)
{
	int err;

	if (recent_full(&e->recent)) {
		err = sweep(e, recent_oldest_end(&e->recent));
		if (err)
			return err;
		recent_drop(&e->recent);
	}
	recent_add(&e->recent, s);
	return 0;
}

/* --- as they end --------------------------------------------------------- */

static int add_slow(struct evidence *e, const struct served *s)
{
	uint64_t usual;
	int err = times_usual_of_all(&e->times, &usual);

	return err ? err : rhythm_add(&e->rhythm, s, usual);
}

/* what depends on how long a request took */
static int add_times(struct evidence *e, const struct served *s)
{
	uint64_t usual = times_usual(&e->times, s);
	int err = times_add(&e->times, s);

	if (usual)
		regions_add(&e->regions, s, usual);
	return err || served_device_time(s) < RHYTHM_SLOW ? err
							   : add_slow(e, s);
}

static int add_data(struct evidence *e, const struct served *s,
		    const struct io *io)
{
	int err = add_times(e, s);

	if (!err)
		err = shape_add(&e->shape, &e->people, s, io);
	if (s->bare)
		return err;
	if (delays_add(&e->delays, io))
		people_count(&e->people, s->person, PEOPLE_PLUGGED);
	cpus_add(&e->cpus, io);
	return err;
}

static int add_served(struct evidence *e, struct served *s, const struct io *io)
{
	int person = people_find(&e->people, io->pid);

	if (person < 0)
		return person;
	s->person = (uint32_t)person;
	stalls_add(&e->stalls, s);
	person = LIKELY(s->data) ? add_data(e, s, io) : 0;
	return person ? person : hold(e, s);
}

/* whoever asked for a flush, and whose io failed */
static int add_person(struct evidence *e, const struct io *io)
{
	bool failed = faults_failed(io);
	bool flush = io->kind == IO_BIO &&
		     io->categories & BLK_TC_BIT(BLK_TC_FLUSH);
	int person;

	if (!failed && !flush)
		return 0;
	person = people_find(&e->people, io->pid);
	if (person < 0)
		return person;
	if (failed)
		people_count(&e->people, (uint32_t)person, PEOPLE_ERRORS);
	if (flush) {
		people_count(&e->people, (uint32_t)person, PEOPLE_FLUSHES);
		e->flushes++;
	}
	return 0;
}

int evidence_add(struct evidence *e, const struct io *io)
{
	struct served s;
	int err = faults_add(&e->faults, io);

	if (!err)
		err = add_person(e, io);
	if (err)
		return err;
	if (io->has & 1U << IO_Q2X)
		shape_whole(&e->shape);
	return LIKELY(served_from_io(&s, io)) ? add_served(e, &s, io) : 0;
}

int evidence_end(struct evidence *e, uint64_t from, uint64_t to)
{
	int err = sweep(e, UINT64_MAX);

	e->from = from;
	e->to = to;
	faults_end(&e->faults);
	stalls_end(&e->stalls, &e->faults.open, to);
	if (!err)
		err = times_end(&e->times);
	return err ? err : rhythm_end(&e->rhythm);
}

uint64_t evidence_length(const struct evidence *e)
{
	return e->to > e->from ? e->to - e->from : 1;
}

void evidence_free(struct evidence *e)
{
	if (!e)
		return;
	behind_free(&e->behind);
	faults_free(&e->faults);
	flight_free(&e->flight);
	people_free(&e->people);
	rhythm_free(&e->rhythm);
	shape_free(&e->shape);
	times_free(&e->times);
	free(e);
}
