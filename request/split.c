/* SPDX-License-Identifier: GPL-2.0-only */
/* Splits: an io goes on as several. */
#include "record/payload.h"
#include "request/actions.h"
#include "request/choose.h"
#include "request/open.h"
#include "request/open_queue.h"

/*
 * Device mapper's event says the rest, not the part.  It keeps one bio, cut
 * from the front: the C of the last rest ends it.
 */
static void trim(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *whole = choose_trimmed(j, q, ev);

	if (!whole) {
		j->counts.leftovers[JOINER_GHOST_X]++;
		return;
	}
	whole->events++;
	open_rare(j, whole)->rest = ev->sector;
	open_teach(j, q, whole, ev->sector);
}

/* The waiting io that is cut at a sector inside of it, or NULL. */
static struct open_io *whole_of(struct joiner *j, struct queue *q,
				const struct event *ev, uint64_t at)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;
	struct open_io *whole = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (io->sector != ev->sector || !io_same_way(io, ev) ||
		    at <= io->sector || at >= io_end(io))
			continue;
		whole = io;
		if (io->pid == ev->pid)
			break;
	}
	return whole;
}

static void copy_origin(struct joiner *j, struct open_io *to,
			struct open_io *from)
{
	struct more_io *more = open_more(j, to), *its = open_more(j, from);

	more->remapped = its->remapped;
	more->from_device = its->from_device;
	more->from_sector = its->from_sector;
}

/*
 * A part of from's whole begins; the X is that one's.  root is the whole as
 * long as it is open, else NULL.
 */
static struct open_io *part_of(struct joiner *j, struct queue *q,
			       const struct event *ev, struct open_io *from,
			       struct open_io *root)
{
	struct open_io *io = open_begin(j, q, ev, IO_PART, 'X');
	struct rare_io *rare = open_rare(j, io);

	io->events = 0;
	io->categories = from->categories;
	copy_origin(j, io, from);
	rare->link = IO_SPLIT;
	rare->parent_id = root ? root->id : open_rare(j, from)->parent_id;
	if (root) {
		rare->parent = open_number(j, root);
		open_rare(j, root)->parts++;
	}
	return io;
}

/* The first part takes over what the io was. */
static struct open_io *first_part(struct joiner *j, struct queue *q,
				  const struct event *ev, struct open_io *root)
{
	struct open_io *left = part_of(j, q, ev, root, root);
	struct rare_io *mine, *its = open_rare(j, root);

	left->sector = root->sector;
	left->bytes = root->bytes;
	its->x = ev->time;
	if (its->zone_plugged == NO_TIME)
		return left;
	mine = open_rare(j, left);
	mine->zone_plugged = its->zone_plugged;
	return left;
}

/* An io becomes two parts; a part that is cut gets a sibling. */
static void split(struct joiner *j, struct queue *q, const struct event *ev,
		  struct open_io *whole, uint64_t at)
{
	struct open_io *root = whole, *left = whole, *right;
	const struct rare_io *rare = open_rare(j, whole);

	open_process(j, q, ev->pid)->last = OPEN_NONE;
	open_unwait(j, q, whole);
	if (rare->link != IO_SPLIT)
		left = first_part(j, q, ev, root);
	else if (open_is(j, rare->parent, rare->parent_id))
		root = &j->ios[rare->parent];
	else
		root = NULL;
	(root ? root : left)->events++;
	right = part_of(j, q, ev, left, root);
	right->sector = at;
	right->bytes = (uint32_t)((io_end(left) - at) << 9);
	left->bytes -= right->bytes;
	open_wait(j, q, left);
	open_wait(j, q, right);
}

void action_split(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *whole = NULL;
	uint64_t at;

	if (payload_number(ev, &at)) {
		if (at == ev->sector) {
			trim(j, q, ev);
			return;
		}
		whole = whole_of(j, q, ev, at);
	}
	if (!whole) {
		j->counts.leftovers[JOINER_GHOST_X]++;
		return;
	}
	split(j, q, ev, whole, at);
}
