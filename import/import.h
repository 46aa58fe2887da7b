/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of other programs, read into events.
 *
 * A format is a row of import/formats.c.  It reads its file from a source,
 * which is unpacked, once and in order, in bounded memory, and hands over
 * events in order of time.  Files have faults: what cannot be read is reported,
 * counted and passed over.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;			/* record/record.h */
struct source;			/* file/source.h */

enum {
	IMPORT_NAME = 32,	/* bytes of a device's name, with its NUL */
	IMPORT_WHY = 160,	/* of a message */
};

/* what is known of a recording; texts are valid while import_to.about() runs */
struct import_about {
	const char *from;	/* "perf.data", "MSR Cambridge" */
	const char *lacks;	/* "no plug or merge events", or NULL */
	const char *tool;	/* that recorded it, and its version; or NULL */
	const char *command;	/* the tool's, as far as it is known, or NULL */
	const char *clock;	/* that its times are of, or NULL */
	const char *host, *kernel;	/* or NULL */
	uint32_t cpus;		/* 0: unknown */
	bool wall;		/* times are ns since 1970 */
};

/* Receives a recording.  Functions that return an int return 0, or -errno, with
 * which the format ends. */
struct import_to {
	/* first, and again when more is known */
	int (*about)(void *ctx, const struct import_about *about);
	/* a device's name, before its first event */
	int (*device)(void *ctx, uint32_t number, const char *name);
	/* what a process is called from now on */
	int (*process)(void *ctx, uint32_t pid, const char *name, size_t len);
	/* An event: time, sector, bytes, action with its categories, pid,
	 * device, cpu, error, payload and pdu_len are set. */
	int (*event)(void *ctx, const struct event *ev);
	/* the recorder lost this many events of a CPU, at most, before then */
	int (*lost)(void *ctx, uint32_t cpu, uint64_t events);
	/*
	 * Something cannot be read, and is passed over: in text at a line and
	 * column, from 1, else at a byte (line 0).
	 */
	void (*fault)(void *ctx, uint64_t line, uint64_t at, const char *why);
	/* what is odd about the recording, of which nothing is passed over */
	void (*remark)(void *ctx, const char *why);
	void *ctx;
};

struct import_options {
	const char *columns;	/* of a table's lines, see import/columns.h */
	const char *format;	/* blkparse's -f of a text, or NULL */
};

struct import_format {
	const char *name;	/* for --from */
	const char *words;	/* for people: "MSR Cambridge" */
	/* whether a file that begins so, len bytes of it, is one; NULL: cannot
	 * be known */
	bool (*is)(const struct import_format *f, const char *begin,
		   size_t len);
	/* reads all of it; 0, or -errno: of the source, of the receiver;
	 * -EILSEQ: packed data is broken; -EBADMSG: no such file, reported by
	 * fault() */
	int (*read)(const struct import_format *f, struct source *s,
		    const struct import_options *o, const struct import_to *to);
	const void *data;	/* of the format */
};

#endif
