/* SPDX-License-Identifier: GPL-2.0-only */
/* What a device was asked for; see mix.h. */
#include "capacity/mix.h"
#include "request/io.h"

/* bits of the first size; each is four times the one before */
enum { FIRST_BITS = 12, STEP_BITS = 2 };

const char *mix_op_name(enum mix_op op)
{
	static const char *const names[MIX_OPS] = {
		[MIX_READ] = "read", [MIX_WRITE] = "write",
		[MIX_OTHER] = "other",
	};

	return names[op];
}

uint64_t mix_size(unsigned int size)
{
	return size < MIX_SIZES - 1 ?
	       UINT64_C(1) << (FIRST_BITS + STEP_BITS * size) : UINT64_MAX;
}

uint32_t mix_level(unsigned int band)
{
	return UINT32_C(1) << band;
}

static enum mix_op op_of(const struct io *io)
{
	return io->kind == IO_PASS ? MIX_OTHER :
	       io->op == IO_READ ? MIX_READ :
	       io->op == IO_WRITE ? MIX_WRITE : MIX_OTHER;
}

static unsigned int size_of(uint64_t bytes)
{
	unsigned int size = 0;

	while (bytes > mix_size(size))
		size++;
	return size;
}

static unsigned int band_of(uint32_t level)
{
	unsigned int band = 31 - (unsigned int)__builtin_clz(level);

	return band < MIX_BANDS ? band : MIX_BANDS - 1;
}

int mix_add(struct mix *m, const struct io *io)
{
	enum mix_op op = op_of(io);
	struct mix_class *c = &m->classes[op][size_of(io->bytes)];

	if (!io->level && io->merge == IO_NOT_MERGED)
		return 0;	/* its parts count, or it was not seen */
	m->ios[op]++;
	m->bytes[op] += io->bytes;
	if (!io->level)
		return 0;
	c->bytes += io->bytes;
	return histogram_add(&c->latency[band_of(io->level)], io->total);
}

uint64_t mix_count(const struct mix_class *c)
{
	uint64_t sum = 0;

	for (int i = 0; i < MIX_BANDS; i++)
		sum += c->latency[i].count;
	return sum;
}

void mix_free(struct mix *m)
{
	for (int op = 0; op < MIX_OPS; op++)
		for (int size = 0; size < MIX_SIZES; size++)
			for (int band = 0; band < MIX_BANDS; band++)
				histogram_free(&m->classes[op][size]
						.latency[band]);
}
