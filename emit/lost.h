/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In words what is known to be lost of a run.
 */
#ifndef EMIT_LOST_H
#define EMIT_LOST_H

#include <stddef.h>

struct facts;			/* stat/facts.h */

enum { LOST_MAX = 512 };	/* bytes of the longest text, with its NUL */

/*
 * "23018 of 48008 records (48%): up to 5825 ios are not measured", or "none
 * (no drops reported, sequence numbers complete)"; then which CPU's file ends
 * before the trace ("CPU 1 ends 5.000 s before the trace"), damage, and records
 * that came too late.  Without f->ios, of a run of events, nothing is said of
 * ios.
 */
void lost_text(char text[LOST_MAX], const struct facts *f);

#endif
