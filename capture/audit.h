/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture's audit: compares the devices' own counters with the completions
 * recorded.  Sectors decide whether anything is missing, as merged and partly
 * completed requests have the same sum in both; I/Os are for people.
 *
 * The counters are read after recording starts, once a second, and before it
 * stops.  Each reading is a border in time: the CPUs' threads sum up what they
 * recorded before it.  The kernel traces a request just before it counts it, so
 * what a reading counts is in the trace before its border.  A request traced
 * before the start may still be counted after it, so there are several first
 * readings, and on a busy device a few I/Os are tolerated.
 */
#ifndef CAPTURE_AUDIT_H
#define CAPTURE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct audit;
struct tap_sums;		/* capture/tap.h */

struct audit_options {		/* the caller keeps all of it */
	const char *sysfs;
	const uint32_t *devices;	/* BLK_DEVICE() numbers */
	unsigned int count;
	unsigned int cpus;	/* threads that count */
	uint32_t mask;		/* traced categories; 0: all */
};

enum audit_verdict {
	AUDIT_NONE,		/* not comparable: see reason */
	AUDIT_COMPLETE,
	AUDIT_MISSING,
};

struct audit_result {
	uint32_t device;	/* its number */
	enum audit_verdict verdict;
	const char *reason;	/* of AUDIT_NONE: a phrase, no full stop */
	bool has_ios;		/* ios can be compared */
	uint64_t completed, recorded, missing;	/* ios; missing: estimated */
	uint64_t completed_bytes, recorded_bytes, missing_bytes;
	uint64_t events;	/* of missing ios, estimated */
	uint64_t from, to;	/* ns: missing between these readings */
	uint64_t start;		/* ns: the first reading */
	unsigned int tolerance;	/* missing ios that are not reported, as the
				 * device was busy at the start */
};

/* 0 or -ENOMEM */
int audit_new(struct audit **a, const struct audit_options *o);
void audit_free(struct audit *a);	/* a may be NULL */

/* --- the thread that starts and stops the capture ------------------------- */

/* after recording starts; takes 12 ms */
void audit_start(struct audit *a);

/* before recording stops; takes some ms */
void audit_stop(struct audit *a);

/* --- a CPU's thread, the n-th --------------------------------------------- */

/* counts records of a device, each once */
void audit_count(struct audit *a, unsigned int n, unsigned int device,
		 const void *records, size_t len, const struct tap_sums *sums);

/* all that the CPU recorded before that time (ns) has been counted */
void audit_counted(struct audit *a, unsigned int n, uint64_t time);

/*
 * audit_take()'s lost events include what the CPU lost before that time (ns).
 * Readings wait for this; without a call they do not.
 */
void audit_lost_until(struct audit *a, unsigned int n, uint64_t time);

/* --- the first CPU's thread, once a second -------------------------------- */

/* reads the counters, and compares readings all threads have counted */
void audit_look(struct audit *a);

/* whether audit_take() has news of any device */
bool audit_has_news(struct audit *a, uint64_t lost, bool last);

/*
 * A device's losses beyond the lost events known otherwise.  False: no news.
 * News comes once the loss is certain, when it stops growing, and at the end.
 */
bool audit_take(struct audit *a, unsigned int device, uint64_t lost, bool last,
		struct audit_result *r);

/* --- when all threads have counted all ------------------------------------ */

void audit_get(struct audit *a, unsigned int device, struct audit_result *r);

#endif
