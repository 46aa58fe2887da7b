/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libblktrace: traces of the block layer, read by programs.
 *
 * A reader has names added to it and then hands out what they mean, one by one:
 * events as the kernel recorded them, or ios, which are events joined.  There
 * are no callbacks.  Calls return 0 or more, or a negative errno of which
 * blkt_error() has a text.  A reader is used by one thread at a time; readers
 * have nothing in common.
 *
 * Every struct begins with its size and only ever grows at its end.  The caller
 * sets the size of those that are its own; a field of one that the library
 * hands out is there if the size is behind it.
 *
 * Texts and structs are the library's.  Words (BLKT_OP_READ's "read") stay for
 * ever; names of processes, hosts and disks until blkt_close(); an event, an io
 * and what they point to until the next call with their reader.
 *
 * Times are ns from the first event of the trace, sectors 512 bytes.  Names of
 * processes and disks, and messages, are bytes from a trace: whoever shows them
 * on a terminal looks after control characters.
 *
 * The library is under the GNU General Public License, version 2, and so is
 * what links it.
 */
#ifndef BLKTRACE_READER_H
#define BLKTRACE_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct blkt_reader;

/* a number, time or place that is not there; the same of 32 bits */
#define BLKT_NONE UINT64_MAX
#define BLKT_NONE32 UINT32_MAX
/* a distance that is not there */
#define BLKT_NO_SEEK INT64_MIN
/* of blkt_lost(): all disks */
#define BLKT_ALL UINT32_MAX

/* a device as records have it: its major and minor number */
#define BLKT_MAJOR(dev) ((dev) >> 20)
#define BLKT_MINOR(dev) ((dev) & ((1u << 20) - 1))

/* letters of RWBS, with a NUL */
#define BLKT_RWBS_SIZE 16

/* --- readers -------------------------------------------------------------- */

/* All zeros but for the size: all events of all devices. */
struct blkt_options {
	uint32_t size;		/* of this struct, the caller's */
	uint32_t ios;		/* 0: events are wanted; 1: ios */
	const char *directory;	/* put in front of names; NULL: none */
	/* only these: names of disks, or "8:0"; NULL: all */
	const char *const *devices;
	size_t device_count;
	/* only what happened from then on, and up to then: an io if that is
	 * where it ended; end 0: to the end */
	uint64_t start, end;
	uint32_t quiet_ms;	/* -EAGAIN when a pipe was silent so long; 0:
				 * half a second */
	uint32_t reserved;	/* 0 */
};

/*
 * 0 and *r; -ENOMEM; -EINVAL: the options' size is none, or reserved is not 0;
 * -E2BIG: they have something that this library does not know.  options may be
 * NULL; they and what they point to are copied.
 */
int blkt_open(struct blkt_reader **r, const struct blkt_options *options);

/*
 * Adds what a name means: a device whose files are there, one of them, a
 * directory, a dump, a FIFO, "-" for standard input.  0; -ENOENT: there is
 * nothing of that name; -EBUSY: reading has begun; or -errno.
 */
int blkt_add(struct blkt_reader *r, const char *name);

/* frees r and all that it handed out; NULL is fine */
void blkt_close(struct blkt_reader *r);

/* what the last call that failed was about, and why; "" if none has: until the
 * next that fails */
const char *blkt_error(const struct blkt_reader *r);

/* what a negative errno of this library means; it stays */
const char *blkt_strerror(int error);

/* --- events --------------------------------------------------------------- */

/* actions of events; more may come */
enum blkt_action {
	BLKT_ACTION_QUEUE = 1,
	BLKT_ACTION_BACKMERGE,
	BLKT_ACTION_FRONTMERGE,
	BLKT_ACTION_GETRQ,
	BLKT_ACTION_SLEEPRQ,
	BLKT_ACTION_REQUEUE,
	BLKT_ACTION_ISSUE,
	BLKT_ACTION_COMPLETE,
	BLKT_ACTION_PLUG,
	BLKT_ACTION_UNPLUG_IO,
	BLKT_ACTION_UNPLUG_TIMER,
	BLKT_ACTION_INSERT,
	BLKT_ACTION_SPLIT,
	BLKT_ACTION_BOUNCE,
	BLKT_ACTION_REMAP,
	BLKT_ACTION_ABORT,
	BLKT_ACTION_DRIVER_DATA,
	BLKT_ACTION_ZONE_PLUG,
	BLKT_ACTION_ZONE_UNPLUG
};

