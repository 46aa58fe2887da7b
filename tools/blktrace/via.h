/*
 * The way by which records come out of the kernel: relay files, or ftrace
 * where those are refused, or programs of ours if asked for.
 */
#ifndef TOOLS_BLKTRACE_VIA_H
#define TOOLS_BLKTRACE_VIA_H

#include <stdint.h>

#include "capture/doctor.h"

struct cpus;			/* capture/cpus.h */
struct options;			/* tools/blktrace/options.h */
struct tap;			/* capture/tap.h */
struct via;

struct via_ops {
	/*
	 * All up to the start, said on stderr where it fails.  -EOPNOTSUPP:
	 * this way is closed here, and another may be tried; v->why tells.
	 */
	int (*set_up)(struct via *v);
	/* a CPU's records, called in its thread */
	int (*open_tap)(struct via *v, uint32_t cpu, struct tap **t);
	int (*start)(struct via *v);
	/* 0; -ENODEV: a device has gone meanwhile, said on stderr */
	int (*stop)(struct via *v);
	/* dropped so far; NULL: only the end tells, by lost() */
	int (*dropped)(struct via *v, unsigned int device, uint64_t *n);
	/* dropped in all, once every tap is closed; NULL: dropped() knows */
	uint64_t (*lost)(struct via *v, unsigned int device);
	/* takes back all that set_up() did, and frees v */
	void (*tear_down)(struct via *v);
};

struct via {
	const struct via_ops *ops;
	const struct options *o;
	const struct cpus *cpus;
	const char **names;	/* the kernel's, by device; after set_up() */
	unsigned int count;
	char why[DOCTOR_TEXT];	/* it is closed; the doctor's words */
};

/* NULL: no memory */
struct via *via_relay(const struct options *o, const struct cpus *cpus);
struct via *via_ftrace(const struct options *o, const struct cpus *cpus);
struct via *via_bpf(const struct options *o, const struct cpus *cpus);

#endif
