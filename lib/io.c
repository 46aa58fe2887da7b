/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os; see blktrace-reader.h. */
#include <errno.h>
#include <string.h>

#include "lib/impl.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"

/* Both headers have the same numbers, which are passed on. */
#define SAME(theirs, ours) \
	_Static_assert((int)(theirs) == (int)(ours), #theirs " has moved")

SAME(BLKT_KIND_PASS, IO_KINDS - 1);
SAME(BLKT_OP_READ, IO_READ);
SAME(BLKT_OP_ZEROES, IO_ZEROES);
SAME(BLKT_OP_CLOSE_ZONE, IO_OPS - 1);
SAME(BLKT_MERGE_SILENT, IO_MERGES - 1);
SAME(BLKT_LINK_SPLIT, IO_LINKS - 1);
SAME(BLKT_ENDED_EVICTED, IO_ENDINGS - 1);
SAME(BLKT_PHASE_Q2G, IO_Q2G);
SAME(BLKT_PHASE_D2C, IO_D2C);
SAME(BLKT_PHASE_REST, IO_PHASES - 1);
_Static_assert(BLKT_NONE == IO_NONE && BLKT_NONE32 == IO_NO_CPU &&
	       BLKT_NO_SEEK == IO_NO_SEEK, "what is not there");

static inline void show_which(struct blkt_io *to, const struct io *io)
{
	to->kind = io->kind;
	to->op = io->op;
	to->link = io->link;
	to->merge = io->merge;
	to->ended = io->ended;
	to->id = io->id;
	to->parent = io->parent;
	to->rq = io->rq;
	to->flush = io->flush;
	to->flush2 = io->flush2;
}

static inline void show_what(struct blkt_io *to, const struct io *io)
{
	to->disk = io->disk->id;
	to->device = io->device;
	to->sector = io->sector;
	to->bytes = io->bytes;
	to->pid = io->pid;
	to->categories = io->categories;
	to->cgroup = io->cgroup;
	to->host = io->origin;
	to->error = io->error;
	to->birth = (uint8_t)io->birth;
	to->gap = io->gap;
	to->sure = io->sure;
	to->at = io->at;
	to->from_sector = io->remapped ? io->from_sector : BLKT_NONE;
	to->from_device = io->remapped ? io->from_device : BLKT_NONE32;
}

static inline void show_times(struct blkt_io *to, const struct io *io)
{
	to->time = io->time;
	to->total = io->total;
	to->issued = io->issued;
	to->served = io->served;
	to->age = io->age;
	to->plug = io->plug;
	to->zplug = io->zplug;
	to->has = io->has;
	to->phase = io->phase;
}

static inline void show_counts(struct blkt_io *to, const struct io *io)
{
	to->cpu = io->cpu;
	to->issue_cpu = io->cpu_d;
	to->complete_cpu = io->cpu_c;
	to->issues = io->issues;
	to->requeues = io->requeues;
	to->rq_ios = io->rq_ios;
	to->rq_bytes = io->rq_bytes;
	to->depth = io->depth;
	to->children = io->children;
	to->seek = io->seek;
	to->done = io->done;
	to->events = io->events;
}

static inline bool is_wanted(struct blkt_reader *r, const struct io *io)
{
	return io_in_window(io, &r->window) &&
	       wanted_device(&r->wanted, io->disk, io->device);
}

int blkt_next_io(struct blkt_reader *r, const struct blkt_io **to)
{
	const struct io *io;
	int got = UNLIKELY(r->state != LIB_IOS) ? lib_begin(r, LIB_IOS) : 0;

	*to = NULL;
	if (UNLIKELY(got))
		return got;
	do
		got = ios_next(r->ios, &io);
	while (got == 1 && UNLIKELY(!is_wanted(r, io)));
	if (UNLIKELY(got != 1))
		return lib_none(r, got);
	show_which(&r->io, io);
	show_what(&r->io, io);
	show_times(&r->io, io);
	show_counts(&r->io, io);
	*to = &r->io;
	return 1;
}

const char *blkt_io_rwbs(const struct blkt_io *io, char text[BLKT_RWBS_SIZE])
{
	const struct io ours = { .categories = io->categories,
				 .bytes = io->bytes };

	io_flags(&ours, text);
	return text;
}

uint64_t blkt_io_phase(const struct blkt_io *io, unsigned int phase)
{
	if (phase >= io->phase_count || !(io->has >> phase & 1))
		return BLKT_NONE;
	return io->phase[phase];
}

const char *blkt_kind_name(unsigned int kind)
{
	return kind < IO_KINDS ? io_kind_name(kind) : NULL;
}

const char *blkt_op_name(unsigned int op)
{
	return op < IO_OPS ? io_op_name(op) : NULL;
}

const char *blkt_merge_name(unsigned int merge)
{
	return merge < IO_MERGES ? io_merge_name(merge) : NULL;
}

const char *blkt_link_name(unsigned int link)
{
	return link < IO_LINKS ? io_link_name(link) : NULL;
}

const char *blkt_ended_name(unsigned int ended)
{
	return ended < IO_ENDINGS ? io_ended_name(ended) : NULL;
}

const char *blkt_phase_name(unsigned int phase)
{
	return phase < IO_PHASES ? io_phase_name(phase) : NULL;
}
