/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to segments; see sink_rotate.h.
 *
 * At most two segments are written, before and after the border.  Threads find
 * a border by the number of the newest segment, which they read before and
 * after they publish the time of their newest record.  So a thread that first
 * sets the number and then reads these times knows of all records written
 * before the border, or their thread reads the number again.  All else that is
 * shared has a lock, taken a few times for each border.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/time.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/to/notebook.h"
#include "capture/to/sink_packed.h"
#include "capture/to/sink_rotate.h"
#include "capture/to/sweeper.h"
#include "file/segments.h"

#define LOOK_AHEAD (2 * NS_PER_SECOND)	/* for a border by time */
/* longest from an event to its record, once its CPU has been read */
#define LATE (10 * NS_PER_MS)

struct part {			/* a segment being written */
	unsigned int number;	/* 0: none */
	char *partial, *name;	/* its paths, now and once complete */
	uint64_t begin;		/* ns, trace time */
	struct sink *files;
	atomic_ullong stored;	/* bytes */
};

struct out {			/* a lane's */
	struct out *next;	/* of all lanes */
	struct sink_lane inner;	/* of its segment's sink */
	char *name;		/* of the device */
	unsigned int number;	/* of the segment it writes to */
	uint64_t looked;	/* ns, when last known to be drained */
};

struct idle {			/* an offline CPU */
	struct idle *next;
	char *name;
	uint32_t cpu;
};

struct rotate {
	struct sink sink;
	struct sink_rotate_options o;
	struct sweeper *sweeper;
	struct notebook notes;
	atomic_uint number;	/* of the newest segment */
	atomic_ullong newest;	/* ns, of all events */
	atomic_uint behind;	/* lanes that have not passed the border */
	pthread_mutex_t lock;	/* of all below */
	uint64_t border;	/* ns, start of the newest segment */
	struct part parts[2];	/* by number % 2 */
	struct out *outs;
	struct idle *idle;
	unsigned int lanes;
	unsigned int cut;	/* first segment with lost records; 0: none */
};

static struct part *part_of(struct rotate *r, unsigned int number)
{
	return &r->parts[number % 2];
}

/* --- segments ------------------------------------------------------------- */

static void part_clear(struct part *p)
{
	if (p->files)
		p->files->ops->free(p->files);
	free(p->partial);
	free(p->name);
	p->files = NULL;
	p->partial = p->name = NULL;
	p->number = 0;
}

/* The time of day of a trace time. */
static time_t wall_of(const struct rotate *r, uint64_t time)
{
	struct notes_stamp now = r->o.now();
	int64_t ns = (int64_t)(time - now.time) + now.nanoseconds;
	int64_t down = ns < 0 ? (int64_t)NS_PER_SECOND - 1 : 0;

	return now.seconds + (ns - down) / (int64_t)NS_PER_SECOND;
}

static int part_name(const struct rotate *r, struct part *p)
{
	const char *dir = r->o.files.directory;
	char name[SEGMENT_NAME];

	segment_name(name, p->number, wall_of(r, p->begin));
	if (asprintf(&p->name, "%s/%s%s", dir ? dir : ".", name,
		     r->o.pack ? SEGMENT_PACKED : "") < 0)
		p->name = NULL;
	if (!p->name || asprintf(&p->partial, "%s%s", p->name,
				 SEGMENT_PARTIAL) < 0)
		p->partial = NULL;
	return p->partial ? 0 : -ENOMEM;
}

static int part_open(const struct rotate *r, struct part *p)
{
	struct sink_file_options fo = r->o.files;
	const struct sink_packed_options po = {
		.file = { .path = p->partial, .reporter = fo.reporter,
			  .stored = &p->stored },
		.base = fo.base,
	};

	if (r->o.pack)
		return sink_packed_new(&p->files, &po);
	fo.directory = p->partial;
	fo.stored = &p->stored;
	return sink_file_new(&p->files, &fo);
}

/* Makes its sink, and offline CPUs' files. */
static int part_fill(struct rotate *r, struct part *p)
{
	int err = part_open(r, p);

	for (struct idle *i = r->idle; !err && i; i = i->next)
		err = p->files->ops->touch(p->files, i->name, i->cpu);
	return err;
}

