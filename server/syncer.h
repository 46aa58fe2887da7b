/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that brings a file system's data to its disk, which may take
 * seconds, while the server serves.
 */
#ifndef SERVER_SYNCER_H
#define SERVER_SYNCER_H

#include <stdbool.h>

struct syncer {
	int fd;			/* readable once it has finished; -1: none */
	bool busy;
};

/* for the file system of an open directory; 0 or -errno.  An all-zero *s with
 * an fd of -1 is none */
int syncer_open(struct syncer *s, int directory);

/* starts to sync all that is written now; s must not be busy.  0 or -errno */
int syncer_begin(struct syncer *s);

/* Once fd is readable: 0 or -errno, of syncfs(2), which reports failed writes
 * since Linux 5.8. */
int syncer_end(struct syncer *s);

/* also ends the process */
void syncer_close(struct syncer *s);

#endif
