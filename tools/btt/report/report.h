/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report: its frame.  The sections in it are in sections.h.
 */
#ifndef TOOLS_BTT_REPORT_REPORT_H
#define TOOLS_BTT_REPORT_REPORT_H

struct outputs;			/* tools/btt/outputs.h */
struct state;			/* tools/btt/state.h */

/* all of it, to where *out says; state_end() has been called */
void report_write(struct state *s, struct outputs *out);

#endif
