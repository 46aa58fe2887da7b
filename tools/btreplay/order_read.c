/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of a device's I/Os, from files; see order_read.h. */
#include <errno.h>
#include <stdint.h>

#include "base/msg.h"
#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/order_read.h"

/* one of the passes: what it does with a packet; 0 or -ENOMEM */
typedef int pass(struct order *o, struct order_place *at, uint64_t time,
		 const struct packet *p);

bool order_read_counts(const struct packet *p,
		       const struct replay_options *options)
{
	enum kind k = kind_of(p);

	if (p->kind == PACKET_FLUSHED || k == KIND_FLUSH)
		return true;
	return kind_changes(k) && packet_is_possible(p) &&
	       kind_sent_as(k, options) != KINDS;
}

/* --- the passes ---------------------------------------------------------- */

static int add(struct order *o, struct order_place *at, uint64_t time,
	       const struct packet *p)
{
	int err = 0;

	order_step(at, time);
	if (p->kind == PACKET_FLUSHED)
		return order_add_end(o, at, p->bytes / 512);
	if (packet_is_flush(p))
		return order_add_flush(o, at, true);
	if (p->preflush) {
		err = order_add_flush(o, at, false);
		order_step(at, time);
	}
	return err;
}

unsigned int order_read_places(const struct order *o, struct order_place *at,
			       uint64_t time, const struct packet *p,
			       struct order_item places[2])
{
	unsigned int n = 0;

	order_step(at, time);
	if (p->kind == PACKET_FLUSHED)
		return 0;
	if (packet_is_flush(p) || p->preflush)
		order_place_flush(o, at, &places[n++]);
	if (packet_is_flush(p))
		return n;
	if (p->preflush)
		order_step(at, time);
	order_place_change(o, at, p->preflush, &places[n++]);
	return n;
}

static int expect(struct order *o, struct order_place *at, uint64_t time,
		  const struct packet *p)
{
	struct order_item places[2];
	unsigned int n = order_read_places(o, at, time, p, places);

	while (n--)
		order_expect(o, &places[n]);
	return 0;
}

/* --- files --------------------------------------------------------------- */

static int read_file(struct order *o, struct bunch_reader *r,
		     const struct replay_options *options, pass *f)
{
	struct order_place at = { .begun = false };
	struct bunch b;
	int got, err = 0;

	while (!err && (got = bunch_reader_next(r, &b)) > 0)
		for (uint32_t i = 0; !err && i < b.count; i++)
			if (order_read_counts(&b.packets[i], options))
				err = f(o, &at, b.time, &b.packets[i]);
	if (!err && got < 0)
		err = -EBADMSG;
	if (err == -EBADMSG)
		msg_warn("%s: damaged: %s", bunch_reader_path(r),
			 bunch_reader_fault(r));
	else if (err)
		msg_warn("out of memory");
	bunch_reader_rewind(r);
	return err;
}

static int read_files(struct order *o, const struct job *l, unsigned int target,
		      const struct replay_options *options, pass *f)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < l->file_count; i++)
		if (l->files[i].target == target)
			err = read_file(o, l->files[i].reader, options, f);
	return err;
}

static bool has_flush(const struct job *l, unsigned int target)
{
	for (unsigned int i = 0; i < l->file_count; i++)
		if (l->files[i].target == target &&
		    l->files[i].scan.kinds[KIND_FLUSH].ios)
			return true;
	return false;
}

int order_read(struct order **out, const struct job *l, unsigned int target,
	       const struct replay_options *options, order_release *release)
{
	struct order *o;
	int err;

	*out = NULL;
	if (kind_sent_as(KIND_FLUSH, options) == KINDS || !has_flush(l, target))
		return 0;
	o = order_new(release);
	if (!o) {
		msg_warn("out of memory");
		return -1;
	}
	err = read_files(o, l, target, options, add);
	if (!err && order_sort(o)) {
		msg_warn("out of memory");
		err = -1;
	}
	if (!err)
		err = read_files(o, l, target, options, expect);
	if (err) {
		order_free(o);
		return -1;
	}
	*out = o;
	return 0;
}
