/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of records out of the kernel: relay files, ftrace where those are
 * refused, or our BPF programs on request.
 */
#ifndef CAPTURE_VIA_H
#define CAPTURE_VIA_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/doctor.h"
#include "capture/kernel.h"

struct cpus;			/* capture/cpus.h */
struct capture_reporter;	/* capture/reporter.h */
struct tap;			/* capture/tap.h */
struct via;

enum via_kind {
	VIA_AUTO,		/* relay files, else ftrace */
	VIA_RELAY,
	VIA_FTRACE,
	VIA_BPF,
};

struct via_plan {		/* what to capture */
	const char *const *devices;	/* paths */
	unsigned int count;
	const char *debugfs;	/* expected mount point */
	struct kernel_setup setup;
	bool tries_ftrace;	/* if relay files are closed; session sets it */
	bool joined;		/* by eBPF: one record for an I/O's events */
	const struct capture_reporter *reporter;	/* the session's */
};

struct via_ops {
	const char *name;	/* as --via names it */
	/*
	 * All before the start; 0 or -errno, reported.  -EOPNOTSUPP: this way
	 * is closed here, the caller may try another; v->why has the reason.
	 */
	int (*set_up)(struct via *v);
	/* in the CPU's thread; 0 or -errno, reported */
	int (*open_tap)(struct via *v, uint32_t cpu, struct tap **t);
	int (*start)(struct via *v);
	/* 0; -ENODEV: a device has gone, reported */
	int (*stop)(struct via *v);
	/* dropped so far; NULL: known only at the end, by lost() */
	int (*dropped)(struct via *v, unsigned int device, uint64_t *n);
	/* dropped in all, after all taps are closed; NULL: use dropped() */
	uint64_t (*lost)(struct via *v, unsigned int device);
	/* undoes set_up(), and frees v */
	void (*tear_down)(struct via *v);
};

struct via {
	const struct via_ops *ops;
	const struct via_plan *plan;	/* the caller's */
	const struct cpus *cpus;	/* the online ones; the session's */
	const char **names;	/* the kernel's, by device; after set_up() */
	unsigned int count;
	unsigned int version;	/* of records; 0: unknown; set_up() sets it */
	bool takes_marks;	/* the kernel writes them: blktrace --mark */
	char why[DOCTOR_TEXT];	/* the doctor's reason why it is closed */
};

/* requested for all devices, per CPU */
static inline uint64_t via_buffer_bytes(const struct via *v)
{
	const struct kernel_setup *want = &v->plan->setup;

	return (uint64_t)want->buf_size * want->buf_nr * v->count;
}

/* NULL: no memory; the plan must stay valid until tear_down() */
struct via *via_relay(const struct via_plan *plan);
struct via *via_ftrace(const struct via_plan *plan);
struct via *via_bpf(const struct via_plan *plan);
struct via *via_joined(const struct via_plan *plan);

#endif
