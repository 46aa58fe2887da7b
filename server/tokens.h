/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs that may be resumed: a file .runs/TOKEN for each, below the server's
 * directory, with the name of the run's directory and its sender.  It outlives
 * connections and servers; what else there is to know are the lengths of the
 * run's files.
 */
#ifndef SERVER_TOKENS_H
#define SERVER_TOKENS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "net.h"

struct tokens;

enum {
	/* s that the file is kept after the run's end, as the sender may not
	 * have heard of it, */
	TOKENS_ENDED = 24 * 3600,
	/* or after a sender without an end has left */
	TOKENS_LEFT = 30 * TOKENS_ENDED,

	TOKENS_NAME = 128,	/* of a directory or sender, with its NUL */
};

struct token_run {
	char directory[TOKENS_NAME];
	char sender[TOKENS_NAME];
	/* since it was left, this machine has been started anew: its files may
	 * have what was never written */
	bool rebooted;
	bool ended;
};

/* directory: the store's descriptor; now, here and below: s of a clock that nobody
 * sets.  0 and *t, or -errno */
int tokens_open(struct tokens **t, int directory, time_t now);

/* For others than the server, who change nothing: whether a directory of a store,
 * directory, is that of a run without an end.  0 or -errno */
int tokens_look(int directory, const char *name, bool *resumable);

/* the descriptor of .runs, open as long as t */
int tokens_directory(const struct tokens *t);

/* what is known of a run, valid until the next call; NULL: nothing.  Its time
 * counts from now */
const struct token_run *tokens_find(struct tokens *t,
				    const uint8_t token[FRAME_TOKEN],
				    time_t now);

/* adds a run, or replaces what is known of it; 0 or -errno */
int tokens_add(struct tokens *t, const uint8_t token[FRAME_TOKEN],
	       const char *directory, const char *sender, time_t now);

/* the files have what their sender knows; 0 or -errno */
int tokens_checked(struct tokens *t, const uint8_t token[FRAME_TOKEN]);

/* the run has ended; 0 or -errno */
int tokens_end(struct tokens *t, const uint8_t token[FRAME_TOKEN], time_t now);

/* whether a directory is that of a run without an end */
bool tokens_has(const struct tokens *t, const char *directory);

/* forgets old runs; call now and then */
void tokens_tidy(struct tokens *t, time_t now);

void tokens_free(struct tokens *t);	/* t may be NULL */

#endif
