/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The payloads of records: queue depths, sectors, devices, commands, text,
 * after a cgroup id on newer kernels.  Every function accepts payloads that are
 * too short.
 */
#ifndef RECORD_PAYLOAD_H
#define RECORD_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blk_seal;		/* blktrace.h */
struct event;			/* record/record.h */

/* the payload without its cgroup id; *len is its length, maybe 0 */
const uint8_t *payload_body(const struct event *ev, size_t *len);

/* the two words of the cgroup id, as a little-endian machine shows them; false:
 * it has none */
bool payload_cgroup(const struct event *ev, uint32_t *ino, uint32_t *gen);

/* the number of an unplug (queue depth) or split (new sector); false, and 0: it
 * has none */
bool payload_number(const struct event *ev, uint64_t *value);

struct remap {
	uint32_t from, to;	/* devices */
	uint64_t sector;	/* on the device it came from */
};

/* false, and all 0: too short */
bool payload_remap(const struct event *ev, struct remap *r);

/* the time of day of a time stamp note; false unless it has 8 bytes */
bool payload_clock(const struct event *ev, uint32_t *sec, uint32_t *nsec);

/*
 * blktrace's message "blktrace: N dropped since S.NS": the kernel has dropped N
 * events of this device since the trace started, those that the last message
 * does not count after *since, in ns of the recording machine's clock; 0: the
 * message has no time, as in release 1.0.0.  false: another message.
 */
bool payload_dropped(const struct event *ev, uint64_t *n, uint64_t *since);

/*
 * The audit's message "blktrace: N events missing since S.NS": about N events
 * of this device were not recorded since the trace started, in addition to
 * those of payload_dropped().  *since as there.  false: another message.
 */
bool payload_missing(const struct event *ev, uint64_t *n, uint64_t *since);

/* calls that wait for the disk */
enum sync_kind {
	SYNC_CALL_FSYNC,
	SYNC_CALL_FDATASYNC,
	SYNC_CALL_RANGE,	/* sync_file_range */
	SYNC_CALL_MSYNC,
	SYNC_CALL_WRITE,	/* by O_SYNC, O_DSYNC, RWF_SYNC or RWF_DSYNC */
	SYNC_CALLS
};

/* their names, "fsync" */
extern const char sync_call_names[SYNC_CALLS][16];

/* one that has returned; its thread is the message's process id, its end the
 * message's time */
struct sync_call {
	enum sync_kind kind;
	uint64_t duration;	/* ns */
	uint32_t process;	/* id of the thread's process */
	uint32_t file;		/* a number, named by another message */
};

enum { SYNC_CALL_TEXT = 96 };	/* bytes of its message, at most, with a NUL */

/* writes iotracer's message "iotracer: fsync of file F by N: D ns" */
void sync_call_text(char text[SYNC_CALL_TEXT], const struct sync_call *c);

/* false: another message */
bool payload_sync_call(const struct event *ev, struct sync_call *c);

/* before the file's path in iotracer's message "iotracer: file F: PATH" */
#define SYNC_FILE_TEXT "iotracer: file %lu: "

/* which path a file has from now on, not ended by a NUL; false: another message */
bool payload_sync_file(const struct event *ev, uint32_t *file,
		       const char **path, size_t *len);

/* what an imported trace lacks, where that changes what its times mean */
#define IMPORTED_RESPONSE "response times only"	/* D is at Q's time */
#define IMPORTED_NO_RESPONSE "no response times"	/* C, too */

enum imported_times {
	IMPORTED_ALL,		/* those that events have */
	IMPORTED_WHOLE,		/* from Q to C only */
	IMPORTED_NONE,
};

struct imported {
	const char *text;	/* "perf.data: no plug or merge events" */
	size_t len;
	enum imported_times times;
};

/* btimport's message "blktrace: imported from TEXT", before a device's first
 * event.  false: another message. */
bool payload_imported(const struct event *ev, struct imported *of);

/* A seal: the size of a CPU's stream up to here; longer payloads are fine.
 * false: no seal. */
bool payload_seal(const struct event *note, struct blk_seal *s);

#endif
