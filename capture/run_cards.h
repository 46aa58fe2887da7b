/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cards of a run: NAME.blktrace.json for each device, as machine/card reads
 * it and blktrace(5) describes it.
 *
 * A card is written when tracing starts, and replaced at the end with one that
 * has the clock of then.  The first reserves space for the second, which on a
 * disk filled by records is written over it.  Failures are reported, and do not
 * stop the capture.
 */
#ifndef CAPTURE_RUN_CARDS_H
#define CAPTURE_RUN_CARDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct audit_result;		/* capture/audit.h */
struct buf;			/* base/buf.h */
struct capture_reporter;	/* capture/reporter.h */
struct cgroup_names;		/* capture/cgroup_names.h */
struct run_cards;
struct sink;			/* capture/sink.h */
struct totals_cpu;		/* capture/totals.h */

struct run_cards_options {
	const char *program;	/* "blktrace 1.0" */
	const char *const *words;	/* of the command line */
	unsigned int word_count;
	const char *via;	/* the way out of the kernel */
	bool joined;		/* one record per I/O came that way */
	unsigned int record_version;	/* 0: unknown */
	const char *base;	/* in place of the device's name, or NULL */
	bool serial;		/* include serial numbers */
	struct cgroup_names *cgroups;	/* to include, or NULL */
	const struct capture_reporter *reporter;
};

/* How a device's part of a run ended. */
struct run_cards_end {
	const char *cause;	/* "signal", "stopwatch", "error" */
	const struct totals_cpu *cpus;
	unsigned int cpu_count;
	uint64_t dropped;
	uint64_t time;		/* ns, the records' clock; 0: unknown */
	const struct audit_result *audit;	/* or NULL */
	bool sent;		/* to a server, with --spool */
	uint64_t undelivered, undelivered_bytes;	/* did not reach it */
};

/* describes the machine and its clock; 0 and *c, or -ENOMEM */
int run_cards_new(struct run_cards **c, const struct run_cards_options *o);

/* describes a device; indexes are in order of calls, from 0.  0 or -ENOMEM */
int run_cards_add(struct run_cards *c, const char *name, dev_t dev);

/* writes all cards to a sink that stores files aside, or else (s may be NULL)
 * into a directory (NULL: here), and where that fails removes the old one; from
 * any thread, like run_cards_complete() */
void run_cards_begin(const struct run_cards *c, const char *directory,
		     struct sink *s);

/* adds a device's end, once no thread writes any more; 0 or -ENOMEM */
int run_cards_finish(struct run_cards *c, unsigned int device,
		     const struct run_cards_end *end);

/* writes the last cards there; before run_cards_finish() without the run's end,
 * for a directory or sink of a run that continues in another */
void run_cards_complete(const struct run_cards *c, const char *directory,
			struct sink *s);

/* a device's name by its index; NULL: no more */
const char *run_cards_name(const struct run_cards *c, unsigned int device);

/* the text of run_cards_begin() or run_cards_complete(), at most CARD_BYTES; 0
 * and *b, the caller's to free; or -errno */
int run_cards_text(const struct run_cards *c, unsigned int device,
		   bool complete, struct buf *b);

/* c may be NULL, also above */
void run_cards_free(struct run_cards *c);

#endif
