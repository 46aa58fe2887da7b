/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace piece by piece through blkrawverify's rules, for libFuzzer: all
 * bytes are in one piece, in their order, and all faults are counted.
 *
 * Inputs are those of tests/fuzz/blkparse.c, all files as one.
 */
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "pack/format.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/packed_bytes.h"
#include "tools/blkrawverify/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10 };

/* Pieces follow on each other, but for those found inside a payload. */
static uint64_t check_place(const struct piece *p, uint64_t reached)
{
	must(p->at <= reached);
	must(p->len || p->kind == PIECE_FOREIGN || p->kind == PIECE_ZEROS ||
	     p->kind == PIECE_VERSION);
	return p->at + p->len > reached ? p->at + p->len : reached;
}

static void walk(struct check *c, struct scan *ps, size_t size, int packed)
{
	uint64_t reached = 0, count = 0;
	struct piece p;
	int got;

	while ((got = scan_next(ps, &p)) == 1) {
		/* none is endless, even where payloads are read again */
		must(++count <= 2 * size + 2 || packed);
		reached = check_place(&p, reached);
		check_piece(c, &p);
	}
	must(packed || (!got && reached == size));
	must(c->valid + c->invalid <= count);
	must((c->first != NULL) == (c->invalid > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct hooks hooks = { .damage = hooks_no_damage };
	struct check c = { .cpu = 0 };
	struct source *src = NULL;
	struct scan *ps;
	int packed;

	if (size < HEADER)
		return 0;
	packed = is_compressed(data + HEADER, size - HEADER) ||
		 pack_is(data + HEADER, size - HEADER);
	c.out = fopen("/dev/null", "w");
	must(c.out && !source_memory(&src, data + HEADER, size - HEADER));
	ps = scan_new(src, c.cpu, &hooks);
	must(ps != NULL);
	walk(&c, ps, size - HEADER, packed);
	check_summary(&c);
	scan_free(ps);
	fclose(c.out);
	return 0;
}
