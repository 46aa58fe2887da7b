/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io: a bio on one device, from its Q to its C, with all that happened to
 * it.  One is made of a trace's events by request/joiner and is complete: what
 * it has does not change any more.
 *
 * A request is what the driver gets; it carries one io or, after merges,
 * several.  The io that got the request (G) leads it: rows with rq == id stand
 * for requests, those of kind IO_BIO for what callers wait for.
 *
 * An io goes through phases: each begins where the one before it ended, so
 * that those that it has add up to its total.  What is absent is not 0.
 *
 * Times are ns since the trace's first event, spans ns, sectors 512 bytes.
 */
#ifndef REQUEST_IO_H
#define REQUEST_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "record/action.h"
#include "run/window.h"

struct device;			/* run/device.h */

enum io_kind {
	IO_BIO,
	IO_PART,		/* of one that was split */
	IO_FLUSH,		/* the kernel's own flush request */
	IO_PASS,		/* a passthrough command */
	IO_KINDS
};

enum io_op {
	IO_READ,
	IO_WRITE,
	IO_DISCARD,
	IO_ZEROES,		/* this and what follows from version 8 on */
	IO_FLUSH_OP,		/* category FLUSH, no bytes, not a write */
	IO_APPEND,
	IO_RESET,
	IO_RESET_ALL,
	IO_FINISH,
	IO_OPEN_ZONE,
	IO_CLOSE_ZONE,
	IO_OPS
};

/* how its request came to carry it, if it did not get one of its own */
enum io_merge {
	IO_NOT_MERGED,
	IO_MERGED_BACK,
	IO_MERGED_FRONT,
	IO_MERGED_REQUEST,	/* with its whole request */
	IO_MERGED_SILENT,	/* without an event */
	IO_MERGES
};

/* what parent is */
enum io_link {
	IO_NO_LINK,
	IO_REMAP,		/* the io above, on another device */
	IO_SPLIT,		/* the whole that it is a part of */
	IO_LINKS
};

enum io_ended {
	IO_ENDED_C,		/* completed */
	IO_ENDED_BELOW,		/* all below completed, without a C of its own */
	IO_ENDED_OPEN,		/* open at the trace's end */
	IO_ENDED_LOST,		/* its C was lost */
	IO_ENDED_EVICTED,	/* too many were open */
	IO_ENDINGS
};

/* in the order in which they can follow each other */
enum io_phase {
	/* of a device that makes no requests: to its first remap; until all
	 * below was done; to its own C */
	IO_Q2A,
	IO_LOWER,
	IO_A2C,
	/* of one that was split: to the cut; until its last part was done */
	IO_Q2X,
	IO_X2C,
	/* of what rides in a request */
	IO_Q2G,
	IO_Q2M,
	IO_PREFLUSH,
	IO_G2M,
	IO_G2I,
	IO_G2D,
	IO_I2D,
	IO_M2D,
	IO_REQUEUE,		/* first to last D */
	IO_D2C,
	IO_POSTFLUSH,
	IO_REST,		/* to C, and nothing was seen in between */
	IO_PHASES
};

/* a time, sector or CPU that is not there */
#define IO_NONE UINT64_MAX
#define IO_NO_CPU UINT32_MAX
/* a distance that is not there */
#define IO_NO_SEEK INT64_MIN

/* a time of a request at its device that did not end it: it was sent back */
struct io_stay {
	uint64_t from, to;		/* its D and R */
	const struct io_stay *before;	/* the stay before, or NULL */
};

struct io {
	uint64_t id;		/* from 1, in the order of birth */
	uint64_t parent;	/* id, or 0; what it is says link */
	uint64_t rq;		/* id of its request's lead; 0: it had none */
	uint64_t flush, flush2;	/* id of the flush request before its data, or
				 * that ended it; and of that behind; or 0 */

