/* SPDX-License-Identifier: GPL-2.0-only */
/* An I/O as slices; see slices.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/hint.h"
#include "emit/perfetto/packet.h"
#include "emit/perfetto/slices.h"
#include "emit/perfetto/turns.h"
#include "request/io.h"

/* --- lanes ---------------------------------------------------------------- */

/*
 * free_from is a tree in an array: node 1 is the root, the children of n are
 * 2 n and 2 n + 1, and the last size nodes are the lanes, each with the end of
 * its last slice, at first 0.  Other nodes have the minimum of their children,
 * so that the lowest free lane is found in O(log size) steps.
 */

enum { FIRST_SIZE = 8, LANES_MAX_SIZE = 1 << 30 };

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* sets when a lane is free, and updates the nodes above it */
static inline void set_free(struct lanes *l, uint32_t lane, uint64_t from)
{
	uint64_t *tree = l->free_from;
	uint32_t node = l->size + lane;

	tree[node] = from;
	for (node /= 2; node; node /= 2)
		tree[node] = earlier(tree[2 * node], tree[2 * node + 1]);
}

/* doubles the lanes, or makes the first */
static COLD int grow(struct lanes *l)
{
	uint32_t size = l->size ? 2 * l->size : FIRST_SIZE;
	struct lanes larger = { .size = size, .count = l->count };

	if (size > LANES_MAX_SIZE)
		return -ENOMEM;
	larger.free_from = calloc(2 * (size_t)size, sizeof(*l->free_from));
	if (!larger.free_from)
		return -ENOMEM;
	larger.tracks = array_resize(l->tracks, size, sizeof(*l->tracks));
	if (!larger.tracks) {
		free(larger.free_from);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < l->size; i++)
		set_free(&larger, i, l->free_from[l->size + i]);
	free(l->free_from);
	*l = larger;
	return 0;
}

int lanes_take(struct lanes *l, uint64_t from, uint64_t to, uint32_t *lane)
{
	uint32_t node = 1;

	if (UNLIKELY(!l->size || l->free_from[1] > from) && grow(l))
		return -ENOMEM;
	while (node < l->size) {
		node *= 2;
		node += l->free_from[node] > from;
	}
	*lane = node - l->size;
	set_free(l, *lane, to);
	if (UNLIKELY(*lane >= l->count))
		l->count = *lane + 1;
	return 0;
}

void lanes_free(struct lanes *l)
{
	free(l->free_from);
	free(l->tracks);
	*l = (struct lanes){ .size = 0 };
}

/* --- words ---------------------------------------------------------------- */

enum { PHASE_MAX = 16 };

static void in_capitals(char to[PHASE_MAX], const char *from)
{
	int i = 0;

	for (; from[i] && i < PHASE_MAX - 1; i++)
		to[i] = from[i] >= 'a' && from[i] <= 'z' ?
			(char)(from[i] - 'a' + 'A') : from[i];
	to[i] = '\0';
}

void words_begin(struct buf *b)
{
	/* by enum words_annotation */
	static const char *const annotations[] = {
		"id", "sector", "bytes", "flags", "pid", "process", "error",
		"ended"
	};
	const char *events[IO_OPS + IO_PHASES];
	char phases[IO_PHASES][PHASE_MAX];

	for (unsigned int i = 0; i < IO_OPS; i++)
		events[i] = io_op_name(i);
	for (unsigned int i = 0; i < IO_PHASES; i++) {
		in_capitals(phases[i], io_phase_name(i));
		events[IO_OPS + i] = phases[i];
	}
	packet_words(b, events, IO_OPS + IO_PHASES, annotations,
		     sizeof(annotations) / sizeof(*annotations));
}

static COLD int add_text(struct words *n, struct buf *b, const char *text,
			 uint64_t key, uint32_t most, uint32_t *number)
{
	if (n->texts.count >= most)
		return 0;
	*number = (uint32_t)n->texts.count + 1;
	if (hash_put_number(&n->texts, key, *number))
		return -ENOMEM;
	packet_text(b, *number, text, (uint32_t)strlen(text));
	return 0;
}

int words_text(struct words *n, struct buf *b, const char *text, uint32_t most,
	       uint32_t *number)
{
	uint64_t key = hash_text(&n->texts, text, strlen(text));
	int64_t known = hash_get_number(&n->texts, key);

	*number = known > 0 ? (uint32_t)known : 0;
	return LIKELY(*number) ? 0 : add_text(n, b, text, key, most, number);
}

