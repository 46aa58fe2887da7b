/* SPDX-License-Identifier: GPL-2.0-only */
/* Records on their way out; see stream.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "bench/synth/stream.h"

void stream_write(struct stream *s)
{
	size_t done = 0;

	while (done < s->used) {
		ssize_t n = write(s->fd, s->data + done, s->used - done);

		if (n < 0 && errno != EINTR)
			msg_die("write:");
		if (n > 0)
			done += (size_t)n;
	}
	s->used = 0;
}

void stream_add(struct stream *s, const struct record *r, const void *payload)
{
	if (s->used + sizeof(*r) + r->payload_size > sizeof(s->data))
		stream_write(s);
	memcpy(s->data + s->used, r, sizeof(*r));
	s->used += sizeof(*r);
	if (r->payload_size)
		memcpy(s->data + s->used, payload, r->payload_size);
	s->used += r->payload_size;
}
