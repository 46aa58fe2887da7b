/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recorded traces, handed to a sink as the threads of a capture would: by and
 * by each CPU brings what has come.  There is one in a process; mistakes end
 * it.
 */
#ifndef TESTS_ROTATE_RECORDED_H
#define TESTS_ROTATE_RECORDED_H

#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"

struct capture_reporter;	/* capture/reporter.h */
struct sink;			/* capture/sink.h */

/* reports lines as a program prints them */
extern const struct capture_reporter recorded_reporter;

/* All of a directory's traces, into memory; how many lanes there are.  Exits
 * with status 2 where they are none of this machine's byte order, version 7 or
 * 8. */
size_t recorded_open(const char *dir);

/* of all its records */
size_t recorded_bytes(void);

/* the clock of the records, in any thread; on 2026-11-20, whenever they were
 * made; before they are fed: that of the first event */
struct notes_stamp recorded_now(void);

/* opens the lanes */
void recorded_begin(struct sink *s);

/* all of it; every step ns of its time each CPU is looked at */
void recorded_feed(struct sink *s, uint64_t step);

/* closes the lanes */
void recorded_end(struct sink *s);

void recorded_free(void);

#endif
