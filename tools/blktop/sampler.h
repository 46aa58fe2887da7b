/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ios in, a sample for each interval of time out.  An io counts in the
 * interval in which it ended.
 */
#ifndef TOOLS_BLKTOP_SAMPLER_H
#define TOOLS_BLKTOP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/blktop/sample.h"

struct io;			/* request/io.h */
struct filter;			/* expr/filter.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */
struct sampler;

struct sampler_options {
	enum group_key keys[SAMPLE_TABLES];	/* a table for each */
	unsigned int key_count;
	uint64_t from, interval;	/* when the first begins; not 0; ns */
	/* how many intervals one waits for requests which began in it and are
	 * under way still, before its depth is a lower bound: below 64 */
	unsigned int wait;
	bool for_people;	/* names are escaped for a terminal */
	const struct reader *reader;	/* knows names and losses */
	const struct ios *ios;	/* what is open counts in the depth; or NULL */
	struct filter *filter;	/* ... if it passes; with ios */
};

/* 0 and *s; -ENOMEM */
int sampler_new(struct sampler **s, const struct sampler_options *o);

/*
 * 1: *sample is the next, the caller's to free; 0: none is over at now yet;
 * -ENOMEM.  All that was at a device before settled has been added, as
 * stat/series has it.
 */
int sampler_next(struct sampler *s, uint64_t settled, uint64_t now,
		 struct sample **sample);

/* the same for those that are left, when the trace is over at end */
int sampler_last(struct sampler *s, uint64_t end, struct sample **sample);

/*
 * An io that completed, or is open at the end of the trace or window: then only
 * in the depth, as long as that is sure.  sampler_next() has returned 0 for a time that is not
 * earlier than its end.  counted: else only its request is, where it was at
 * the device.  0 or -ENOMEM.
 */
int sampler_add(struct sampler *s, const struct io *io, bool counted);

/* NULL is fine */
void sampler_free(struct sampler *s);

#endif
