/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libblktrace: reads traces of the block layer.
 *
 * Add names to a reader; it then returns one by one events as the kernel
 * recorded them, or I/Os (ios), which are joined from events.  There are no
 * callbacks.  Calls return 0 or more, or a negative errno, of which
 * blkt_error() has a text.  A reader must be used by one thread at a time;
 * readers are independent.
 *
 * Every struct starts with its size and grows only at its end.  The caller sets
 * the size of its own structs; a struct of the library has a field if its size
 * includes it.
 *
 * Texts and structs belong to the library.  Words (BLKT_OP_READ's "read") are
 * always valid; names of processes, hosts and disks until blkt_close(); an
 * event, an I/O and what they point to until the next call with their reader.
 *
 * Times are ns from the first event of the trace, sectors are 512 bytes.  Names
 * of processes and disks, and messages, are bytes from a trace: escape control
 * characters before showing them on a terminal.
 *
 * The library is under the GNU General Public License, version 2, and so are
 * programs that link it.
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

/* no number, time or sector */
#define BLKT_NONE UINT64_MAX
#define BLKT_NONE32 UINT32_MAX
/* no distance */
#define BLKT_NO_SEEK INT64_MIN
/* for blkt_lost(): all disks */
#define BLKT_ALL UINT32_MAX

/* of a device number in a record */
#define BLKT_MAJOR(dev) ((dev) >> 20)
#define BLKT_MINOR(dev) ((dev) & ((1u << 20) - 1))

/* bytes of RWBS letters, with a NUL */
#define BLKT_RWBS_SIZE 16

/* --- readers -------------------------------------------------------------- */

/* All zeros except the size: all events of all devices. */
struct blkt_options {
	uint32_t size;		/* of this struct, set by the caller */
	uint32_t ios;		/* 0: read events; 1: I/Os */
	const char *directory;	/* prepended to names; or NULL */
	/* only these: names of disks, or "8:0"; NULL: all */
	const char *const *devices;
	size_t device_count;
	/* only events in this time, or I/Os that end in it; end 0: all */
	uint64_t start, end;
	uint32_t quiet_ms;	/* silence of a pipe before -EAGAIN; 0: half a
				 * second */
	uint32_t reserved;	/* 0 */
};

/*
 * 0 and *r; -ENOMEM; -EINVAL: wrong size, or reserved is not 0; -E2BIG: an
 * option that this library does not know is set.  options may be NULL; all is
 * copied.
 */
int blkt_open(struct blkt_reader **r, const struct blkt_options *options);

/*
 * Adds what a name means: a device that has files, one of them, a directory, a
 * dump, a FIFO, "-" for standard input.  0; -ENOENT: nothing has that name;
 * -EISDIR: a directory without a trace; -EBUSY: reading has started; or -errno.
 */
int blkt_add(struct blkt_reader *r, const char *name);

/* frees r and all that it has returned; NULL is fine */
void blkt_close(struct blkt_reader *r);

/* the last failure: a name and a reason; "" if there was none; valid until the
 * next failure */
const char *blkt_error(const struct blkt_reader *r);

/* the meaning of a negative errno of this library; always valid */
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
#define BLKT_NOTE (1u << 10)	/* a message, of no request */
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
	uint32_t size;		/* of this struct, set by the library */
	uint32_t sequence;	/* per device and CPU */
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint32_t action;	/* BLKT_ACTION() and BLKT_CATEGORIES() of it */
	uint32_t pid;
	uint32_t device;	/* BLKT_MAJOR(), BLKT_MINOR() */
	uint32_t cpu;
	uint16_t error;		/* BLKT_ERROR() */
	uint16_t payload_size;	/* bytes at payload */
	uint32_t more_categories;
	uint8_t version;	/* of the record's layout */
	uint8_t swapped;	/* 1: recorded in the other byte order */
	uint16_t host;		/* from 0 */
	const void *payload;	/* as recorded: blkt_event_payload() */
	const void *lane;	/* the library's */
};

/* the action, enum blkt_action or another number; or the number of a note */
#define BLKT_ACTION(event) ((event)->action & 0xfeffu)
/* the categories: BLKT_WRITE and so on */
#define BLKT_CATEGORIES(event) \
	((event)->action >> 16 | (event)->more_categories << 16)
/* errno of a completion, or 0 */
#define BLKT_ERROR(event) ((0x10000 - (event)->error) & 0xffff)

/*
 * 1: *event is the next, in time order.  0: the end.  -EAGAIN: a pipe is
 * silent; -EINTR: a signal, or much was read without an event: call again.
 * -EINVAL: the reader returns ios.  Any other -errno is the end, too.
 */
