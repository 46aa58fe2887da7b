/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of a trace that waited for the disk, each with what it waited for
 * (commit/commit.h).  iotracer --commits leaves the calls in the trace as
 * messages; without them the journal commits and flushes themselves are divided.
 *
 * Memory is 5 MiB, up to 8 MiB more for a call that very many writes overlap, and
 * the paths of at most COMMITS_FILES files.
 */
#ifndef COMMIT_COMMITS_H
#define COMMIT_COMMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "commit/commit.h"

struct commits;
struct event;			/* record/record.h */
struct io;			/* request/io.h */

enum { COMMITS_FILES = 1 << 16 };	/* with a path */

struct commits_options {
	/* a process's name by its id, as known so far, or NULL */
	const char *(*name)(const void *ctx, uint16_t origin, uint32_t pid);
	const void *name_ctx;
	/* takes each; 0, or an error that is passed on */
	int (*take)(void *ctx, const struct commit *c);
	void *ctx;
};

/* 0 and *c, or -ENOMEM */
int commits_new(struct commits **c, const struct commits_options *o);

/* Functions that return int return 0, -ENOMEM or what take() returned. */

/* each message of the trace, in order of time with the I/Os' ends */
int commits_message(struct commits *c, const struct event *ev);

/* Records are missing from here on (begins), or up to here. */
void commits_gap(struct commits *c, bool begins);

/* each I/O, in order of ends */
int commits_io(struct commits *c, const struct io *io);

/* no I/O comes any more that ended earlier; ns */
int commits_until(struct commits *c, uint64_t time);

/* the end */
int commits_end(struct commits *c);

/* whether the trace has calls; known after its first event, if iotracer made it */
bool commits_has_calls(const struct commits *c);

/* a file's path, as known now, or NULL */
const char *commits_path(const struct commits *c, uint16_t origin,
			 uint32_t file);

/* NULL is fine */
void commits_free(struct commits *c);

#endif