/* Makes a segment unless a lane has; with the lock held. */
static int part_make(struct rotate *r, unsigned int number, uint64_t begin)
{
	struct part *p = part_of(r, number);
	int err;

	if (p->number == number)
		return 0;
	p->number = number;
	p->begin = begin;
	atomic_store(&p->stored, 0);
	err = part_name(r, p);
	if (!err)
		err = part_fill(r, p);
	if (!err && r->o.began)
		r->o.began(r->o.ctx, p->partial, p->files);
	if (err)
		part_clear(p);
	return err;
}

/* A lane has failed to write: its records end in that segment. */
static int cut_at(struct rotate *r, unsigned int number, int err)
{
	pthread_mutex_lock(&r->lock);
	if (err && (!r->cut || number < r->cut))
		r->cut = number;
	pthread_mutex_unlock(&r->lock);
	return err;
}

/* After the last lane: hands a complete segment to the sweeper; a cut one keeps
 * its ".partial". */
static void part_end(struct rotate *r, struct part *p, unsigned int writing)
{
	bool whole;

	if (!p->number)
		return;
	whole = !r->cut || p->number < r->cut;
	if (r->o.ended)
		r->o.ended(r->o.ctx, p->partial, p->files);
	if (p->files->ops->end)
		whole &= !p->files->ops->end(p->files);
	if (!whole) {
		reporter_write(r->o.files.reporter, "%s was cut: it keeps its"
			       " name, and can be read", p->partial);
		part_clear(p);
		return;
	}
	sweeper_add(r->sweeper, p->partial, p->name, writing);
	p->partial = p->name = NULL;
	part_clear(p);
}

/* --- borders -------------------------------------------------------------- */

/* now, or the newest event if that is later */
static uint64_t present(const struct rotate *r, uint64_t now)
{
	uint64_t newest = atomic_load(&r->newest);

	return newest > now ? newest : now;
}

static bool is_due(struct rotate *r, uint64_t now)
{
	const struct part *p = part_of(r, atomic_load(&r->number));

	return (r->o.size && atomic_load(&p->stored) >= r->o.size) ||
	       (r->o.time &&
		present(r, now) + LOOK_AHEAD >= p->begin + r->o.time);
}

/* After all events so far, or by time; sets the number first. */
static void set_border(struct rotate *r)
{
	unsigned int number = atomic_load(&r->number);
	const struct part *p = part_of(r, number);
	bool full = r->o.size && atomic_load(&p->stored) >= r->o.size;
	uint64_t by_time = p->begin + r->o.time, newest;

	atomic_store(&r->behind, r->lanes);
	atomic_store(&r->number, number + 1);
	newest = atomic_load(&r->newest);
	r->border = (newest > p->begin ? newest : p->begin) + 1;
	if (r->o.time && by_time > r->border && !full)
		r->border = by_time;
}

static uint64_t border_of(struct rotate *r)
{
	uint64_t border;

	pthread_mutex_lock(&r->lock);
	border = r->border;
	pthread_mutex_unlock(&r->lock);
	return border;
}

/* Sets a border if one is due; takes the lock only then. */
static void look_for_border(struct rotate *r, uint64_t now)
{
	if (atomic_load(&r->behind) || !is_due(r, now))
		return;
	pthread_mutex_lock(&r->lock);
	if (!atomic_load(&r->behind) && is_due(r, now))
		set_border(r);
	pthread_mutex_unlock(&r->lock);
}

static void saw(struct rotate *r, uint64_t time)
{
	unsigned long long newest = atomic_load(&r->newest);

	while (time > newest &&
	       !atomic_compare_exchange_weak(&r->newest, &newest, time))
		;
}

/* --- a lane passes a border ----------------------------------------------- */

static int write_head(struct rotate *r, struct out *out)
{
	struct sink *files = part_of(r, out->number)->files;
	const struct notebook_head h = {
		.device = out->inner.device,
		.cpu = out->inner.cpu,
		.border = r->border,
		.now = r->o.now(),
	};
	size_t len;
	uint8_t *head = notebook_write(&r->notes, &h, &len);
	int err = head ? files->ops->write(files, &out->inner, head, len) :
			 -ENOMEM;

	free(head);
	return err;
}

