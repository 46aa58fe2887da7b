/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a trace in segments is entered; see entrance.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "file/entrance.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/segments.h"
#include "file/source.h"
#include "file/source_chain.h"
#include "file/stream.h"
#include "record/record.h"

/* messages about drops may be so much later than what follows them */
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

/* what stands at the beginning of a file, or of several */
struct look {
	uint64_t border;	/* as its head has it; 0: there is none */
	uint64_t first;		/* time of the first event, or NO_EVENT */
};

static void on_note(void *ctx, const struct event *note)
{
	struct look *look = ctx;
	struct segment_head h;

	if (segment_head_of(note, &h))
		look->border = h.border;
}

/* What cannot be opened has nothing. */
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
	int err = source_chain_open(&src, links, count);

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

/* --- the beginning of all ------------------------------------------------ */

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

int entrance_begin(const struct locations *l, uint64_t *time)
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

/* --- the way in ----------------------------------------------------------- */

/* The last file of those whose border is long before time, found by halves. */
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

/* The last event before that time is seen, too: summaries have its time. */
int entrance_find(struct file_entry *e, uint64_t time)
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