/* bits of categories; more may come */
#define BLKT_READ (1u << 0)
#define BLKT_WRITE (1u << 1)
#define BLKT_FLUSH (1u << 2)
#define BLKT_SYNC (1u << 3)
#define BLKT_FS (1u << 8)
#define BLKT_PC (1u << 9)
#define BLKT_NOTE (1u << 10)	/* no request's: a message */
#define BLKT_AHEAD (1u << 11)
#define BLKT_META (1u << 12)
#define BLKT_DISCARD (1u << 13)
#define BLKT_FUA (1u << 15)
#define BLKT_ZONE_APPEND (1u << 16)
#define BLKT_ZONE_RESET (1u << 17)
#define BLKT_ZONE_RESET_ALL (1u << 18)
#define BLKT_ZONE_FINISH (1u << 19)
#define BLKT_ZONE_OPEN (1u << 20)
#define BLKT_ZONE_CLOSE (1u << 21)
#define BLKT_WRITE_ZEROES (1u << 22)

struct blkt_event {
	uint32_t size;		/* of this struct, the library's */
	uint32_t sequence;	/* by device and CPU */
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint32_t action;	/* enum blkt_action, or another number; if it is
				 * a note that of the note */
	uint32_t pid;
	uint32_t device;	/* BLKT_MAJOR(), BLKT_MINOR() */
	uint32_t cpu;
	uint16_t error;		/* errno, or 0 */
	uint16_t payload_size;	/* bytes at payload */
	uint32_t categories;
	uint16_t host;		/* from 0 on */
	uint16_t version;	/* of the record's layout */
	const void *payload;	/* as recorded, without a cgroup's id */
	uint64_t cgroup;	/* its id; 0: not recorded */
	uint32_t disk;		/* from 0 on, in the order of appearance */
	uint32_t reserved;
};

/*
 * 1: *event is the next, in order of time.  0: the end.  -EAGAIN: a pipe has
 * been silent; -EINTR: a signal came, or much was read without an event: call
 * again.  -EINVAL: the reader is for ios.  Any other -errno is the end, too.
 */
int blkt_next_event(struct blkt_reader *r, const struct blkt_event **event);

/* the letters of its action ("Q"), "m" of a message; NULL: it has none.  They
 * stay. */
const char *blkt_event_action(const struct blkt_event *event);

/* the letters of what kind of request it is ("WS"), to the caller's text, which
 * is returned */
const char *blkt_event_rwbs(const struct blkt_event *event,
			    char text[BLKT_RWBS_SIZE]);

/* where a remapped one (A) came from: 0; -ENODATA: it is none */
int blkt_event_remap(const struct blkt_event *event, uint32_t *device,
		     uint64_t *sector);

/* the number of an unplug (requests) or a split (sector): 0; -ENODATA: it has
 * none */
int blkt_event_number(const struct blkt_event *event, uint64_t *number);

/* the text of a message, *length bytes without a NUL; NULL: it is none */
const char *blkt_event_message(const struct blkt_event *event, size_t *length);

/* --- names, clock, loss --------------------------------------------------- */

/* the name of a process, as far as it is known by now; NULL */
const char *blkt_process(const struct blkt_reader *r, uint16_t host,
			 uint32_t pid);

/* what a disk was called when it was added; NULL: it only has its number */
const char *blkt_disk(const struct blkt_reader *r, uint32_t disk);

/* what a machine is called: by its card, its directory, or its trace's; NULL:
 * there is none of that number */
const char *blkt_host(const struct blkt_reader *r, uint16_t host);

/* the time of day at a time of the trace, in ns since 1970: 0; -ENODATA: not
 * known yet */
int blkt_wall(struct blkt_reader *r, uint64_t time, int64_t *unix_ns);

struct blkt_loss {
	uint32_t size;		/* of this struct, the caller's */
	uint32_t reserved;
	uint64_t gaps;		/* in the numbers of events */
	uint64_t missing;	/* events in these, and that the kernel dropped */
	uint64_t dropped;	/* the kernel's own count of what it dropped */
	uint64_t late;		/* events of pipes out of order; of BLKT_ALL */
	uint64_t damages;	/* places that could not be read; of BLKT_ALL */
};

/* what is missing so far of a disk, or of BLKT_ALL: 0, and the size is what both
 * know of it; -EINVAL: the size is none; -ENOENT: there is no such disk */
int blkt_lost(struct blkt_reader *r, uint32_t disk, struct blkt_loss *loss);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