void words_free(struct words *n)
{
	hash_free(&n->texts);
}

/* --- slices --------------------------------------------------------------- */

/* of an I/O with all phases, without its flows */
enum { ROOM = (2 + 2 * IO_PHASES) * PACKET_MAX + 8 * PACKET_NUMBER };

static inline uint64_t as_signed(uint64_t v)
{
	return v <= INT64_MAX ? v : INT64_MAX;
}

static inline uint8_t *annotate(uint8_t *p, const struct turn *turn)
{
	const struct io *io = &turn->io;

	p = packet_annotate(p, WORDS_ID, io->id);
	p = packet_annotate(p, WORDS_SECTOR, as_signed(io->sector));
	p = packet_annotate(p, WORDS_BYTES, as_signed(io->bytes));
	if (turn->flags)
		p = packet_annotate_text(p, WORDS_FLAGS, turn->flags);
	p = packet_annotate(p, WORDS_PID, io->pid);
	if (turn->process)
		p = packet_annotate_text(p, WORDS_PROCESS, turn->process);
	if (UNLIKELY(io->error))
		p = packet_annotate(p, WORDS_ERROR, io->error);
	if (UNLIKELY(turn->ended))
		p = packet_annotate_text(p, WORDS_ENDED, turn->ended);
	return p;
}

/* A flow has the lower I/O's id, and is on both. */
static inline uint8_t *connect(uint8_t *p, const struct turns *t,
			       const struct turn *turn)
{
	const struct turn *child = turns_child(t, turn->child);

	if (turn->io.parent)
		p = packet_flow(p, turn->io.id);
	for (; child; child = turns_child(t, child->sibling))
		p = packet_flow(p, child->io.id);
	return p;
}

/* starts the slice with the I/O's annotations and flows */
static inline uint8_t *begin_io(uint8_t *p, const struct turns *t,
				const struct turn *turn, uint64_t track,
				uint32_t name)
{
	struct packet_open o;

	p = packet_open(&o, p, turn->io.time, track, name);
	return packet_close(&o, connect(annotate(p, turn), t, turn));
}

/* the phases in left, from at */
static inline uint8_t *put_phases(uint8_t *p, const struct io *io,
				  uint64_t track, uint32_t left, uint64_t at)
{
	for (; left; left &= left - 1) {
		uint32_t phase = (uint32_t)__builtin_ctz(left);

		p = packet_begin(p, at, track, WORDS_PHASE + phase);
		at += io->phase[phase];
		p = packet_end(p, at, track);
	}
	return p;
}

static COLD uint8_t *put_lost(uint8_t *p, const struct turns *t,
			      const struct turn *turn, uint64_t track)
{
	const struct io *io = &turn->io;
	uint32_t first = (uint32_t)__builtin_ctz(io->has);
	uint64_t at = io->time + io->phase[first];

	p = begin_io(p, t, turn, track, WORDS_PHASE + first);
	p = packet_end(p, at, track);
	return put_phases(p, io, track, io->has & (io->has - 1), at);
}

static inline uint8_t *put_total(uint8_t *p, const struct turns *t,
				 const struct turn *turn, uint64_t track)
{
	const struct io *io = &turn->io;

	p = begin_io(p, t, turn, track, WORDS_OP + io->op);
	p = put_phases(p, io, track, io->has, io->time);
	return packet_end(p, slices_end(io), track);
}

COLD uint64_t slices_phases(const struct io *io)
{
	uint64_t sum = 0;

	for (uint32_t left = io->has; left; left &= left - 1)
		sum += io->phase[__builtin_ctz(left)];
	return sum;
}

void slices_write(struct buf *b, const struct turns *t,
		  const struct turn *turn, uint64_t track)
{
	uint8_t *p = (uint8_t *)buf_room(b, ROOM + (turn->children + 1) *
						   (size_t)PACKET_NUMBER);

	if (!p)
		return;
	if (LIKELY(turn->io.ended <= IO_ENDED_OPEN))
		p = put_total(p, t, turn, track);
	else
		p = put_lost(p, t, turn, track);
	buf_commit(b, (char *)p);
}
