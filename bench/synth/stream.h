/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one CPU wrote about one disk: whole version 7 records, buffered on
 * their way to a file or to standard output.
 */
#ifndef BENCH_SYNTH_STREAM_H
#define BENCH_SYNTH_STREAM_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "blktrace.h"

/* a record's header as it lies in a file of this machine's byte order */
struct record {
	uint32_t magic;
	uint32_t sequence;
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint32_t action;
	uint32_t pid;
	uint32_t device;
	uint32_t cpu;
	uint16_t error;
	uint16_t payload_size;
};
static_assert(sizeof(struct record) == BLK_HEADER_7, "no padding");

enum { STREAM_BUFFER = 64 * 1024 };

struct stream {
	int fd;			/* the opener's to close */
	uint32_t sequence;	/* of the last event */
	size_t used;
	uint8_t data[STREAM_BUFFER];
};

/*
 * Adds a record and its payload.  Only whole ones go into a buffer, so every
 * write is whole records.
 */
void stream_add(struct stream *s, const struct record *r, const void *payload);

/*
 * Writes all that is buffered, or dies.  A reader that goes away ends us by
 * SIGPIPE, as it should.
 */
void stream_write(struct stream *s);

#endif
