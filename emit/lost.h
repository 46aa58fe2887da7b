/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The known losses of a run, in words.
 */
#ifndef EMIT_LOST_H
#define EMIT_LOST_H

#include <stddef.h>

struct facts;			/* stat/facts.h */

enum { LOST_MAX = 512 };	/* bytes of the longest text, with its NUL */

/*
 * "23018 of 48008 records (48%): up to 5825 I/Os are not measured", or "none
 * (no drops reported, sequence numbers complete)"; then CPUs whose files end
 * before the trace ("CPU 1 ends 5.000 s before the trace"), damage, and records
 * that came too late.  Without f->ios, I/Os are not mentioned.
 */
void lost_text(char text[LOST_MAX], const struct facts *f);

#endif
