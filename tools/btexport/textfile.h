/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters for Prometheus (emit/prometheus.h) as an output: the functions of
 * its struct output_ops.  A file is written anew every so often, each time as a
 * whole, so that node_exporter's textfile collector never sees half of it.
 */
#ifndef TOOLS_BTEXPORT_TEXTFILE_H
#define TOOLS_BTEXPORT_TEXTFILE_H

#include "tools/btexport/output.h"

int textfile_begin(struct output *out);
int textfile_io(struct output *out, const struct named_io *io);
int textfile_quiet(struct output *out);
int textfile_end(struct output *out);
void textfile_free(struct output *out);

#endif
