/* SPDX-License-Identifier: GPL-2.0-only */
/* A block that is gathered; see whole.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/senders.h"
#include "server/whole.h"

int whole_begin(struct whole *w, struct sender *sender, size_t size)
{
	if (sender && size > WHOLE_WAITING - sender->waiting)
		return -EDQUOT;
	*w = (struct whole){ .sender = sender, .bytes = malloc(size),
			     .size = size };
	if (!w->bytes)
		return -ENOMEM;
	if (sender)
		sender->waiting += size;
	return 0;
}

void whole_add(struct whole *w, const uint8_t *bytes, size_t len)
{
	memcpy(w->bytes + w->have, bytes, len);
	w->have += len;
}

void whole_end(struct whole *w)
{
	if (!w->bytes)
		return;
	if (w->sender)
		w->sender->waiting -= w->size;
	free(w->bytes);
	*w = (struct whole){ .bytes = NULL };
}
