/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is conspicuous about the last events: they are joined once more, and
 * btstat's rules tried on them.
 */
#ifndef TOOLS_BLKTOP_REMARKS_H
#define TOOLS_BLKTOP_REMARKS_H

#include <stdint.h>

struct past;			/* tools/blktop/past.h */
struct reader;			/* run/reader.h */

/*
 * Lines of at most width columns, about ios that ended from one time to another
 * (or were lost, or were open then); reader is the events'.  Times are shown so
 * many ns later.  The caller's to free; NULL: no memory.
 */
char *remarks_text(const struct past *p, const struct reader *reader,
		   uint64_t from, uint64_t to, uint64_t later,
		   unsigned int width);

#endif
