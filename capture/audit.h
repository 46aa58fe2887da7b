/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture audits itself: what devices count by themselves is compared with
 * the completions that were recorded.  Sectors decide whether anything is
 * missing, as merged and partly completed requests have the same sum in both;
 * ios are for people.
 *
 * The counters are read when recording has begun, once a second, and before it
 * ends.  Each reading is a border in time: the CPUs' threads sum up what they
 * recorded before it.  A request is traced just before it is counted, so what
 * was counted at a reading is in the trace before its border.  Only at the start
 * this helps nothing: what was traced before may be counted later.  So there are
 * several first readings, and on a busy device a few ios are tolerated.
 */
#ifndef CAPTURE_AUDIT_H
#define CAPTURE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct audit;
struct tap_sums;		/* capture/tap.h */

struct audit_options {		/* all stays the caller's */
	const char *sysfs;
	const uint32_t *devices;	/* BLK_DEVICE() numbers */
	unsigned int count;
	unsigned int cpus;	/* threads that count */
	uint32_t mask;		/* categories that are traced; 0: all */
};

enum audit_verdict {
	AUDIT_NONE,		/* cannot be compared: see reason */
	AUDIT_COMPLETE,
	AUDIT_MISSING,
};

struct audit_result {
	uint32_t device;	/* its number */
	enum audit_verdict verdict;
	const char *reason;	/* of AUDIT_NONE: a phrase, no full stop */
	bool has_ios;		/* ios can be compared */
	uint64_t completed, recorded, missing;	/* ios; missing may be about */
	uint64_t completed_bytes, recorded_bytes, missing_bytes;
	uint64_t events;	/* that missing ios had, by those recorded */
	uint64_t from, to;	/* ns: missing between these readings */
	uint64_t start;		/* ns: the first reading */
	unsigned int tolerance;	/* ios that may be missing and are not reported:
				 * the device was busy at the start */
};

/* 0 or -ENOMEM */
int audit_new(struct audit **a, const struct audit_options *o);
void audit_free(struct audit *a);	/* a may be NULL */

/* --- the thread that starts and stops the capture ------------------------- */

/* recording has begun; takes 12 ms */
void audit_start(struct audit *a);

/* recording is going to end; takes some ms */
void audit_stop(struct audit *a);

/* --- a CPU's thread, the n-th --------------------------------------------- */

/* records of a device, which no other call counts */
void audit_count(struct audit *a, unsigned int n, unsigned int device,
		 const void *records, size_t len, const struct tap_sums *sums);

/* all that it recorded before that time (ns) has been counted */
void audit_counted(struct audit *a, unsigned int n, uint64_t time);

/*
 * What it lost before that time (ns) is among the lost events that audit_take()
 * is given: readings wait for this.  Without a call it always is.
 */
void audit_lost_until(struct audit *a, unsigned int n, uint64_t time);

/* --- the first CPU's thread, once a second -------------------------------- */

/* reads the counters, and compares what all threads have counted */
void audit_look(struct audit *a);

/* whether audit_take() has something of any device */
bool audit_has_news(struct audit *a, uint64_t lost, bool last);

/*
 * What is missing of a device beyond lost events that are known otherwise, if
 * that is news: once when it is sure, then when no more is missing than a
 * second before, and in the end.
 */
bool audit_take(struct audit *a, unsigned int device, uint64_t lost, bool last,
		struct audit_result *r);

/* --- when all threads have counted all ------------------------------------ */

void audit_get(struct audit *a, unsigned int device, struct audit_result *r);

#endif
