/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters and histograms for Prometheus, in its text format: how many I/Os
 * and requests completed, how large they were, how many failed and how long
 * they took, by disk and operation.
 *
 * Ios are counted as they come, and all of it can be written as often as it is
 * wanted: no number is ever below what was written before.  Disks of one name
 * are one, of whichever host.  An operation takes some
 * 450 bytes of memory.
 *
 * I/Os are counted as btstat does: an I/O that was split is one, without its
 * parts, and so is a flush, without the kernel's own flush request.  A request
 * is what the driver gets; on a device without requests it is an I/O.
 * blktrace_device_seconds is of requests that were issued,
 * blktrace_total_seconds of I/Os.
 */
#ifndef EMIT_PROMETHEUS_H
#define EMIT_PROMETHEUS_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct named_io;		/* emit/named_io.h */
struct prometheus;

/* 0 and *p, or -ENOMEM */
int prometheus_new(struct prometheus **p);

/* one more io; 0 or -ENOMEM */
int prometheus_io(struct prometheus *p, const struct named_io *io);

/*
 * Replaces the list of open I/Os: first empties it, then adds each with its age
 * in ns; parts and the kernel's own flush requests are passed over.  I/Os that
 * are open when the trace ends come to prometheus_io().  0 or -ENOMEM.
 */
void prometheus_none_open(struct prometheus *p);
int prometheus_open(struct prometheus *p, const struct named_io *io,
		    uint64_t age);

/* so many events are missing in all; fewer than before count as before */
void prometheus_dropped(struct prometheus *p, uint64_t events);

/* all of it as it is now; what cannot be written is seen in *b */
void prometheus_write(const struct prometheus *p, struct buf *b);

/* frees p; NULL is fine */
void prometheus_free(struct prometheus *p);

#endif
