/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the table ios; see io_row.h.
 *
 * Each column has a cell for its value.  Columns that are not selected share
 * one that is never read, which is cheaper than a branch.  Expensive values are
 * only made if selected, or if changed.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "emit/row.h"
#include "request/io.h"
#include "run/reader.h"
#include "tools/btexport/io_columns.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/wall.h"

enum {
	COLUMNS = sizeof(io_columns) / sizeof(*io_columns),
	FLAGS_KEPT = 64,	/* a power of two */
	WORDS_MAX = 16,		/* of an enum */
};

_Static_assert((int)IO_OPS <= WORDS_MAX, "words do not fit");
_Static_assert(sizeof(enum io_op) == sizeof(uint32_t), "enums are words");

const struct row_table ios_table = {
	.name = "ios",
	.words = "an I/O that a process waits for, a part of it, or a flush",
	.first = io_columns,
	.step = sizeof(*io_columns),
	.count = COLUMNS,
	.sums = { "bytes", "total_ns" },
};

struct flags_slot {
	uint64_t key;		/* which determines the letters; 0: empty */
	uint32_t len;
	char text[RWBS_MAX];
};

struct io_row {
	const struct reader *reader;
	struct naming *naming;
	struct wall wall;
	bool timeless;
	uint64_t made;		/* bits: selected enum io_made */
	uint32_t phases;	/* bits: selected phases */
	uint32_t had;		/* of these: not null in the previous row */
	/* of the previous row, for its names */
	const struct device *disk;
	uint32_t device;
	char dev[NAMING_DEV], from_dev[NAMING_DEV];
	struct flags_slot flags[FLAGS_KEPT];
	struct cell words[IO_WORDS][WORDS_MAX];
	/* cells for values */
	struct cell *to[COLUMNS];
	struct cell *phase_to[IO_PHASES];
	struct cell *made_to[IO_MADES];
	struct cell nowhere;
	struct cell cells[ROW_COLUMNS];
};

/* --- numbers of struct io ------------------------------------------------- */

static inline uint64_t wide_of(const struct io *io, uint16_t at)
{
	uint64_t v;

	memcpy(&v, (const char *)io + at, sizeof(v));
	return v;
}

static inline uint32_t word_of(const struct io *io, uint16_t at)
{
	uint32_t v;

	memcpy(&v, (const char *)io + at, sizeof(v));
	return v;
}

/* Numbers that do not fit are negative when signed, like IO_NONE. */
static inline void put_maybe(struct cell *c, int64_t v, int64_t least)
{
	c->number = v;
	c->null = v < least;
}

static inline void put_always(struct cell *c, uint64_t v, int64_t most)
{
	c->number = v <= (uint64_t)most ? (int64_t)v : most;
}

/* the members that are enums with words */
static const uint16_t named[IO_WORDS] = {
	[IO_WORDS_LINK] = offsetof(struct io, link),
	[IO_WORDS_KIND] = offsetof(struct io, kind),
	[IO_WORDS_OP] = offsetof(struct io, op),
	[IO_WORDS_MERGE] = offsetof(struct io, merge),
	[IO_WORDS_ENDED] = offsetof(struct io, ended),
};

static inline void take(struct io_row *row, const struct io *io,
			const struct io_column *from, struct cell *c)
{
	switch (from->source) {
	case IO_WIDE:
		put_always(c, wide_of(io, from->at), INT64_MAX);
		break;
	case IO_WIDE_OR_NONE:
		put_maybe(c, (int64_t)wide_of(io, from->at), 0);
		break;
	case IO_WIDE_OR_0:
		put_maybe(c, (int64_t)wide_of(io, from->at), 1);
		break;
	case IO_WORD:
		put_always(c, word_of(io, from->at), INT32_MAX);
		break;
	case IO_WORD_OR_NONE:
		put_maybe(c, (int32_t)word_of(io, from->at), 0);
		break;
	case IO_WORD_OR_0:
		put_maybe(c, (int32_t)word_of(io, from->at), 1);
		break;
	case IO_NAME:
		*c = row->words[from->at][word_of(io, named[from->at])];
		break;
	case IO_CALL:
		if (c != &row->nowhere)
			from->make(row, io, c);
		break;
	case IO_PHASE:
	case IO_MADE:		/* by others */
		break;
	}
}

