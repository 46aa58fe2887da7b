/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies of events; see kept.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/kept.h"

size_t kept_allocated(const struct kept *k)
{
	return k->ev.pdu_len > KEPT_NEAR ? k->ev.pdu_len : 0;
}

int event_keep(struct kept *k, const struct event *ev)
{
	uint8_t *to = k->payload.here;

	k->ev = *ev;
	if (kept_allocated(k)) {
		to = k->payload.far = malloc(ev->pdu_len);
		if (!to) {
			k->ev.pdu_len = 0;
			return -ENOMEM;
		}
	}
	memcpy(to, ev->payload, ev->pdu_len);
	return 0;
}

struct event *kept_event(struct kept *k)
{
	k->ev.payload = kept_allocated(k) ? k->payload.far : k->payload.here;
	return &k->ev;
}

void kept_free(struct kept *k)
{
	if (kept_allocated(k))
		free(k->payload.far);
	k->ev.pdu_len = 0;
}
