/* SPDX-License-Identifier: GPL-2.0-only */
/* The test of a packed trace; see testing.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/reading.h"
#include "pack/format.h"
#include "pack/unpacker.h"
#include "tools/btpack/options.h"
#include "tools/btpack/packed.h"
#include "tools/btpack/testing.h"

enum { CHUNK = 64 * 1024, SEARCH = 64 * 1024 };

/* a member as found so far */
struct found {
	size_t blocks;
	uint64_t at, number;	/* bytes and events */
};

struct testing {
	struct packed packed;
	struct packed_block block;
	struct reading reading;
	struct found *found;	/* by member */
	uint64_t at;		/* offset in the packed file */
	uint64_t blocks;
	bool ended;		/* by an end block, after the last other one */
};

static void fault(struct testing *t, const char *what)
{
	packed_fault(&t->packed, t->at, 0, what);
}

/* --- one block ------------------------------------------------------------ */

/* The block follows the member's last one. */
static void check_place(struct testing *t, struct found *f,
			const struct pack_header *h)
{
	char shown[PACKED_SHOWN], what[PACKED_SHOWN + 64];

	if (h->flags & PACK_ASIDE && !h->at)
		*f = (struct found){ .blocks = f->blocks };
	snprintf(what, sizeof(what), "%s bytes of %s before this block",
		 h->at > f->at ? "lacks" : "repeats",
		 packed_shown(shown, h->name));
	if (h->at != f->at)
		fault(t, what);
	else if (h->number != f->number)
		fault(t, "a wrong number of events before this block");
	f->at = h->at + h->len;
	f->number = h->number + h->events;
}

static void check_index(struct testing *t, size_t member, struct found *f,
			const struct pack_header *h)
{
	const struct pack_member *m = &t->packed.list.members[member];
	size_t i;

	/* comes again later */
	if (m->aside && m->count && m->places->offset > t->at)
		return;
	i = f->blocks++;
	if (i >= m->count || m->places[i].offset != t->at ||
	    m->places[i].at != h->at)
		fault(t, "the index has another block in this place");
}

static void check_member(struct testing *t, const struct pack_header *h)
{
	const struct pack_list *l = &t->packed.list;
	const struct pack_member *m = pack_list_find(l, h->name);
	size_t nr = m ? (size_t)(m - l->members) : 0;

	if (!m) {
		fault(t, "the index lacks the file of this block");
		return;
	}
	check_index(t, nr, &t->found[nr], h);
	check_place(t, &t->found[nr], h);
}

/* Unpacks the block of a member. */
static void unpack(struct testing *t, const struct pack_header *h, int head)
{
	uint8_t buf[CHUNK];
	const char *what;
	uint64_t len = 0;
	ssize_t n;

	if (!packed_block_begin(&t->block, &t->packed, t->at, h, head, &what)) {
		fault(t, what);
		return;
	}
	while ((n = unpacker_read(t->block.unpacker, buf, sizeof(buf))) > 0)
		len += (uint64_t)n;
	if (n < 0 || len != h->len)
		fault(t, "a packed block contradicts itself");
}

/* --- all blocks ----------------------------------------------------------- */

static void take_block(struct testing *t, const struct pack_header *h,
		       int head)
{
	t->ended = h->kind == PACK_END;
	if (h->kind < PACK_INDEX) {
		t->blocks++;
		check_member(t, h);
		unpack(t, h, head);
	}
	t->at += pack_block_size(h);
}

/* The offset after t->at where a block may begin, or the end. */
static uint64_t search(const struct testing *t)
{
	uint64_t at = t->at + 1;
	uint8_t buf[SEARCH];

	while (at < t->packed.size) {
		ssize_t n = pread(t->packed.fd, buf, sizeof(buf), (off_t)at);
		const uint8_t *found = pack_find(buf, buf + (n > 0 ? n : 0));

		if (n <= 0)
			break;
		at += (uint64_t)(found - buf);
		if (buf + n - found >= PACK_MAGIC_LEN)
			return at;
		if (n < PACK_MAGIC_LEN)
			break;
	}
	return t->packed.size;
}

static void pass_bad(struct testing *t, const char *what)
{
	uint64_t to = search(t);

	packed_fault(&t->packed, t->at, to - t->at, what);
	t->at = to;
}

static void test_blocks(struct testing *t, const volatile sig_atomic_t *stop)
{
	while (!*stop && t->at < t->packed.size) {
		const char *what;
		struct pack_header h;
		int head = pack_read_header(t->packed.fd, t->at, &h, &what);

		if (head < 0 && head != -EBADMSG)
			what = strerror(-head);
		if (head > 0 &&
		    pack_block_size(&h) <= t->packed.size - t->at)
			take_block(t, &h, head);
		else
			pass_bad(t, head >= 0 ? "a packed block is cut short" :
						what);
		reading_show(&t->reading, t->at, t->packed.size);
	}
}

/* --- the end -------------------------------------------------------------- */

/* Places of the index that no block was found at, and a missing index. */
static void check_end(struct testing *t)
{
	const struct pack_list *l = &t->packed.list;

	for (size_t i = 0; l->indexed && i < l->count; i++)
		if (t->found[i].blocks < l->members[i].count)
			fault(t, "the index has more blocks than there are");
	if (!t->ended)
		fault(t, "no index after it: cut short, still being written,"
			 " or its capture was killed");
	else if (!l->indexed)
		fault(t, "the index is wrong");
}

static void print_good(const struct testing *t)
{
	size_t files = t->packed.list.count;
	char shown[PACKED_SHOWN];

	printf("%s: no faults in %llu blocks of %zu file%s\n",
	       packed_shown(shown, t->packed.path),
	       (unsigned long long)t->blocks, files, files == 1 ? "" : "s");
}

bool testing_run(const struct btpack_options *o, const char *path,
		 const volatile sig_atomic_t *stop)
{
	struct testing t = { .at = 0 };

	if (!packed_open(&t.packed, path))
		return false;
	t.found = calloc(t.packed.list.count + 1, sizeof(*t.found));
	if (!t.found || !packed_block_init(&t.block))
		msg_die("out of memory");
	reading_start(&t.reading, !o->no_progress);
	test_blocks(&t, stop);
	reading_end(&t.reading);
	if (!*stop)
		check_end(&t);
	if (!*stop && !t.packed.damaged)
		print_good(&t);
	packed_block_free(&t.block);
	free(t.found);
	packed_close(&t.packed);
	return !t.packed.damaged;
}
