/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The watched files' bios as records in NAME.blktrace.CPU, by a capture like
 * blktrace's (capture/session.h).
 */
#ifndef TOOLS_IOTRACER_RECORDS_H
#define TOOLS_IOTRACER_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct records;

struct records_plan {
	struct bpf *bpf;	/* loaded; its files are on the watch list */
	const char *name;	/* may have a directory */
	uint32_t device;	/* of notes without a record */
	size_t ring;		/* bytes for each CPU */
};

/* starts recording; 0 or -errno, reported on stderr */
int records_start(struct records **r, const struct records_plan *plan);

/* readable once nothing more can be written */
int records_gone_fd(const struct records *r);

/* after detaching: writes the rest; 0 or -errno, reported */
int records_stop(struct records *r);

/* r may be NULL */
void records_free(struct records *r);

#endif
