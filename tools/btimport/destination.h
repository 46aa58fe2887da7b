/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an imported trace goes, as a sink: files, a packed file, or a stream.
 *
 * Files are written to the directory NAME, as NAME/sda.blktrace.0.  If all are
 * of one device they become NAME.blktrace.0 at the end.
 */
#ifndef TOOLS_BTIMPORT_DESTINATION_H
#define TOOLS_BTIMPORT_DESTINATION_H

#include <stdbool.h>

#include "base/place.h"

struct btimport_options;	/* tools/btimport/options.h */
struct sink;			/* capture/sink.h */

struct destination {
	struct sink *sink;
	bool stream;		/* records must be in order of time */
	struct place place;	/* of a packed file */
};

/* whether nothing is in its way; call it before the sandbox.  Reported */
bool destination_is_free(const struct btimport_options *o);

/* false: reported */
bool destination_open(struct destination *out,
		      const struct btimport_options *o);

/* completes and closes it; false: reported */
bool destination_close(struct destination *out);

#endif
