/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is conspicuous about a trace: rules, tried for each device on what its
 * ios show.  The rules are in rules.c; what they look at is gathered while ios
 * pass, in bounded memory: a few histograms and tables, and a sliding list of
 * the 1,024 requests that ended last (recent.h).
 *
 * Not looked at: devices beyond the first 256, and ios that end more than 52
 * days after the trace's first event.
 */
#ifndef FINDINGS_FINDINGS_H
#define FINDINGS_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "findings/facts.h"
#include "findings/finding.h"

struct device;			/* run/device.h */
struct findings;
struct io;			/* request/io.h */

enum { FINDINGS_DEVICES = 256 };

/*
 * 0 and *f, or -ENOMEM.  names is passed to name(), which may be NULL.  Names
 * and the devices that ios tell of must outlive the findings.
 */
int findings_new(struct findings **f, findings_name *name, const void *names);

/* the next io, in the order in which they end; 0, or -ENOMEM */
int findings_io(struct findings *f, const struct io *io);

/* copied; 0, or -ENOMEM.  Any time before the end. */
int findings_device(struct findings *f, const struct device *disk,
		    const struct findings_facts *facts);

/*
 * No more ios: those were all from this time to that one, ns since the trace's
 * first event.  The second is the end of the trace, which may be later than its
 * last event: so old are the ios that are open then.  Tries the rules; 0, or -ENOMEM.
 */
int findings_end(struct findings *f, uint64_t from, uint64_t to);

/* after the end: how many were found, and with those that were not */
size_t findings_count(const struct findings *f);
size_t findings_tried(const struct findings *f);

/*
 * The i-th, i below findings_tried(), good until f is freed: first what was
 * found, the gravest first and of these what took most time; then, for who
 * wants the evidence, what was silent or absent.
 */
const struct finding *findings_get(const struct findings *f, size_t i);

/* of what was found: the gravest of a rule, or NULL if there is none */
const struct finding *findings_first(const struct findings *f,
				     enum finding_rule rule);

/* frees f; NULL is fine */
void findings_free(struct findings *f);

#endif
