/* SPDX-License-Identifier: GPL-2.0-only */
/* A message queue; see queue.h. */
#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "tools/blkiomon/queue.h"

enum { OWNER_ONLY = 0700 };

int queue_find(int *queue, const char *path, int id)
{
	key_t key = ftok(path, id);

	if (key == -1)
		return -errno;
	*queue = msgget(key, OWNER_ONLY);
	if (*queue >= 0)
		return 0;
	return errno == ENOENT ? -EAGAIN : -errno;
}

int queue_send(int queue, long type, const uint8_t raw[REPORT_SIZE],
	       bool may_wait)
{
	struct {
		long type;
		uint8_t raw[REPORT_SIZE];
	} message = { .type = type };

	memcpy(message.raw, raw, REPORT_SIZE);
	return msgsnd(queue, &message, sizeof(message.raw),
		      may_wait ? 0 : IPC_NOWAIT) ? -errno : 0;
}
