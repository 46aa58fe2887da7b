/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Skipping; see skip.h.
 *
 * The merge shows an event that is earlier than the one before it in its file
 * directly after that one.  So the events before a time in each file precede it
 * in the merge, too, if none is earlier than the first event.
 *
 * The last of them in each file are shown.  Among equal times the file that
 * moved last is next, so from there the merge continues as without skipping, if
 * no two of these last events have the same time.
 *
 * A batch is read, and its notes act, when the last event of the batch before
 * has been shown: the latest time up to that event decides the order of
 * batches.
 *
 * If in doubt, an earlier time is tried: skipping less is always right.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/positions.h"
#include "file/segments.h"
#include "file/source.h"
#include "file/source_chain.h"
#include "file/stream.h"
#include "record/record.h"
#include "run/merge.h"
#include "run/skip.h"

enum { TRIES = 16 };

/* of each file */
struct way {
	struct positions known;
	struct positions_kept kept;
	struct landing to;
};

/* a note that acts, or the place where a file's stream continues */
struct act {
	uint64_t when;
	uint32_t file;
	bool is_note;
	uint64_t at;		/* offset */
};

/* --- whether, and where to ------------------------------------------------ */

/* Loaded positions may be wrong: tries again without. */
static int walk(const struct walk_options *o, struct way *w)
{
	int err = walk_file(o, &w->known, &w->to);

	if (err != -EINVAL || !w->kept.known)
		return err;
	positions_free(&w->known);
	w->kept.known = 0;
	return walk_file(o, &w->known, &w->to);
}

/* 1: the file can be skipped; 0: it cannot; -ENOMEM */
static int find_way(const struct skip *s, const struct skip_file *f,
		    struct way *w)
{
	struct walk_options o = { f->path, f->cpu, s->batch,
				  s->time - f->epoch };
	int err;

	if (!f->path || s->time < f->epoch)
		return 0;
	err = walk(&o, w);
	if (err)
		return err == -ENOMEM ? err : 0;
	return !w->to.events || w->to.least + f->epoch >= s->first;
}

/* As find_way(), of all files. */
static int find_ways(const struct skip *s, struct way *ways)
{
	int found = 1;

	for (uint32_t i = 0; found == 1 && i < s->count; i++)
		found = find_way(s, &s->files[i], &ways[i]);
	/* unless the file has been replaced */
	return found == 1 ? ways[merge_last(s->merge)].to.events > 0 : found;
}

/*
 * The time of a file's last event that is not certain, or 0: it is earlier than
 * another of its file, or ends its batch, so that the next batch is read after
 * it, maybe before other files' batches.
 */
static uint64_t doubt_alone(const struct skip *s, const struct way *ways)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct landing *to = &ways[i].to;

		if (to->last != to->most ||
		    to->events - to->batch_first == s->batch)
			return to->most + s->files[i].epoch;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* A time that several files' last events have, or 0. */
static uint64_t doubt_together(const struct skip *s, const struct way *ways,
			       uint64_t *times)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (ways[i].to.events)
			times[n++] = ways[i].to.last + s->files[i].epoch;
	qsort(times, n, sizeof(*times), by_time);
	while (n-- > 1)
		if (times[n] == times[n - 1])
			return times[n];
	return 0;
}

/* --- notes and batches ---------------------------------------------------- */

static int by_when(const void *a, const void *b)
{
	const struct act *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* notes of the first batch have acted, those of the last will */
static bool is_passed(const struct skip *s, const struct landing *to,
		      const struct passed_note *n)
{
	return n->number >= s->batch && n->number < to->batch_first;
}

/* Appends a file's acts in order; returns their number. */
static size_t put_acts(const struct skip *s, uint32_t file, const struct way *w,
		       struct act *list)
{
	uint64_t epoch = s->files[file].epoch;
	size_t n = 0;

	if (!w->to.batch_first)
		return 0;
	for (size_t i = 0; i < w->known.note_count; i++) {
		const struct passed_note *note = &w->known.notes[i];

		if (is_passed(s, &w->to, note))
			list[n++] = (struct act){ note->after + epoch, file,
						  true, note->offset };
	}
	list[n++] = (struct act){ w->to.batch_after + epoch, file, false,
				  w->to.batch_at };
	return n;
}

/* A time at which several files' batches are read, or 0. */
static uint64_t doubt_order(const struct act *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (list[i].when == list[i - 1].when &&
		    list[i].file != list[i - 1].file)
			return list[i].when;
	return 0;
}

struct acts {
	struct act *list;
	size_t count;
};

static int find_acts(const struct skip *s, const struct way *ways,
		     struct acts *a)
{
	size_t size = 1;

	for (uint32_t i = 0; i < s->count; i++)
		size += ways[i].known.note_count + 1;
	free(a->list);
	*a = (struct acts){ calloc(size, sizeof(*a->list)), 0 };
	if (!a->list)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->count; i++)
		a->count += put_acts(s, i, &ways[i], a->list + a->count);
	qsort(a->list, a->count, sizeof(*a->list), by_when);
	return 0;
}

