/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The facts for a page, gathered while ios come.
 */
#ifndef REPORT_GATHERING_H
#define REPORT_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/caches.h"
#include "findings/words.h"
#include "report/commit_panel.h"
#include "report/page.h"
#include "run/window.h"
#include "stat/coverage.h"
#include "stat/facts.h"

struct capacity;		/* capacity/capacity.h */
struct damage;			/* file/hooks.h */
struct device;			/* run/device.h */
struct findings;		/* findings/findings.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */

/* which ios count */
struct gathering_options {
	struct window window;	/* of their completions */
	const char *const *devices;	/* by name or number: only these, */
	size_t device_count;	/* or all if 0 */
	uint64_t size;		/* bytes of the page's data, as text */
	bool capacity;		/* what devices can do */
	bool cache;		/* what caches would serve, in blocks of 4 KiB, */
	bool fifo;		/* by S3-FIFO, too */
};

struct gathering {
	const struct gathering_options *o;
	struct ios *ios;
	struct report *report;
	struct findings *findings;
	struct capacity *capacity;	/* of all devices, or NULL */
	struct coverages coverages;
	struct caches caches;
	struct facts facts;	/* after the end */
	struct finding_names names;
	struct commit_panel commits;

	struct report_gap *gaps;	/* the first of them */
	size_t gap_count, gap_size;
	uint64_t missing;	/* records, when the last gap was added */
	char **damage;		/* lines about the first places */
	size_t damage_count, damage_size;
	size_t damages;		/* all of them */

	/* the device of the last question, and whether it is wanted */
	const struct device *disk;
	bool wanted;
	bool *seen;		/* for each of o's devices: an io has it */
};

/* 0 or -ENOMEM; *g and o must not move; ios, about to be read, stay the
 * caller's */
int gathering_init(struct gathering *g, const struct gathering_options *o,
		   struct ios *ios);

/* whether an io counts on the page */
bool gathering_has(struct gathering *g, const struct io *io);

/* the next io; 0 or -ENOMEM */
int gathering_add(struct gathering *g, const struct io *io);

/* a fault of the input */
void gathering_add_damage(struct gathering *g, const struct damage *d);

/* no more ios; 0 or -ENOMEM */
int gathering_end(struct gathering *g);

/* whether the traces have number i of o's devices; without an io it is known by
 * name only */
bool gathering_knows(const struct gathering *g, size_t i);

void gathering_free(struct gathering *g);

#endif
