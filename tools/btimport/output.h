/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an imported trace goes, as a sink: files, a packed file, or a stream.
 *
 * Files are written to the directory NAME, as NAME/sda.blktrace.0.  If all are of
 * one device they become NAME.blktrace.0 at the end.
 */
#ifndef TOOLS_BTIMPORT_OUTPUT_H
#define TOOLS_BTIMPORT_OUTPUT_H

#include <stdbool.h>

#include "base/place.h"

struct btimport_options;	/* tools/btimport/options.h */
struct sink;			/* capture/sink.h */

struct output {
	struct sink *sink;
	bool stream;		/* records must be in order of time */
	struct place place;	/* of a packed file */
};

/* whether nothing is in its way; call it before the sandbox.  Reported */
bool output_is_free(const struct btimport_options *o);

/* false: reported */
bool output_open(struct output *out, const struct btimport_options *o);

/* completes and closes it; false: reported */
bool output_close(struct output *out);

#endif
