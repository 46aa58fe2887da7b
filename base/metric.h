/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics in Prometheus' text format, by its documentation of exposition
 * formats: two lines say what a metric is, and its values follow.
 */
#ifndef BASE_METRIC_H
#define BASE_METRIC_H

#include <inttypes.h>
#include <stdint.h>

#include "base/buf.h"

/* type: "counter", "gauge", "histogram"; help: a sentence, without escapes */
static inline void metric_head(struct buf *b, const char *name,
			       const char *type, const char *help)
{
	buf_printf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* a metric of one value, without labels */
static inline void metric_one(struct buf *b, const char *name,
			      const char *type, const char *help, uint64_t value)
{
	metric_head(b, name, type, help);
	buf_printf(b, "%s %" PRIu64 "\n", name, value);
}

#endif
