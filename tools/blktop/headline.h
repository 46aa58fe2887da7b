/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the last minute's findings begin with, for the head of the screen.
 *
 * Another process finds it, in a copy of our memory: keys are handled meanwhile.
 */
#ifndef TOOLS_BLKTOP_HEADLINE_H
#define TOOLS_BLKTOP_HEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct past;			/* tools/blktop/past.h */
struct reader;			/* run/reader.h */

enum { HEADLINE_MAX = 1024 };

/* an all-zero one has no text and no process */
struct headline {
	char text[HEADLINE_MAX];	/* "sda: from 4.0 to ..."; "": none */
	pid_t child;		/* 0: none */
	int from_child;
	char coming[HEADLINE_MAX];	/* from it, so far */
	size_t len;
	uint64_t due;		/* the next look, time_now() */
};

/* Every ten seconds looks at the minute before to, ns of the events' times; and
 * takes what was found.  Returns whether the text has changed. */
bool headline_look(struct headline *h, const struct past *past,
		   const struct reader *reader, uint64_t to);

/* ends its process */
void headline_end(struct headline *h);

#endif
