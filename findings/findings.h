/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings about a trace: rules tried on each device.  Evidence is gathered
 * while ios pass, in bounded memory: histograms, tables, and the 1,024 requests
 * that ended last (recent.h).
 *
 * Ignored: devices after the first 256, and ios that end more than 52 days
 * after the trace's first event.
 */
#ifndef FINDINGS_FINDINGS_H
#define FINDINGS_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"

struct device;			/* run/device.h */
struct findings;
struct io;			/* request/io.h */

enum { FINDINGS_DEVICES = 256 };

/*
 * 0 and *f, or -ENOMEM.  names is passed to name(), which may be NULL.  Names
 * and devices of ios must outlive the findings.
 */
int findings_new(struct findings **f, findings_name *name, const void *names);

/* the next io, in the order of their ends; 0, or -ENOMEM */
int findings_io(struct findings *f, const struct io *io);

/* copied; 0, or -ENOMEM.  Any time before the end. */
int findings_device(struct findings *f, const struct device *disk,
		    const struct findings_facts *facts);

/*
 * No more ios: tries the rules.  from and to are the start and end of the
 * trace, ns since its first event; to may be after its last event, and ages of
 * open ios are measured there.  0, or -ENOMEM.
 */
int findings_end(struct findings *f, uint64_t from, uint64_t to);

/* after the end: the number found; and tried, found or not */
size_t findings_count(const struct findings *f);
size_t findings_tried(const struct findings *f);

/*
 * The i-th, i below findings_tried(), valid until f is freed: those found, by
 * severity and then by lost time; then silent and absent ones, for their
 * evidence.
 */
const struct finding *findings_get(const struct findings *f, size_t i);

/* How many of those found are headlines: what makes I/O slow or wrong, or the
 * trace untrue.  They come first, and there are at most three. */
size_t findings_headlines(const struct findings *f);

/* the most severe one found by a rule, or NULL */
const struct finding *findings_first(const struct findings *f,
				     enum finding_rule rule);

/* frees f; NULL is fine */
void findings_free(struct findings *f);

#endif