static int out_open(struct rotate *r, struct out *out)
{
	struct sink *files = part_of(r, out->number)->files;

	return files->ops->open(files, &out->inner);
}

static int out_close(struct rotate *r, struct out *out, uint64_t drops)
{
	struct sink *files = part_of(r, out->number)->files;

	return out->inner.out ? files->ops->close(files, &out->inner, drops) :
				0;
}

/* The last lane to pass completes the segment. */
static void count_passed(struct rotate *r, unsigned int left)
{
	pthread_mutex_lock(&r->lock);
	if (atomic_load(&r->behind) == 1)
		part_end(r, part_of(r, left), 1);
	atomic_fetch_sub(&r->behind, 1);
	pthread_mutex_unlock(&r->lock);
}

static int out_pass(struct rotate *r, struct out *out)
{
	unsigned int left = out->number;
	int err = out_close(r, out, 0);

	pthread_mutex_lock(&r->lock);
	if (!err)
		err = part_make(r, left + 1, r->border);
	pthread_mutex_unlock(&r->lock);
	if (err)
		return err;
	out->number = left + 1;
	err = out_open(r, out);
	if (!err)
		err = write_head(r, out);
	if (!err)
		count_passed(r, left);
	return err;
}

static bool is_behind(const struct rotate *r, const struct out *out)
{
	return atomic_load(&r->number) != out->number;
}

/* --- as a sink ------------------------------------------------------------ */

static void out_free(struct out *out)
{
	free(out->name);
	free(out);
}

static int rotate_open(struct sink *base, struct sink_lane *l)
{
	struct rotate *r = (struct rotate *)base;
	struct out *out = calloc(1, sizeof(*out));
	int err;

	if (!out)
		return -ENOMEM;
	out->name = strdup(l->name);
	out->number = 1;
	out->inner = (struct sink_lane){ .name = out->name,
					 .device = l->device, .cpu = l->cpu };
	err = out->name ? out_open(r, out) : -ENOMEM;
	if (err) {
		out_free(out);
		return err;
	}
	pthread_mutex_lock(&r->lock);
	out->next = r->outs;
	r->outs = out;
	r->lanes++;
	pthread_mutex_unlock(&r->lock);
	l->out = out;
	return 0;
}

struct taking {			/* notes of a lane */
	struct rotate *r;
	const struct out *out;
};

static int take_note(void *ctx, const uint8_t *note)
{
	const struct taking *t = ctx;

	return notebook_take(&t->r->notes, t->out->inner.device,
			     t->out->inner.cpu, note);
}

/* The records before the border, if there is one. */
static struct passage look(struct rotate *r, struct out *out,
			   const void *records, size_t len)
{
	struct taking t = { r, out };
	uint64_t border = is_behind(r, out) ? border_of(r) : PASSAGE_NO_BORDER;

	return passage_of(records, len, border, take_note, &t);
}

/* Writes the records before the border, *len bytes.  A border set meanwhile may
 * have missed these records: they are looked at, and their notes taken, again.
 * */
static int write_before(struct rotate *r, struct out *out, const void *records,
			size_t *len)
{
	struct sink *files = part_of(r, out->number)->files;
	bool behind = is_behind(r, out);
	struct passage p = look(r, out, records, *len);

	saw(r, p.newest);
	if (!behind && is_behind(r, out) && !p.error)
		p = look(r, out, records, *len);
	*len = p.len;
	if (p.error)
		return p.error;
	return p.len ? files->ops->write(files, &out->inner, records, p.len) :
		       0;
}

static int rotate_write(struct sink *base, struct sink_lane *l,
			const void *records, size_t len)
{
	struct rotate *r = (struct rotate *)base;
	struct out *out = l->out;
	const uint8_t *at = records, *end = at + len;
	int err = 0;

	while (!err && at < end) {
		size_t before = (size_t)(end - at);

		err = write_before(r, out, at, &before);
		at += before;
		if (!err && at < end)
			err = out_pass(r, out);
	}
	if (err)
		return cut_at(r, out->number, err);
	look_for_border(r, r->o.now().time);
	return 0;
}

/* The CPU's buffer was empty at the last flush, and is now: all events before
 * the last one have come. */
