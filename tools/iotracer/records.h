/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records in NAME.blktrace.CPU, by a capture like blktrace's (capture/session.h):
 * of the watched files' bios; or of all I/Os of their disks, with the calls that
 * wait for these.
 */
#ifndef TOOLS_IOTRACER_RECORDS_H
#define TOOLS_IOTRACER_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct calls;			/* tools/iotracer/calls.h */
struct records;

struct records_plan {
	struct bpf *bpf;	/* loaded; its files are on the watch list */
	const char *name;	/* may have a directory; NULL: to out, whole records
				 * of all CPUs */
	int out;
	uint32_t device;	/* of notes without a record */
	struct calls *calls;	/* NULL: of the files' bios only */
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
