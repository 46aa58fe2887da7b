/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of a file that is watched: its last lines, kept by the kernel.
 */
#ifndef TOOLS_IOTRACER_LOG_H
#define TOOLS_IOTRACER_LOG_H

#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_line;		/* bpf/layout.h */

/* makes the log of a file, with room for so many lines; 0 or -errno */
int log_new(struct bpf *b, uint32_t file, uint64_t room);

void log_remove(struct bpf *b, uint32_t file);

/* lines that it holds now */
uint64_t log_get_count(const struct bpf *b, uint32_t file);

/*
 * Its lines in order of time, to be freed: their number, or -errno.  What the
 * kernel overwrites meanwhile is left out.
 */
int64_t log_read(const struct bpf *b, uint32_t file, struct bpf_line **lines);

/* forgets all lines there are */
void log_reset(struct bpf *b, uint32_t file);

#endif
