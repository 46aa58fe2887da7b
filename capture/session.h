/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One capture, from setting up the kernel's buffers to taking them down: a way
 * out of the kernel, a thread for each CPU, and a sink.
 *
 *	session_new		the online CPUs are known
 *	session_set_up		the kernel's buffers are there
 *	session_open		so are the threads, and what they write to
 *	session_start		the kernel records
 *	  poll session_gone_fd
 *	session_stop		all that was recorded is in the sink
 *	session_free
 *
 * Functions return 0 or -errno, and report the cause.  After any failure, and
 * at any time, session_free() takes down what is there.
 */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/via.h"

struct audit_result;		/* capture/audit.h */
struct cpus;			/* capture/cpus.h */
struct capture_reporter;	/* capture/reporter.h */
struct session;
struct sink;			/* capture/sink.h */
struct sink_lane;

enum {	/* ms between two looks at records that are few */
	SESSION_IDLE_FILES = 1000,
	/* half of what blkparse holds events for to put them in order:
	 * REORDER_HOLD of run/reorder.h; the two belong together */
	SESSION_IDLE_LIVE = 250,
};

/* -ENOMEM is not reported; r stays where it is */
int session_new(struct session **s, const struct capture_reporter *r);

/* those that are online */
const struct cpus *session_cpus(const struct session *s);

/*
 * Sets up what the plan asks for; the session adds its reporter.  VIA_AUTO is
 * relay files if they are to be had: ftrace costs more and records less.
 */
int session_set_up(struct session *s, const struct via_plan *plan,
		   enum via_kind kind);

/* the same by a way of the caller's, which the session takes down */
int session_set_up_by(struct session *s, struct via *v);

/*
 * The sink stays the caller's, to be freed after the session.  CPUs that are
 * offline have an empty output there, if it can do that.
 */
int session_open(struct session *s, struct sink *sink, int idle_ms);

/*
 * Other processes may mark what is recorded, from session_start() on, and
 * before session_open(): the kernel sees to that, or a socket in dir does, as
 * capture/mark_port.h has it.  Where that cannot be, nothing is marked.  0 or
 * -ENOMEM.
 */
int session_take_marks(struct session *s, const char *dir);

/*
 * What is recorded will be compared with what the devices count by themselves,
 * as capture/audit.h has it; before session_open().  0 or -ENOMEM.
 */
int session_audits(struct session *s);

/* recording begins; session_stop() has to follow even a failure */
int session_start(struct session *s);

/* readable when a thread has ended: it failed, or the sink has no reader */
int session_gone_fd(const struct session *s);

/* recording ends; what the kernel holds is fetched, and the sink's lanes are
 * closed.  The first failure, of any thread */
int session_stop(struct session *s);

/* --- what was recorded, by device ----------------------------------------- */

unsigned int session_device_count(const struct session *s);

/* the kernel's name of a device */
const char *session_device_name(const struct session *s, unsigned int device);

/* the way that was taken, as --via has it, and the version of records there,
 * 0 if that is not known; after session_set_up() */
const char *session_via(const struct session *s);
unsigned int session_version(const struct session *s);

/* of the n-th online CPU; after session_stop() */
const struct sink_lane *session_lane(const struct session *s,
				     unsigned int device, unsigned int n);

/* when recording ended, ns of the records' clock; after session_stop() */
uint64_t session_ended(const struct session *s);

/* events of the device that were dropped; after session_stop() */
uint64_t session_lost(const struct session *s, unsigned int device);

/* what the audit of a device has found, after session_stop(); false: there was
 * none */
bool session_audit(const struct session *s, unsigned int device,
		   struct audit_result *r);

/* sums so far, at any time; drops as last seen */
void session_sums(const struct session *s, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops);

/* s may be NULL */
void session_free(struct session *s);

#endif
