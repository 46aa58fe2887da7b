/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A System V message queue that another program has made and reads.
 */
#ifndef TOOLS_BLKIOMON_QUEUE_H
#define TOOLS_BLKIOMON_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/blkiomon/report.h"

/*
 * The queue whose key is made of path and id.  0 and *queue; -EAGAIN while
 * it has not been made yet; or -errno, as when there is no such path.
 */
int queue_find(int *queue, const char *path, int id);

/*
 * Sends a record as a message of that type.  While the queue is full it waits,
 * if it may.  0; -EINTR when a signal ends the wait; -EAGAIN when it may not
 * wait; or -errno.
 */
int queue_send(int queue, long type, const uint8_t raw[REPORT_SIZE],
	       bool may_wait);

#endif
