/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cards of a run: NAME.blktrace.json for each device, as machine/card reads
 * it and blktrace(5) describes it.
 *
 * A card is written when tracing begins, and again in the end, with the clock
 * as it is then; the second takes the place of the first at once.  The first
 * takes the space for it, so that it can be written on a disk that the records
 * have filled; then it is written over the first.  What cannot be written is
 * reported, and no reason to stop: the records are there.
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
struct totals_cpu;		/* capture/totals.h */

struct run_cards_options {
	const char *program;	/* "blktrace 1.0" */
	const char *const *words;	/* of the command line */
	unsigned int word_count;
	const char *via;	/* the way out of the kernel */
	unsigned int record_version;	/* 0: not known */
	const char *base;	/* in place of the device's name, or NULL */
	bool serial;		/* serial numbers may be written down */
	struct cgroup_names *cgroups;	/* those known by the time that a card
					 * is written are in it; or NULL */
	const struct capture_reporter *reporter;
};

/* How a device's part of a run ended. */
struct run_cards_end {
	const char *cause;	/* "signal", "stopwatch", "error" */
	const struct totals_cpu *cpus;
	unsigned int cpu_count;
	uint64_t dropped;
	uint64_t time;		/* ns, the records' clock; 0: not known */
	const struct audit_result *audit;	/* or NULL: there was none */
};

/* looks at the machine and its clock now; 0 and *c, or -ENOMEM */
int run_cards_new(struct run_cards **c, const struct run_cards_options *o);

/* looks at a device; its index from 0 is the order of calls.  0 or -ENOMEM */
int run_cards_add(struct run_cards *c, const char *name, dev_t dev);

/*
 * Writes all cards into a directory, NULL: where we are; or takes an old one
 * away.  From any thread, like the next but one.
 */
void run_cards_begin(const struct run_cards *c, const char *directory);

/* how a device's part of the run has ended, when no thread writes any more;
 * 0 or -ENOMEM */
int run_cards_finish(struct run_cards *c, unsigned int device,
		     const struct run_cards_end *end);

/* writes all again: this directory gets nothing more.  Before
 * run_cards_finish() it is one of several, and how the run ends is unknown. */
void run_cards_complete(const struct run_cards *c, const char *directory);

/* the name of a device by its index; NULL: there are no more */
const char *run_cards_name(const struct run_cards *c, unsigned int device);

/*
 * A card as run_cards_begin() would write it now, or run_cards_complete(), at
 * most CARD_BYTES.  0 and *b, the caller's to free; or -errno.
 */
int run_cards_text(const struct run_cards *c, unsigned int device,
		   bool complete, struct buf *b);

/* c may be NULL, also above */
void run_cards_free(struct run_cards *c);

#endif
