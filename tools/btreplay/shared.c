/* SPDX-License-Identifier: GPL-2.0-only */
/* What files of a device share; see shared.h. */
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/btreplay/calls.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/order.h"
#include "tools/btreplay/order_read.h"
#include "tools/btreplay/shared.h"

/* Whether files of a device have something that is sent by a call. */
static bool has_calls(const struct job *l, unsigned int target,
		      const struct replay_options *o)
{
	for (unsigned int i = 0; i < l->file_count; i++) {
		const struct job_file *f = &l->files[i];

		for (enum kind k = 0; f->target == target && k < KINDS; k++)
			if (f->scan.kinds[k].ios &&
			    kind_is_call(kind_sent_as(k, o)))
				return true;
	}
	return false;
}

static int open_one(struct shared *s, const struct job *l, unsigned int target,
		    const struct replay_options *o, const atomic_bool *halt)
{
	int err = order_read(&s->order, l, target, o, channel_release);

	if (err || !has_calls(l, target, o))
		return err;
	err = calls_start(&s->calls, l->targets[target].fd, channel_called,
			  halt);
	if (err)
		msg_warn("thread create failed: %s", strerror(-err));
	return err;
}

struct shared *shared_new(const struct job *l, const struct replay_options *o,
			  const atomic_bool *halt)
{
	struct shared *s = calloc(l->target_count + 1, sizeof(*s));
	int err = 0;

	if (!s) {
		msg_warn("out of memory");
		return NULL;
	}
	for (unsigned int i = 0; !err && i < l->target_count; i++)
		err = open_one(&s[i], l, i, o, halt);
	if (!err)
		return s;
	shared_stop(s, l->target_count);
	shared_free(s, l->target_count);
	return NULL;
}

void shared_begin(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (s[i].order)
			order_begin(s[i].order);
}

bool shared_is_done(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (s[i].order && !order_is_done(s[i].order))
			return false;
	return true;
}

uint64_t shared_last(struct shared *s, unsigned int count)
{
	uint64_t last = 0;

	for (unsigned int i = 0; s && i < count; i++) {
		uint64_t one = s[i].order ? order_last(s[i].order) : 0;

		if (one > last)
			last = one;
	}
	return last;
}

void shared_stop(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; s && i < count; i++) {
		calls_stop(s[i].calls);
		s[i].calls = NULL;
	}
}

void shared_free(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; s && i < count; i++)
		order_free(s[i].order);
	free(s);
}
