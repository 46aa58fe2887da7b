/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of every request, as text in one file (-p), and as times alone in
 * <dev>_pit.dat (-P); both a block or line for each completion.
 */
#ifndef TOOLS_BTT_FILES_REQUESTS_H
#define TOOLS_BTT_FILES_REQUESTS_H

#include <stdint.h>

struct datafile;		/* tools/btt/datafile.h */
struct event;			/* record/record.h */
struct request;			/* tools/btt/requests.h */
struct requests;

/* -p: one of the requests that completion completes */
void lives_add(struct datafile *f, const struct request *r,
	       const struct event *completion);

/* -p: there are no more of it */
void lives_end(struct datafile *f);

/* -P: the line for a completion, of those that requests_within() has found */
void trees_add(struct datafile *f, const struct requests *found,
	       const struct event *completion);

#endif