	enum io_kind kind;
	enum io_op op;
	enum io_link link;
	enum io_merge merge;
	enum io_ended ended;
	char birth;		/* what was seen first: Q, X for a part, or,
				 * when that was lost, A G M F I D C */
	bool gap;		/* events were lost while it was open */
	bool bio_based;		/* its device makes no requests, as far as was
				 * seen: it has ios in flight */
	bool sure;		/* each of its events could be about no other
				 * io, as far as the trace shows */
	bool later;		/* open at the end of a window that the trace
				 * goes on after: it may complete there */

	const struct device *disk;	/* whose event was first */
	uint16_t origin;
	uint32_t device;	/* as recorded */
	uint64_t sector, bytes;	/* as queued */
	uint32_t categories;	/* of the first event */
	uint32_t pid, cpu;	/* of the first event */
	uint64_t cgroup;	/* the same; 0: none */
	uint16_t error;		/* errno of its C, or 0 */

	uint64_t time;		/* of its first event */
	uint64_t total;		/* from there to its end, if it ended by C or
				 * BELOW, else IO_NONE */
	uint64_t age;		/* if it did not: from there to the trace's end,
				 * or until it was given up; else IO_NONE, and
				 * of those that joiner_open() shows */
	uint64_t issued;	/* time of its request's last D, or IO_NONE */
	uint64_t served;	/* when all of its request's bytes were done, of
				 * a lead that was issued; or IO_NONE */
	uint32_t has;		/* phases: bit 1 << phase */
	uint64_t phase[IO_PHASES];	/* where that bit is set */
	uint64_t plug, zplug;	/* held in the pid's plug, of G2I, G2D or M2D,
				 * and in a zone's, of Q2G or Q2M; IO_NONE */

	uint32_t issues, requeues;	/* D and R events of its request */
	const struct io_stay *stays;	/* of a lead: the last of those, good as
					 * long as the record; or NULL */
	uint64_t rq_bytes;	/* of the request, at its first D */
	uint32_t rq_ios;	/* ios in it, at its end; 0: no request */
	uint32_t depth;		/* requests at the driver behind its last D,
				 * with it; 0: it had no D */
	int64_t seek;		/* sectors from the end of what was issued on
				 * the device before to where its request began,
				 * both with bytes; IO_NO_SEEK: nothing was, it
				 * is not the lead, was not issued, or
				 * joiner_want_seeks() was not called */
	uint64_t done;		/* bytes of the C events counted to it */
	uint32_t cpu_d, cpu_c;	/* of the last D and C, or IO_NO_CPU */
	uint32_t children;	/* ios remapped from it */
	uint32_t events;	/* counted to it: each event is once */

	bool remapped;		/* what follows is there */
	uint32_t from_device;	/* where the topmost A came from: the upper */
	uint64_t from_sector;	/* device, traced or not, or the partition */
	uint64_t at;		/* where an append was written, or IO_NONE */
};

/* whether it stands for its request */
static inline bool io_leads(const struct io *io)
{
	return io->rq == io->id;
}

/* whether it went all its way: it has a total */
static inline bool io_completed(const struct io *io)
{
	return io->ended <= IO_ENDED_BELOW;
}

/* when it ended, or was open for the last time: not of joiner_open()'s */
static inline uint64_t io_over(const struct io *io)
{
	return io->time + (io_completed(io) ? io->total : io->age);
}

/*
 * Whether it counts in a window: it completes there, or is given up, or the
 * trace ends there while it is open.  Windows that follow each other share
 * none: one that begins at a time has what ends after it.
 */
static inline bool io_in_window(const struct io *io, const struct window *w)
{
	uint64_t over = io_over(io);

	return (over > w->start || !w->start) && over <= w->end && !io->later;
}

/* the RWBS letters of its first event, NUL terminated; their number */
unsigned int io_flags(const struct io *io, char text[RWBS_MAX]);

/*
 * The words for these in files and tables, or "" for IO_NOT_MERGED and
 * IO_NO_LINK; of phases "q2a", without a unit.
 */
const char *io_kind_name(enum io_kind kind);
const char *io_op_name(enum io_op op);
const char *io_merge_name(enum io_merge merge);
const char *io_link_name(enum io_link link);
const char *io_ended_name(enum io_ended ended);
const char *io_phase_name(enum io_phase phase);

#endif
