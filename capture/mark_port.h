/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a running capture takes marks: a socket in a directory that only its
 * user may enter, named after the process.  A thread of its own answers, one
 * caller after the other, so that no caller can hold up the recording.
 *
 * A call is one packet, a struct mark_call and the text behind it; the answer
 * is one int32_t: how many of the run's devices have been marked, or -errno.
 */
#ifndef CAPTURE_MARK_PORT_H
#define CAPTURE_MARK_PORT_H

#include <stddef.h>
#include <stdint.h>

struct mark_port;
struct mark_queue;		/* capture/mark_queue.h */

#define MARK_PORT_DIR "/run/blktrace"

enum { MARK_CALL_MAGIC = 0x6b72616d };	/* "mark" */

struct mark_call {
	uint32_t magic;
	uint32_t device;	/* BLK_DEVICE() number; 0: all of the run */
};

/* marks go to q from now on; dir is made if it is not there.  0 or -errno */
int mark_port_open(struct mark_port **p, const char *dir,
		   struct mark_queue *q);

/* no more marks come; p may be NULL */
void mark_port_close(struct mark_port *p);

/*
 * Calls all captures whose sockets are in dir; len is 1 to MARK_BYTES.  How
 * many devices have been marked; -EACCES: some may not be called; -EAGAIN: one
 * had no room.
 */
int mark_port_call(const char *dir, uint32_t device, const char *text,
		   size_t len);

#endif
