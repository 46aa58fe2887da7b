/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to a directory that an opener makes: a file for each device and CPU,
 * and cards.  Files that are all of one device leave it at the end.
 */
#ifndef TOOLS_BTIMPORT_FOLDER_SINK_H
#define TOOLS_BTIMPORT_FOLDER_SINK_H

struct capture_reporter;	/* capture/reporter.h */
struct opener;			/* base/opener.h */
struct sink;			/* capture/sink.h */

/* All three must outlive the sink.  0 and *s, or -errno. */
int folder_sink_new(struct sink **s, const struct opener *o, const char *path,
		    const struct capture_reporter *reporter);

#endif
