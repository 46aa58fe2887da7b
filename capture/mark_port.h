/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A running capture's socket for marks, named after the process, in a directory
 * that only its user may enter.  A separate thread answers callers in turn, so
 * that none delays recording.
 *
 * A call is one packet, a struct mark_call followed by the text; the answer is
 * an int32_t: the number of devices marked, or -errno.
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

/* takes marks for q from now on; makes dir if needed.  0 or -errno */
int mark_port_open(struct mark_port **p, const char *dir,
		   struct mark_queue *q);

/* takes no more marks; p may be NULL */
void mark_port_close(struct mark_port *p);

/*
 * Calls all captures with sockets in dir; len is 1 to MARK_BYTES.  Returns the
 * number of devices marked; -EACCES: some may not be called; -EAGAIN: one had
 * no room.
 */
int mark_port_call(const char *dir, uint32_t device, const char *text,
		   size_t len);

#endif