int blkt_next_event(struct blkt_reader *r, const struct blkt_event **event);

/* the letters of the action ("Q"), "m" of a message, or NULL; always valid */
const char *blkt_event_action(const struct blkt_event *event);

/* renders the kind of request ("WS"); returns text */
const char *blkt_event_rwbs(const struct blkt_event *event,
			    char text[BLKT_RWBS_SIZE]);

/* the origin of a remap (A): 0; -ENODATA: another event */
int blkt_event_remap(const struct blkt_event *event, uint32_t *device,
		     uint64_t *sector);

/* the number of an unplug (requests) or a split (sector): 0; -ENODATA: none */
int blkt_event_number(const struct blkt_event *event, uint64_t *number);

/* the number of its disk, from 0, in order of appearance */
uint32_t blkt_event_disk(const struct blkt_event *event);

/* the id of its cgroup; 0: not recorded */
uint64_t blkt_event_cgroup(const struct blkt_event *event);

/* the *length bytes after the record and its cgroup id; never NULL */
const void *blkt_event_payload(const struct blkt_event *event, size_t *length);

/* the *length bytes of a message, without a NUL; NULL: another event */
const char *blkt_event_message(const struct blkt_event *event, size_t *length);

/* --- ios ------------------------------------------------------------------ */

enum blkt_kind {
	BLKT_KIND_IO,		/* of a process */
	BLKT_KIND_PART,		/* of an I/O that was split */
	BLKT_KIND_FLUSH,	/* the kernel's own flush */
	BLKT_KIND_PASS		/* a passthrough command */
};

enum blkt_op {
	BLKT_OP_READ,
	BLKT_OP_WRITE,
	BLKT_OP_DISCARD,
	BLKT_OP_ZEROES,
	BLKT_OP_FLUSH,
	BLKT_OP_APPEND,
	BLKT_OP_RESET,
	BLKT_OP_RESET_ALL,
	BLKT_OP_FINISH,
	BLKT_OP_OPEN_ZONE,
	BLKT_OP_CLOSE_ZONE
};

/* how it was merged into another I/O's request */
enum blkt_merge {
	BLKT_MERGE_NONE,
	BLKT_MERGE_BACK,
	BLKT_MERGE_FRONT,
	BLKT_MERGE_REQUEST,	/* with its whole request */
	BLKT_MERGE_SILENT	/* without an event */
};

/* its parent */
enum blkt_link {
	BLKT_LINK_NONE,
	BLKT_LINK_REMAP,	/* the I/O remapped to this one */
	BLKT_LINK_SPLIT		/* the I/O that this one is a part of */
};

enum blkt_ended {
	BLKT_ENDED_C,		/* completed */
	BLKT_ENDED_BELOW,	/* by the completion of all I/Os below it */
	BLKT_ENDED_OPEN,	/* in flight at the end of the trace */
	BLKT_ENDED_LOST,	/* its completion was lost */
	BLKT_ENDED_EVICTED	/* too many I/Os were open */
};

/* bits of blkt_io.has and numbers for blkt_io_phase(); more may come */
enum blkt_phase {
	BLKT_PHASE_Q2A,
	BLKT_PHASE_LOWER,
	BLKT_PHASE_A2C,
	BLKT_PHASE_Q2X,
	BLKT_PHASE_X2C,
	BLKT_PHASE_Q2G,
	BLKT_PHASE_Q2M,
	BLKT_PHASE_PREFLUSH,
	BLKT_PHASE_G2M,
	BLKT_PHASE_G2I,
	BLKT_PHASE_G2D,
	BLKT_PHASE_I2D,
	BLKT_PHASE_M2D,
	BLKT_PHASE_REQUEUE,
	BLKT_PHASE_D2C,
	BLKT_PHASE_POSTFLUSH,
	BLKT_PHASE_REST
};

/*
 * A bio on one device from its first event to its end, joined by the rules in
 * doc/requests.md.  A request carries one or more I/Os; the one with rq == id
 * leads it and stands for it.
 */
struct blkt_io {
	uint32_t size;		/* of this struct, set by the library */
	uint32_t kind;		/* enum blkt_kind, and so on */
	uint32_t op;
	uint32_t link;
	uint32_t merge;
	uint32_t ended;
	uint64_t id;		/* from 1, in the order of first events */
	uint64_t parent;	/* id, or 0; see link */
	uint64_t rq;		/* id of its request's lead, or 0 */
	uint64_t flush, flush2;	/* id of the flush before its data, or that
				 * ended it; and of the flush after it; or 0 */
	uint32_t disk;		/* as of events */
	uint32_t device;
	uint64_t sector, bytes;	/* as queued */
	uint32_t pid;		/* of the first event */
	uint32_t categories;	/* of the first event */
	uint64_t cgroup;	/* of the first event; 0: none */
	uint16_t host;
	uint16_t error;		/* errno of its completion, or 0 */
	uint8_t birth;		/* the letter of its first event */
	uint8_t gap;		/* 1: events were lost while it was open */
	uint8_t sure;		/* 1: none of its events fits another I/O */
	uint8_t reserved;

