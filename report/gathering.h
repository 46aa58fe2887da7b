/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a page needs of a run: gathered while ios come, and known in the end.
 */
#ifndef REPORT_GATHERING_H
#define REPORT_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/words.h"
#include "report/page.h"
#include "run/window.h"
#include "stat/coverage.h"
#include "stat/facts.h"

struct damage;			/* file/hooks.h */
struct device;			/* run/device.h */
struct findings;		/* findings/findings.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */

/* which ios it is about */
struct gathering_options {
	struct window window;	/* they complete there */
	const char *const *devices;	/* by name or number; only these, */
	size_t device_count;	/* or with 0 all */
	uint64_t size;		/* bytes of the page's data, as text */
};

struct gathering {
	const struct gathering_options *o;
	struct ios *ios;
	struct report *report;
	struct findings *findings;
	struct coverages coverages;
	struct facts facts;	/* when it has ended */
	struct finding_names names;

	struct report_gap *gaps;	/* the first of them */
	size_t gap_count, gap_size;
	uint64_t missing;	/* records, when the last gap was added */
	char **damage;		/* lines about the first places */
	size_t damage_count, damage_size;
	size_t damages;		/* all of them */

	/* the device that was asked for last, and whether it is wanted */
	const struct device *disk;
	bool wanted;
	bool *seen;		/* for each of o's devices: an io has it */
};

/* 0 or -ENOMEM; *g and o stay where they are, and ios the caller's, which are
 * about to be read */
int gathering_init(struct gathering *g, const struct gathering_options *o,
		   struct ios *ios);

/* whether an io is one that the page is about */
bool gathering_has(struct gathering *g, const struct io *io);

/* the next io; 0 or -ENOMEM */
int gathering_add(struct gathering *g, const struct io *io);

/* something in the input is not as it should be */
void gathering_add_damage(struct gathering *g, const struct damage *d);

/* no more ios; 0 or -ENOMEM */
int gathering_end(struct gathering *g);

/* whether the traces have number i of o's devices; with no io it counts by its
 * name, as that of a file has no number then */
bool gathering_knows(const struct gathering *g, size_t i);

void gathering_free(struct gathering *g);

#endif
