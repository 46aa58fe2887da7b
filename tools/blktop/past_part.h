/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A part of the last events as a trace of its own: a directory with a file for
 * each CPU of a device, as blktrace writes them, so that every program reads
 * it.  Those of several machines are in a directory each below it.
 *
 * Times stay: ns since the first event of the run.  Each file begins with the
 * time of day, where that is known, and has the name of a process before its
 * first event.  Records are those of version 7, or 8, in this machine's byte
 * order.  Numbers of events stay, so that holes can be seen, where they are
 * each CPU's.
 */
#ifndef TOOLS_BLKTOP_PAST_PART_H
#define TOOLS_BLKTOP_PAST_PART_H

#include <stdint.h>

struct opener;			/* base/opener.h */
struct past;			/* tools/blktop/past.h */
struct reader;			/* run/reader.h */

struct past_part {
	const struct past *past;
	const struct reader *reader;	/* that the events are from */
	uint64_t from, to;	/* of this time, both inside */
	const struct opener *opener;	/* makes all of it, or NULL */
};

/*
 * Makes dir, which is whole or not there, and must not be; *events is how many
 * are in it.  0, -ENODATA: there is none of that time, or another -errno.
 */
int past_part_write(const struct past_part *e, const char *dir,
		    uint64_t *events);

#endif
