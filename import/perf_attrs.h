/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf recorded, its attributes (struct perf_event_attr), and the samples
 * that are laid out as those say: perf_event_open(2).
 */
#ifndef IMPORT_PERF_ATTRS_H
#define IMPORT_PERF_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct binary;			/* import/binary.h */
struct trace_event;		/* import/trace_event.h */

enum {
	PERF_ATTRS_MAX = 4096,
	PERF_IDS_MAX = 1 << 20,	/* one for each event and CPU */
	PERF_ATTR_MIN = 64,	/* bytes of the first version */
};

struct perf_attr {
	bool is_tracepoint;
	uint64_t config;	/* a tracepoint's number */
	uint64_t sample_type, read_format;
	bool sample_id_all;	/* all records end with the time, CPU ... */
	bool clock_set;		/* by perf record -k, to clock */
	int32_t clock;		/* as clock_gettime(2) has it */
	const struct trace_event *event;	/* the owner's, or NULL */
};

struct perf_attrs {
	const struct binary *b;	/* for the byte order */
	struct perf_attr *list;
	uint32_t count;
	size_t size;
	struct hash by_id;
};

/* b must outlive a */
void perf_attrs_init(struct perf_attrs *a, const struct binary *b);
void perf_attrs_free(struct perf_attrs *a);

/* Adds the attribute in len bytes.  0; -ENOMEM; or -EBADMSG: it is none, one too
 * many, or its samples have their ids elsewhere than those of others. */
int perf_attrs_add(struct perf_attrs *a, const uint8_t *attr, size_t len);

/* an id of the attribute that was added last; 0, -ENOMEM, -EBADMSG: too many */
int perf_attrs_add_id(struct perf_attrs *a, uint64_t id);

/* what is said of any record; 0 where it has none */
struct perf_sample {
	const struct perf_attr *attr;
	uint64_t time;		/* ns */
	uint32_t pid, tid, cpu;
	const uint8_t *raw;	/* a tracepoint's bytes, or NULL */
	uint32_t raw_len;
};

/* The sample in the len bytes that follow a record's header, up to its raw
 * bytes. false: it is of no known attribute, or too short. */
bool perf_sample_read(const struct perf_attrs *a, const uint8_t *bytes,
		      size_t len, struct perf_sample *s);

/* The same of what another record ends with; its length, or 0: it has none. */
size_t perf_sample_read_end(const struct perf_attrs *a, const uint8_t *bytes,
			    size_t len, struct perf_sample *s);

#endif
