/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of an I/O: a bio on one device, from its Q to its C.
 * request/joiner makes it from events when it is complete.
 *
 * A request is what the driver gets, with one I/O or several merged ones.  The
 * I/O that got it (G) leads it: records with rq == id stand for requests, those
 * of kind IO_BIO for what callers wait for.
 *
 * The phases of an I/O follow each other, and those it has add up to its total.
 * An absent value is not 0.
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
	IO_PART,		/* of a split I/O */
	IO_FLUSH,		/* the kernel's own flush request */
	IO_PASS,		/* a passthrough command */
	IO_KINDS
};

enum io_op {
	IO_READ,
	IO_WRITE,
	IO_DISCARD,
	IO_ZEROES,		/* from here on: version 8 or later */
	IO_FLUSH_OP,		/* category FLUSH, no bytes, not a write */
	IO_APPEND,
	IO_RESET,
	IO_RESET_ALL,
	IO_FINISH,
	IO_OPEN_ZONE,
	IO_CLOSE_ZONE,
	IO_OPS
};

/* how its request came to carry it, unless it got its own */
enum io_merge {
	IO_NOT_MERGED,
	IO_MERGED_BACK,
	IO_MERGED_FRONT,
	IO_MERGED_REQUEST,	/* with its request */
	IO_MERGED_SILENT,	/* without an event */
	IO_MERGES
};

/* what the parent is */
enum io_link {
	IO_NO_LINK,
	IO_REMAP,		/* the I/O above, on another device */
	IO_SPLIT,		/* the I/O that was split */
	IO_LINKS
};

enum io_ended {
	IO_ENDED_C,		/* completed */
	IO_ENDED_BELOW,		/* all below completed, without its own C */
	IO_ENDED_OPEN,		/* open at the trace's end */
	IO_ENDED_LOST,		/* its C was lost */
	IO_ENDED_EVICTED,	/* too many were open */
	IO_ENDINGS
};

/* in the order in which they occur */
enum io_phase {
	/*
	 * without requests: to its first remap; to the last C below; to its C
	 */
	IO_Q2A,
	IO_LOWER,
	IO_A2C,
	/* of a split one: to the split; until its last part was done */
	IO_Q2X,
	IO_X2C,
	/* of one in a request */
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
	IO_REST,		/* to C, with nothing seen in between */
	IO_PHASES
};

/* an absent time, sector or CPU */
#define IO_NONE UINT64_MAX
#define IO_NO_CPU UINT32_MAX
/* an absent distance */
#define IO_NO_SEEK INT64_MIN

/* time of a request at its device until it was requeued */
struct io_stay {
	uint64_t from, to;		/* D and R */
	const struct io_stay *before;	/* the one before, or NULL */
};

struct io {
	uint64_t id;		/* from 1, in order of first events */
	uint64_t parent;	/* id, or 0; link says what it is */
	uint64_t rq;		/* id of the lead of its request; 0: none */
	uint64_t flush, flush2;	/* id of the flush request before its data,
				 * or that ended it; of the one after; or 0 */

	enum io_kind kind;
	enum io_op op;
	enum io_link link;
	enum io_merge merge;
	enum io_ended ended;
	char birth;		/* first event seen: Q, X for a part, or if
				 * that was lost A G M F I D C */
	bool gap;		/* events were lost while it was open */
	bool bio_based;		/* device without requests: in flight itself */
	bool sure;		/* as far as the trace shows, its events
				 * cannot be another's */
	bool later;		/* open at the end of a window before the
				 * trace's end, so it may still complete */

	const struct device *disk;	/* of the first event */
	uint16_t origin;
	uint32_t device;	/* as recorded */
	uint64_t sector, bytes;	/* as queued */
	uint32_t categories;	/* of the first event */
	uint32_t pid, cpu;	/* of the first event */
	uint64_t cgroup;	/* of the first event; 0: none */
	uint16_t error;		/* errno of its C, or 0 */

	uint64_t time;		/* of its first event */
	uint64_t total;		/* from time to its end, if it ended by C or
				 * BELOW, else IO_NONE */
	uint64_t age;		/* else from time to the trace's end or until
				 * it was dropped; IO_NONE in joiner_open() */
	uint64_t issued;	/* last D of its request, or IO_NONE */
	uint64_t served;	/* when all of its request's bytes were done,
				 * of an issued lead; or IO_NONE */
	uint32_t has;		/* phases, as bits 1 << phase */
	uint64_t phase[IO_PHASES];	/* valid where that bit is set */
	uint64_t plug, zplug;	/* time in its process's plug, of G2I, G2D or
				 * M2D, and in a zone's, of Q2G or Q2M;
				 * IO_NONE */

	uint32_t issues, requeues;	/* number of D and R of its request */
	const struct io_stay *stays;	/* of a lead: the last, valid with
					 * the record; or NULL */
	uint64_t rq_bytes;	/* of the request, at its first D */
	uint32_t rq_ios;	/* I/Os in it at its end; 0: no request */
	uint32_t depth;		/* at the driver after its last D; 0: no D */
	uint32_t level;		/* I/Os at its device as it came, itself
				 * included; 0: not counted as one, or no
				 * joiner_watch_levels() */
	int64_t seek;		/* sectors from the end of the request issued
				 * before on the device to its own, both with
				 * bytes; IO_NO_SEEK: none, not a lead, not
				 * issued, or no joiner_want_seeks() */
	uint64_t done;		/* bytes of its C events */
	uint32_t cpu_d, cpu_c;	/* of the last D and C, or IO_NO_CPU */
	uint32_t children;	/* I/Os remapped from it */
	uint32_t events;	/* its events; each counts for one I/O */

	bool remapped;		/* the next two are set */
	uint32_t from_device;	/* where the topmost A came from: the device */
	uint64_t from_sector;	/* above, traced or not, or the partition */
	uint64_t at;		/* where an append was written, or IO_NONE */
};

/* whether it stands for its request */
static inline bool io_leads(const struct io *io)
{
	return io->rq == io->id;
}

/* whether it has a total */
static inline bool io_completed(const struct io *io)
{
	return io->ended <= IO_ENDED_BELOW;
}

/* whether its end is no time: imported, where no completion was measured; then
 * gap is set, too, and total is 0 */
static inline bool io_is_untimed(const struct io *io)
{
	return io_completed(io) && !io->has;
}

/* its end, or the time of its age; not for joiner_open() */
static inline uint64_t io_over(const struct io *io)
{
	return io->time + (io_completed(io) ? io->total : io->age);
}

/*
 * Whether it counts in a window: it completes there, is dropped, or is open
 * when the trace ends there.  Of consecutive windows exactly one has it: an end
 * at the start of one is in the one before.
 */
static inline bool io_in_window(const struct io *io, const struct window *w)
{
	uint64_t over = io_over(io);

	return (over > w->start || !w->start) && over <= w->end && !io->later;
}

/*
 * Writes the RWBS letters of its first event with a NUL; returns their number.
 */
unsigned int io_flags(const struct io *io, char text[RWBS_MAX]);

/* Names for output: "q2a" for a phase, "" for IO_NOT_MERGED and IO_NO_LINK. */
const char *io_kind_name(enum io_kind kind);
const char *io_op_name(enum io_op op);
const char *io_merge_name(enum io_merge merge);
const char *io_link_name(enum io_link link);
const char *io_ended_name(enum io_ended ended);
const char *io_phase_name(enum io_phase phase);

#endif