	uint64_t time;		/* of its first event */
	uint64_t total;		/* from there to its end, or BLKT_NONE */
	uint64_t issued;	/* time of its request's last issue, or
				 * BLKT_NONE */
	uint64_t served;	/* of a lead: time of its whole request's
				 * completion, or BLKT_NONE */
	uint64_t plug, zplug;	/* ns in the process's and in a zone's plug, or
				 * BLKT_NONE */
	uint32_t has;		/* phases: bit 1 << enum blkt_phase */
	uint32_t phase_count;	/* length of phase */
	const uint64_t *phase;	/* ns, valid if its bit is set */

	uint32_t cpu;		/* of the first event */
	uint32_t issue_cpu, complete_cpu;	/* or BLKT_NONE32 */
	uint32_t issues, requeues;	/* of its request */
	uint32_t rq_ios;	/* I/Os of its request; 0: no request */
	uint64_t rq_bytes;	/* of its request at the first issue */
	uint32_t depth;		/* requests in flight at its last issue, with
				 * this one; 0: not issued */
	uint32_t children;	/* I/Os remapped from it */
	int64_t seek;		/* sectors from the end of the request issued
				 * before, or BLKT_NO_SEEK; only of a lead */
	uint64_t done;		/* bytes of its completions */
	uint64_t at;		/* sector where an append was written, or
				 * BLKT_NONE */
	uint64_t from_sector;	/* the uppermost origin of a remap, or */
	uint32_t from_device;	/* BLKT_NONE and BLKT_NONE32 */
	uint32_t events;	/* its events */
	uint64_t age;		/* without a total: from its first event to the
				 * end of the trace or window, or until it was
				 * dropped; else BLKT_NONE */
};

/*
 * 1: *io is the next, in the order of ends.  Else as blkt_next_event();
 * -EINVAL: the reader returns events.
 */
int blkt_next_io(struct blkt_reader *r, const struct blkt_io **io);

/* as blkt_event_rwbs(), of its first event */
const char *blkt_io_rwbs(const struct blkt_io *io, char text[BLKT_RWBS_SIZE]);

/* ns of a phase, or BLKT_NONE */
uint64_t blkt_io_phase(const struct blkt_io *io, unsigned int phase);

/*
 * Words as in btexport's tables: "read", "back", "q2g"; "" for BLKT_MERGE_NONE
 * and BLKT_LINK_NONE, NULL for other numbers.  Always valid.
 */
const char *blkt_kind_name(unsigned int kind);
const char *blkt_op_name(unsigned int op);
const char *blkt_merge_name(unsigned int merge);
const char *blkt_link_name(unsigned int link);
const char *blkt_ended_name(unsigned int ended);
const char *blkt_phase_name(unsigned int phase);

/* --- names, clock, loss --------------------------------------------------- */

/* the name of a process as known so far, or NULL */
const char *blkt_process(const struct blkt_reader *r, uint16_t host,
			 uint32_t pid);

/* the name by which a disk was added; NULL: it only has its number */
const char *blkt_disk(const struct blkt_reader *r, uint32_t disk);

/* the name of a machine, by its card or a directory, or NULL */
const char *blkt_host(const struct blkt_reader *r, uint16_t host);

/* the time of day at a time of the trace, in ns since 1970: 0; -ENODATA:
 * unknown so far */
int blkt_wall(struct blkt_reader *r, uint64_t time, int64_t *unix_ns);

struct blkt_loss {
	uint32_t size;		/* of this struct, set by the caller */
	uint32_t reserved;
	uint64_t gaps;		/* in the sequence numbers */
	uint64_t missing;	/* events in gaps or dropped by the kernel */
	uint64_t dropped;	/* the kernel's count of dropped events */
	uint64_t late;		/* events of pipes out of order; of BLKT_ALL */
	uint64_t damages;	/* damaged places in the input; of BLKT_ALL */
};

/* what is missing so far of a disk, or of BLKT_ALL: 0, and size is that of the
 * fields set; -EINVAL: wrong size; -ENOENT: no such disk */
int blkt_lost(struct blkt_reader *r, uint32_t disk, struct blkt_loss *loss);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