static int rotate_flush(struct sink *base, struct sink_lane *l)
{
	struct rotate *r = (struct rotate *)base;
	struct out *out = l->out;
	uint64_t now = r->o.now().time;
	int err = 0;

	if (is_behind(r, out) && out->looked >= border_of(r) + LATE)
		err = out_pass(r, out);
	out->looked = now;
	if (!err)
		look_for_border(r, now);
	if (!err) {
		struct sink *files = part_of(r, out->number)->files;

		err = files->ops->flush(files, &out->inner);
	}
	return err ? cut_at(r, out->number, err) : 0;
}

static int rotate_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct rotate *r = (struct rotate *)base;
	struct out *out = l->out;
	int err = out_close(r, out, drops);

	l->out = NULL;
	return err ? cut_at(r, out->number, err) : 0;
}

static int rotate_touch(struct sink *base, const char *name, uint32_t cpu)
{
	struct rotate *r = (struct rotate *)base;
	struct sink *files = part_of(r, 1)->files;
	struct idle *i = calloc(1, sizeof(*i));

	if (!i)
		return -ENOMEM;
	i->name = strdup(name);
	if (!i->name) {
		free(i);
		return -ENOMEM;
	}
	i->cpu = cpu;
	i->next = r->idle;
	r->idle = i;
	return files->ops->touch(files, name, cpu);
}

/* --- the end -------------------------------------------------------------- */

/* All lanes have a file in the newest segment. */
static void pass_all(struct rotate *r)
{
	unsigned int number = atomic_load(&r->number);
	int err = 0;

	if (part_of(r, number)->number != number)
		return;
	for (struct out *out = r->outs; !err && out; out = out->next) {
		if (out->number == number)
			continue;
		out->number = number;
		err = out_open(r, out);
		if (!err)
			err = write_head(r, out);
		if (!err)
			err = out_close(r, out, 0);
	}
	cut_at(r, number, err);
}

static void end_parts(struct rotate *r)
{
	unsigned int number = atomic_load(&r->number);
	struct part *last = part_of(r, number);
	struct part *other = part_of(r, number - 1);

	if (last->number == number && other->number == number - 1)
		part_end(r, other, 1);
	part_end(r, last->number ? last : other, 0);
}

static void rotate_discard(struct rotate *r)
{
	while (r->outs) {
		struct out *out = r->outs;

		r->outs = out->next;
		out_free(out);
	}
	while (r->idle) {
		struct idle *i = r->idle;

		r->idle = i->next;
		free(i->name);
		free(i);
	}
	sweeper_end(r->sweeper);
	part_clear(&r->parts[0]);
	part_clear(&r->parts[1]);
	notebook_free(&r->notes);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static void rotate_free(struct sink *base)
{
	struct rotate *r = (struct rotate *)base;

	pass_all(r);
	end_parts(r);
	rotate_discard(r);
}

static const struct sink_ops rotate_ops = {
	.open = rotate_open,
	.write = rotate_write,
	.flush = rotate_flush,
	.close = rotate_close,
	.free = rotate_free,
	.touch = rotate_touch,
};

/* --- the beginning -------------------------------------------------------- */

static int refuse_others(const struct sink_rotate_options *o)
{
	const char *dir = o->files.directory ? o->files.directory : ".";
	struct segments s;
	int err = segments_find(&s, dir);

	if (err)
		return err == -ENOMEM ? err : 0;
	reporter_write(o->files.reporter, "%s has segments of another trace"
		       " (%s): put this one elsewhere with -D", dir,
		       s.list[0].path);
	segments_free(&s);
	return -EEXIST;
}

static int begin(struct rotate *r)
{
	int err = sweeper_start(&r->sweeper, r->o.keep, r->o.files.reporter);

	return err ? err : part_make(r, 1, r->o.now().time);
}

int sink_rotate_new(struct sink **s, const struct sink_rotate_options *o)
{
	struct rotate *r;
	int err = sink_file_directory(&o->files);

	if (!err)
		err = refuse_others(o);
	if (err)
		return err;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->sink.ops = &rotate_ops;
	r->o = *o;
	notebook_init(&r->notes);
	pthread_mutex_init(&r->lock, NULL);
	atomic_init(&r->number, 1);
	err = begin(r);
	if (err)
		rotate_discard(r);
	else
		*s = &r->sink;
	return err;
}
