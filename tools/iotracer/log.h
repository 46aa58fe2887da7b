/* SPDX-License-Identifier: GPL-2.0-only */
/* A watched file's log: its last lines, kept by the kernel. */
#ifndef TOOLS_IOTRACER_LOG_H
#define TOOLS_IOTRACER_LOG_H

#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_line;		/* bpf/layout.h */

/* makes a file's log of that many lines; 0 or -errno */
int log_new(struct bpf *b, uint32_t file, uint64_t room);

void log_remove(struct bpf *b, uint32_t file);

/* lines held now */
uint64_t log_get_count(const struct bpf *b, uint32_t file);

/* its lines in order of time, the caller's to free, without those overwritten
 * meanwhile; returns their number, or -errno */
int64_t log_read(const struct bpf *b, uint32_t file, struct bpf_line **lines);

/* forgets all lines */
void log_reset(struct bpf *b, uint32_t file);

#endif
