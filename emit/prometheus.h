/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters and histograms in Prometheus' text format: completed I/Os and
 * requests, their sizes, errors and latencies, by disk and operation.
 *
 * The text can be written at any time, and its counters never decrease.  Disks
 * of one name are one, whatever their hosts.  An operation takes 450 bytes.
 *
 * I/Os are counted as in btstat: without parts and the kernel's own flush
 * requests.  On a device without requests, an I/O counts as one.
 * blktrace_device_seconds is of issued requests, blktrace_total_seconds of
 * I/Os.
 */
#ifndef EMIT_PROMETHEUS_H
#define EMIT_PROMETHEUS_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct named_io;		/* emit/named_io.h */
struct prometheus;

/* 0 and *p, or -ENOMEM */
int prometheus_new(struct prometheus **p);

/* counts an I/O; 0 or -ENOMEM */
int prometheus_io(struct prometheus *p, const struct named_io *io);

/*
 * The I/Os in flight: prometheus_none_open() forgets all, prometheus_open()
 * adds one with its age in ns, unless it is a part or the kernel's own flush
 * request; 0 or -ENOMEM.  Those in flight when the trace ends are passed to
 * prometheus_io().
 */
void prometheus_none_open(struct prometheus *p);
int prometheus_open(struct prometheus *p, const struct named_io *io,
		    uint64_t age);

/* sets the total of missing events, which never decreases */
void prometheus_dropped(struct prometheus *p, uint64_t events);

/* writes the current state; *b stores write errors */
void prometheus_write(const struct prometheus *p, struct buf *b);

/* NULL is fine */
void prometheus_free(struct prometheus *p);

#endif