/* --- skipping ------------------------------------------------------------- */

/* 0 or -ENOMEM */
static int act(const struct skip *s, const struct act *a)
{
	struct stream *stream = s->files[a->file].stream;

	if (a->is_note) {
		stream_note(stream, a->at);
		return 0;
	}
	stream_seek(stream, a->at);
	return stream_prime(stream);
}

/* The next event, or NULL at the end. */
static struct event *next_of(const struct skip_file *f)
{
	struct event *ev = NULL;
	int got;

	do
		got = f->player.next(f->player.self, &ev);
	while (got == -EINTR);
	return got == 1 ? ev : NULL;
}

/*
 * Makes the file's last event its front.  The first already is, and was handed
 * out if the file has the run's first event.
 */
static void advance(const struct skip *s, uint32_t file,
		    const struct landing *to)
{
	const struct skip_file *f = &s->files[file];
	bool begins = file == merge_last(s->merge);
	uint64_t taken = to->batch_first ? to->batch_first : 1;
	struct event *front;

	if (!to->events || (to->events == 1 && !begins))
		return;
	do
		front = next_of(f);
	while (front && ++taken < to->events);
	merge_move(s->merge, file, front);
}

/* 0 or -ENOMEM */
static int go(const struct skip *s, const struct way *ways,
	      const struct acts *acts)
{
	uint32_t begins = merge_last(s->merge);
	int err = 0;

	for (size_t i = 0; !err && i < acts->count; i++)
		err = act(s, &acts->list[i]);
	for (uint32_t i = 0; i < s->count; i++)
		if (!err && i != begins)
			advance(s, i, &ways[i].to);
	if (!err)
		advance(s, begins, &ways[begins].to);
	return err;
}

/*
 * 1: ways and acts are certain; 0: nothing can be skipped; -EAGAIN: try again,
 * s->time is an earlier time; -ENOMEM.
 */
static int try_time(struct skip *s, struct way *ways, struct acts *acts,
		    uint64_t *times)
{
	int found = find_ways(s, ways);
	uint64_t doubt;

	if (found != 1)
		return found;
	if (find_acts(s, ways, acts))
		return -ENOMEM;
	doubt = doubt_alone(s, ways);
	if (!doubt)
		doubt = doubt_together(s, ways, times);
	if (!doubt)
		doubt = doubt_order(acts->list, acts->count);
	if (!doubt)
		return 1;
	s->time = doubt;
	/* other batch sizes would have to be walked from the start */
	return doubt > s->first && s->batch == STREAM_BATCH ? -EAGAIN : 0;
}

static void load(const struct skip_file *f, struct way *w)
{
	positions_load(&w->known, &w->kept, f->path);
	if (!w->known.count)
		positions_unpack(&w->known, &w->kept, f->path, f->cpu);
}

/* Kept positions are by batches of the default size. */
static void load_all(const struct skip *s, struct way *ways)
{
	for (uint32_t i = 0; s->batch == STREAM_BATCH && i < s->count; i++)
		if (s->files[i].path)
			load(&s->files[i], &ways[i]);
}

static void save_all(const struct skip *s, const struct way *ways)
{
	for (uint32_t i = 0; s->batch == STREAM_BATCH && i < s->count; i++)
		positions_save(&ways[i].known, &ways[i].kept, s->opener,
			       s->files[i].path);
}

