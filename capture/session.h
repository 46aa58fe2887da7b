/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One capture, from setting up the kernel's buffers to taking them down: a way
 * out of the kernel, a thread for each CPU, and a sink.
 *
 *	session_new		finds the online CPUs
 *	session_set_up		makes the kernel's buffers
 *	session_open		starts the threads, opens their outputs
 *	session_start		the kernel records
 *	  poll session_gone_fd
 *	session_stop		all records are in the sink
 *	session_free
 *
 * Functions return 0 or -errno, and report the cause.  session_free() takes
 * everything down at any time, also after a failure.
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

enum {	/* ms between reads when records are few */
	SESSION_IDLE_FILES = 1000,
	/* half of REORDER_HOLD of run/reorder.h; the two belong together */
	SESSION_IDLE_LIVE = 250,
};

/* does not report -ENOMEM; r must outlive the session */
int session_new(struct session **s, const struct capture_reporter *r);

/* the online ones */
const struct cpus *session_cpus(const struct session *s);

/*
 * Sets up the plan's devices; the session adds its reporter.  VIA_AUTO prefers
 * relay files, as ftrace costs more and records less.
 */
int session_set_up(struct session *s, const struct via_plan *plan,
		   enum via_kind kind);

/* the same by the caller's own way, which the session takes down */
int session_set_up_by(struct session *s, struct via *v);

/*
 * The caller frees the sink after the session.  Offline CPUs get an empty
 * output if the sink has touch().
 */
int session_open(struct session *s, struct sink *sink, int idle_ms);

/*
 * Lets other processes mark the capture after session_start(): through the
 * kernel, or else a socket in dir (capture/mark_port.h), if that can be made.
 * Call before session_open().  0 or -ENOMEM.
 */
int session_take_marks(struct session *s, const char *dir);

/* audits the capture (capture/audit.h); before session_open().  0 or -ENOMEM */
int session_audits(struct session *s);

/* starts recording; call session_stop() even after a failure */
int session_start(struct session *s);

/* readable after a thread has failed, or the sink has lost its reader */
int session_gone_fd(const struct session *s);

/* stops recording, reads all that the kernel holds, and closes the sink's
 * lanes.  The first failure of any thread */
int session_stop(struct session *s);

/* --- what was recorded, by device ----------------------------------------- */

unsigned int session_device_count(const struct session *s);

/* the kernel's name of a device */
const char *session_device_name(const struct session *s, unsigned int device);

/* the way in use, as --via names it, and its records' version, 0: unknown;
 * after session_set_up() */
const char *session_via(const struct session *s);
unsigned int session_version(const struct session *s);

/* n: of the online CPUs; after session_stop() */
const struct sink_lane *session_lane(const struct session *s,
				     unsigned int device, unsigned int n);

/* when recording ended, ns of the records' clock; after session_stop() */
uint64_t session_ended(const struct session *s);

/* dropped events of the device; after session_stop() */
uint64_t session_lost(const struct session *s, unsigned int device);

/* the result of a device's audit, after session_stop(); false: no audit */
bool session_audit(const struct session *s, unsigned int device,
		   struct audit_result *r);

/* sums so far, at any time; drops as last read */
void session_sums(const struct session *s, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops);

/* s may be NULL */
void session_free(struct session *s);

#endif
