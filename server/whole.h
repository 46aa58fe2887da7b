/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block of bytes that is only of use as a whole: it waits in memory until all
 * of it has come.  How much may wait is counted by sender.
 */
#ifndef SERVER_WHOLE_H
#define SERVER_WHOLE_H

#include <stddef.h>
#include <stdint.h>

struct sender;			/* server/senders.h */

/* bytes that one sender may have waiting, by all its connections */
enum { WHOLE_WAITING = 16 << 20 };

struct whole {
	struct sender *sender;	/* or NULL: then nothing is counted */
	uint8_t *bytes;		/* NULL: none is begun */
	size_t size, have;
};

/* one of so many bytes, at least 1, is to come; 0, -ENOMEM, or -EDQUOT: too
 * many wait */
int whole_begin(struct whole *w, struct sender *sender, size_t size);

/* len of them, no more than are missing */
void whole_add(struct whole *w, const uint8_t *bytes, size_t len);

/* frees what there is; nothing is fine */
void whole_end(struct whole *w);

#endif