int skip_events(const struct skip *wanted)
{
	struct skip s = *wanted;
	struct way *ways = calloc(s.count + 1, sizeof(*ways));
	uint64_t *times = calloc(s.count + 1, sizeof(*times));
	struct acts acts = { NULL, 0 };
	int found = ways && times ? -EAGAIN : -ENOMEM;

	if (found == -EAGAIN)
		load_all(&s, ways);
	for (int i = 0; i < TRIES && found == -EAGAIN; i++)
		found = try_time(&s, ways, &acts, times);
	if (found == 1)
		save_all(&s, ways);
	if (found == 1 && acts.count)
		found = go(&s, ways, &acts);
	for (uint32_t i = 0; ways && i < s.count; i++)
		positions_free(&ways[i].known);
	free(ways);
	free(times);
	free(acts.list);
	return found == -ENOMEM ? found : 0;
}

/* --- segments ------------------------------------------------------------- */

/* how late a message about drops may be */
#define SLACK NS_PER_SECOND

#define NO_EVENT UINT64_MAX

static int next_event(struct stream *in, struct event **ev)
{
	int got;

	do
		got = stream_next(in, ev);
	while (got == -EINTR);
	return got;
}

/* the start of a file, or of several */
struct look {
	uint64_t border;	/* of its head; 0: it has none */
	uint64_t first;		/* time of the first event, or NO_EVENT */
};

static void on_note(void *ctx, const struct event *note)
{
	struct look *look = ctx;
	struct segment_head h;

	if (segment_head_of(note, &h))
		look->border = h.border;
}

/* A file that cannot be opened counts as empty.  0 or -ENOMEM. */
static int look_into(const struct chain_link *links, size_t count,
		     struct look *look)
{
	const struct hooks hooks = { look, on_note, hooks_no_damage,
				     hooks_no_added, hooks_no_idle };
	const struct stream_options o = { .name = "", .cpu = STREAM_ANY_CPU,
					  .batch = 1 };
	struct source *src;
	struct stream *in;
	struct event *ev;
	int err = source_chain_open(&src, links, count, 0);

	*look = (struct look){ 0, NO_EVENT };
	if (err)
		return err == -ENOMEM ? err : 0;
	in = stream_new(src, &o, &hooks);
	if (!in)
		return -ENOMEM;
	err = next_event(in, &ev);
	if (err == 1)
		look->first = ev->time;
	stream_free(in);
	return err == -ENOMEM ? err : 0;
}

static int earliest_of(const struct files *f, uint64_t *time)
{
	int err = 0;

	for (size_t i = 0; !err && i < f->count; i++) {
		const struct file_entry *e = &f->list[i];
		struct look look;

		if (!e->links)
			return -ENODATA;
		err = look_into(e->links, e->link_count, &look);
		if (look.first < *time)
			*time = look.first;
	}
	return err;
}

int skip_first(const struct locations *l, uint64_t *time)
{
	int err = l->host_count == 1 ? 0 : -ENODATA;

	*time = NO_EVENT;
	for (size_t i = 0; !err && i < l->count; i++) {
		struct files f;

		err = l->list[i].name ? location_files(&l->list[i], &f) :
					-ENODATA;
		if (err)
			break;
		err = earliest_of(&f, time);
		files_free(&f);
	}
	if (!err && *time == NO_EVENT)
		err = -ENODATA;
	return err && err != -ENOMEM ? -ENODATA : err;
}

/* Binary search for the last file whose border is long before time. */
static int find_border(const struct file_entry *e, uint64_t time,
		       size_t *link)
{
	size_t high = e->link_count;
	int err = 0;

	*link = 0;
	while (!err && high - *link > 1) {
		size_t mid = *link + (high - *link) / 2;
		struct look look;

		err = look_into(e->links + mid, 1, &look);
		if (look.border < time && time - look.border > SLACK)
			*link = mid;
		else
			high = mid;
	}
	return err;
}

static int leave_out(struct file_entry *e, size_t links)
{
	char *path = strdup(e->links[links].path);

	if (!path)
		return -ENOMEM;
	for (size_t i = 0; i < links; i++)
		free(e->links[i].path);
	e->link_count -= links;
	memmove(e->links, e->links + links,
		e->link_count * sizeof(*e->links));
	free(e->path);
	e->path = path;
	return 0;
}

/* Summaries have the time of the last event before, so that stays. */
int skip_segments(struct file_entry *e, uint64_t time)
{
	struct look look;
	size_t link;
	int err = find_border(e, time, &link);

	while (!err && link) {
		err = look_into(e->links + link, 1, &look);
		if (look.first < time)
			break;
		link--;
	}
	return err || !link ? err : leave_out(e, link);
}
