/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in an I/O's record; see io.h. */
#include "record/record.h"
#include "request/io.h"

static const char *const kinds[IO_KINDS] = {
	[IO_BIO] = "io",
	[IO_PART] = "part",
	[IO_FLUSH] = "flush",
	[IO_PASS] = "pass",
};

static const char *const ops[IO_OPS] = {
	[IO_READ] = "read",
	[IO_WRITE] = "write",
	[IO_DISCARD] = "discard",
	[IO_ZEROES] = "zeroes",
	[IO_FLUSH_OP] = "flush",
	[IO_APPEND] = "append",
	[IO_RESET] = "reset",
	[IO_RESET_ALL] = "reset-all",
	[IO_FINISH] = "finish",
	[IO_OPEN_ZONE] = "open",
	[IO_CLOSE_ZONE] = "close",
};

static const char *const merges[IO_MERGES] = {
	[IO_NOT_MERGED] = "",
	[IO_MERGED_BACK] = "back",
	[IO_MERGED_FRONT] = "front",
	[IO_MERGED_REQUEST] = "request",
	[IO_MERGED_SILENT] = "silent",
};

static const char *const links[IO_LINKS] = {
	[IO_NO_LINK] = "",
	[IO_REMAP] = "remap",
	[IO_SPLIT] = "split",
};

static const char *const endings[IO_ENDINGS] = {
	[IO_ENDED_C] = "C",
	[IO_ENDED_BELOW] = "below",
	[IO_ENDED_OPEN] = "open",
	[IO_ENDED_LOST] = "lost",
	[IO_ENDED_EVICTED] = "evicted",
};

static const char *const phases[IO_PHASES] = {
	[IO_Q2A] = "q2a",	[IO_LOWER] = "lower",
	[IO_A2C] = "a2c",	[IO_Q2X] = "q2x",
	[IO_X2C] = "x2c",	[IO_Q2G] = "q2g",
	[IO_Q2M] = "q2m",	[IO_PREFLUSH] = "preflush",
	[IO_G2M] = "g2m",	[IO_G2I] = "g2i",
	[IO_G2D] = "g2d",	[IO_I2D] = "i2d",
	[IO_M2D] = "m2d",	[IO_REQUEUE] = "requeue",
	[IO_D2C] = "d2c",	[IO_POSTFLUSH] = "postflush",
	[IO_REST] = "rest",
};

const char *io_kind_name(enum io_kind kind)
{
	return kinds[kind];
}

const char *io_op_name(enum io_op op)
{
	return ops[op];
}

const char *io_merge_name(enum io_merge merge)
{
	return merges[merge];
}

const char *io_link_name(enum io_link link)
{
	return links[link];
}

const char *io_ended_name(enum io_ended ended)
{
	return endings[ended];
}

const char *io_phase_name(enum io_phase phase)
{
	return phases[phase];
}

/* A part takes its parent's categories, and whether that has bytes. */
unsigned int io_flags(const struct io *io, char text[RWBS_MAX])
{
	const struct event ev = {
		.action = io->categories << 16,
		.zone = io->categories >> 16,
		.bytes = io->bytes != 0,
	};
	unsigned int len = rwbs_text(&ev, text);

	text[len] = '\0';
	return len;
}