/* In the unrolled loop each take() is an instruction or two. */
static inline void take_fields(struct io_row *row, const struct io *io)
{
#pragma GCC unroll 80
	for (int i = 0; i < COLUMNS; i++)
		take(row, io, &io_columns[i], row->to[i]);
}

/* Most I/Os have a few, the same as the previous one: touches only these. */
static inline void take_phases(struct io_row *row, const struct io *io)
{
	uint32_t has = io->has & row->phases, changed, left;

	for (left = has; left; left &= left - 1) {
		unsigned int p = (unsigned int)__builtin_ctz(left);

		row->phase_to[p]->number = (int64_t)io->phase[p];
		if (UNLIKELY(io->phase[p] > INT64_MAX))
			has &= ~(1u << p);
	}
	for (changed = has ^ row->had; changed; changed &= changed - 1) {
		unsigned int p = (unsigned int)__builtin_ctz(changed);

		row->phase_to[p]->null = !(has >> p & 1);
	}
	row->had = has;
}

/* --- made values ---------------------------------------------------------- */

static inline void put_number(struct cell *c, bool known, uint64_t v)
{
	c->number = (int64_t)v;
	c->null = !known || v > INT64_MAX;
}

static inline void put_text(struct cell *c, const char *text, uint32_t len)
{
	c->text = text;
	c->len = len;
	c->null = false;
}

/* Names of a device stay while the next I/O is of that device. */
static COLD void make_device(struct io_row *row, const struct io *io)
{
	struct cell *const *to = row->made_to;

	*to[IO_MADE_HOST] = *naming_host(row->naming, io->origin);
	*to[IO_MADE_TRACE] = *naming_trace(row->naming, io->origin);
	*to[IO_MADE_DISK] = *naming_disk(row->naming, io->disk, io->device);
	put_text(to[IO_MADE_DEV], row->dev, naming_dev(row->dev, io->device));
	row->disk = io->disk;
	row->device = io->device;
}

static COLD void make_flags_slot(struct flags_slot *slot, const struct io *io,
				 uint64_t key)
{
	slot->len = io_flags(io, slot->text);
	slot->key = key;
}

static inline void make_flags(struct io_row *row, const struct io *io,
			      struct cell *c)
{
	uint64_t key = (uint64_t)io->categories << 2 |
		       (io->bytes != 0) << 1 | 1;
	struct flags_slot *slot = &row->flags[(key ^ key >> 6 ^ key >> 12) %
					      FLAGS_KEPT];

	if (UNLIKELY(slot->key != key))
		make_flags_slot(slot, io, key);
	c->text = slot->text;
	c->len = slot->len;
}

static inline void make_complete(const struct io *io, struct cell *c)
{
	put_number(c, io->total <= INT64_MAX, io->time + io->total);
}

static inline void make_seek(const struct io *io, struct cell *c)
{
	c->number = io->seek;
	c->null = io->seek == IO_NO_SEEK;
}

static COLD void make_from(struct io_row *row, const struct io *io)
{
	put_text(row->made_to[IO_MADE_FROM_DEV], row->from_dev,
		 naming_dev(row->from_dev, io->from_device));
	put_number(row->made_to[IO_MADE_FROM_SECTOR], true, io->from_sector);
}

static inline bool makes(const struct io_row *row, enum io_made made)
{
	return row->made >> made & 1;
}

/* numbers, which are cheap */
static inline void make_numbers(struct io_row *row, const struct io *io)
{
	struct cell *const *to = row->made_to;

	make_complete(io, to[IO_MADE_COMPLETE]);
	make_seek(io, to[IO_MADE_SEEK]);
	put_number(to[IO_MADE_RQ_BYTES], io->rq, io->rq_bytes);
	to[IO_MADE_ERROR]->number = io->error;
	to[IO_MADE_GAP]->number = io->gap;
	to[IO_MADE_SURE]->number = io->sure;
	to[IO_MADE_UNIX]->null = row->timeless ||
		!wall_at(&row->wall, row->reader, io->time,
			 &to[IO_MADE_UNIX]->number);
}

