/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines for a descriptor that may take none for a while: a pipe that nothing
 * reads, a stopped terminal.  Adding and writing never wait; what finds no
 * room is dropped and counted.
 */
#ifndef SERVER_SPOOL_H
#define SERVER_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	SPOOL_MAX = 8 << 20,	/* bytes that wait, at most */
	SPOOL_LINE = 128,	/* bytes of a line, at most */
	SPOOL_LAST_MS = 2000,	/* how long spool_close() waits */
};

struct spool {
	int fd;
	bool own_fd;		/* opened here */
	struct buf text;	/* grows; never written by itself */
	size_t written;		/* of text */
	uint64_t dropped;	/* lines */
	int error;		/* 0, or errno of the first write that failed */
};

/* lines to fd, which stays the caller's, -1: nowhere; 0 or -ENOMEM */
int spool_open(struct spool *s, int fd);

/*
 * Where to append up to so many lines, all of them at once and before the
 * next call on s; NULL: no room, they count as dropped.
 */
struct buf *spool_add(struct spool *s, unsigned int lines);

/* writes as much as the descriptor takes now */
void spool_write(struct spool *s);

/* what to poll for POLLOUT before the next spool_write(); -1: nothing waits */
int spool_fd(const struct spool *s);

/*
 * Writes what is left, and waits some seconds for a slow reader; the rest
 * counts as dropped.  Returns 0, or -errno of the first write that failed.
 */
int spool_close(struct spool *s);

#endif
