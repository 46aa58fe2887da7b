/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to standard output: one stream of whole records of all CPUs and
 * devices, interleaved.
 */
#ifndef CAPTURE_TO_SINK_PIPE_H
#define CAPTURE_TO_SINK_PIPE_H

struct capture_reporter;	/* capture/reporter.h */
struct sink;			/* capture/sink.h */

/* writes to fd, which the caller closes; NULL: no memory */
struct sink *sink_pipe_new(int fd, const struct capture_reporter *reporter);

#endif