static inline void make_texts(struct io_row *row, const struct io *io)
{
	struct cell *const *to = row->made_to;

	if (UNLIKELY(row->disk != io->disk || row->device != io->device))
		make_device(row, io);
	put_text(to[IO_MADE_BIRTH], &io->birth, 1);
	if (makes(row, IO_MADE_FLAGS))
		make_flags(row, io, to[IO_MADE_FLAGS]);
	if (makes(row, IO_MADE_PROCESS))
		*to[IO_MADE_PROCESS] =
			*naming_process(row->naming, io->origin, io->pid);
	to[IO_MADE_CGROUP_PATH]->null = true;
	if (UNLIKELY(io->cgroup))
		*to[IO_MADE_CGROUP_PATH] =
			*naming_cgroup(row->naming, io->origin, io->cgroup);
	to[IO_MADE_FROM_DEV]->null = to[IO_MADE_FROM_SECTOR]->null = true;
	if (UNLIKELY(io->remapped))
		make_from(row, io);
}

static inline void make_container(struct io_row *row, const struct io *io,
				  struct cell *c)
{
	c->null = true;
	if (UNLIKELY(io->cgroup))
		*c = *naming_container(row->naming, io->origin, io->cgroup);
}

const struct cell *io_row_make(struct io_row *row, const struct io *io)
{
	struct io untimed;

	if (UNLIKELY(io_is_untimed(io))) {
		untimed = *io;
		untimed.total = IO_NONE;
		io = &untimed;
	}
	take_fields(row, io);
	take_phases(row, io);
	make_numbers(row, io);
	make_texts(row, io);
	return row->cells;
}

/* --- selecting columns ---------------------------------------------------- */

static struct cell word(const char *text)
{
	struct cell c = { .text = text, .len = (uint32_t)strlen(text) };

	c.null = !c.len;
	return c;
}

static void learn_words(struct io_row *row)
{
	for (unsigned int i = 0; i < IO_KINDS; i++)
		row->words[IO_WORDS_KIND][i] = word(io_kind_name(i));
	for (unsigned int i = 0; i < IO_OPS; i++)
		row->words[IO_WORDS_OP][i] = word(io_op_name(i));
	for (unsigned int i = 0; i < IO_MERGES; i++)
		row->words[IO_WORDS_MERGE][i] = word(io_merge_name(i));
	for (unsigned int i = 0; i < IO_LINKS; i++)
		row->words[IO_WORDS_LINK][i] = word(io_link_name(i));
	for (unsigned int i = 0; i < IO_ENDINGS; i++)
		row->words[IO_WORDS_ENDED][i] = word(io_ended_name(i));
}

/* Sets the cell of a column, which may stay null. */
static void select_column(struct io_row *row, unsigned int number,
			  struct cell *c)
{
	const struct io_column *from = &io_columns[number];

	row->to[number] = c;
	c->null = from->column.may_be_null;
	if (from->source == IO_PHASE) {
		row->phases |= 1u << from->at;
		row->phase_to[from->at] = c;
	}
	if (from->source == IO_MADE) {
		row->made |= 1ull << from->at;
		row->made_to[from->at] = c;
	}
}

int io_row_new(struct io_row **out, const struct reader *r, struct naming *n,
	       const unsigned int *columns, unsigned int count)
{
	struct io_row *row = calloc(1, sizeof(*row));

	*out = row;
	if (!row)
		return -ENOMEM;
	row->reader = r;
	row->naming = n;
	learn_words(row);
	for (int i = 0; i < COLUMNS; i++)
		row->to[i] = &row->nowhere;
	for (int i = 0; i < IO_MADES; i++)
		row->made_to[i] = &row->nowhere;
	for (unsigned int i = 0; i < count; i++)
		select_column(row, columns[i], &row->cells[i]);
	return 0;
}

void io_row_set_start(struct io_row *row, bool known, int64_t start)
{
	row->timeless = !known;
	row->wall = (struct wall){ known, start };
}

void io_row_segment(struct io_row *row, int32_t segment)
{
	row->made_to[IO_MADE_SEGMENT]->number = segment;
}

void io_row_free(struct io_row *row)
{
	free(row);
}
