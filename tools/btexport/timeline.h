/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace of Perfetto's as an output: the functions of its struct output_ops.
 */
#ifndef TOOLS_BTEXPORT_TIMELINE_H
#define TOOLS_BTEXPORT_TIMELINE_H

#include "tools/btexport/output.h"

/* more ios than these may be too many for a browser: the end says so */
enum { TIMELINE_IOS = 2000000 };

int timeline_begin(struct output *out);
int timeline_io(struct output *out, const struct named_io *io);
int timeline_leave_out(struct output *out, const struct io *io);
int timeline_quiet(struct output *out);
int timeline_end(struct output *out);
void timeline_free(struct output *out);

#endif
