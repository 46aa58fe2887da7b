/* SPDX-License-Identifier: GPL-2.0-only */
/* A block of bytes that is only useful complete, gathered in memory. */
#ifndef SERVER_WHOLE_H
#define SERVER_WHOLE_H

#include <stddef.h>
#include <stdint.h>

struct sender;			/* server/senders.h */

/* bytes of incomplete blocks of a sender, over all its connections */
enum { WHOLE_WAITING = 16 << 20 };

struct whole {
	struct sender *sender;	/* whose bytes count, or NULL */
	uint8_t *bytes;		/* NULL: not started */
	size_t size, have;
};

/* starts a block of size bytes, at least 1; 0, -ENOMEM, or -EDQUOT: the sender
 * has too many waiting */
int whole_begin(struct whole *w, struct sender *sender, size_t size);

/* adds len bytes, at most those missing */
void whole_add(struct whole *w, const uint8_t *bytes, size_t len);

/* frees it, if it was started */
void whole_end(struct whole *w);

#endif
