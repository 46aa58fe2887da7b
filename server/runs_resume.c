/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs that are left and claimed again; see runs.h. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "server/packed_run.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/runs_impl.h"
#include "server/store.h"
#include "server/tokens.h"

void runs_use_tokens(struct runs *r, struct tokens *tokens)
{
	r->tokens = tokens;
}

/* The run of a connection that still has it, or NULL. */
static struct run *find_claimed(const struct runs *r,
				const uint8_t token[FRAME_TOKEN])
{
	struct run *run = r->first;

	while (run && !(run->has_token &&
			!memcmp(run->token, token, FRAME_TOKEN)))
		run = run->next;
	return run;
}

/* A directory that was removed is made anew with the first lane. */
static int resume(struct run *run, const struct token_run *known)
{
	int err;

	run->ended = known->ended;
	run->suspect = known->rebooted;
	if (run->ended)
		return 0;
	err = store_dir_open(run->all->store, known->directory, &run->dir);
	run->resumed = !err;
	if (!err)
		err = run_files_begin(run);
	if (!err)
		report_note(run->all->report, "%s: run %u goes on in %s",
			    run->host, run->id, known->directory);
	return err == -ENOENT ? 0 : err;
}

/* An address is no proof, and may change while the sender waits for us. */
static bool is_stranger(const struct token_run *known, const struct peer *peer)
{
	return strcmp(peer->host, peer->address) &&
	       strcmp(peer->host, known->sender);
}

const char *run_claim(struct runs *r, const struct peer *peer,
		      const struct frame_hello *h,
		      const struct run_owner *owner, struct run **out)
{
	const struct token_run *known;
	struct run *run;
	const char *why;
	int err;

	if (!r->tokens)
		return "runs cannot be resumed here";
	known = tokens_find(r->tokens, h->token, run_steady_now());
	if (known && is_stranger(known, peer))
		return "it is another sender's run";
	run = find_claimed(r, h->token);
	if (run)
		run->owner.taken(run->owner.ctx);
	run = run_admit(r, peer, h->run, &why);
	if (!run)
		return why;
	run->has_token = true;
	memcpy(run->token, h->token, FRAME_TOKEN);
	run->owner = *owner;
	err = known ? resume(run, known) : 0;
	*out = run;
	if (!err)
		return NULL;
	run_free(run);
	return run_open_error(err);
}

bool run_has_ended(const struct run *run)
{
	return run->ended;
}

/* The whole records of a file beyond what was stored; 0 or -errno. */
static int walk_rest(struct run_lane *l, uint64_t stored, uint64_t length,
		     uint64_t *whole)
{
	uint8_t bytes[16 << 10];
	ssize_t n = 1;

	for (uint64_t at = stored; at < length && n > 0; at += (uint64_t)n) {
		n = store_file_read(l->file, at, bytes, sizeof(bytes));
		if (n > 0)
			walk_add(&l->walk, bytes, (size_t)n);
	}
	*whole = l->walk.whole;
	l->walk = (struct walk){ .events = 0 };
	return n < 0 ? (int)n : 0;
}

/* What a packed file has beyond stays, as it was checked: the sender is not to
 * send it again. */
static int compare_length(const struct run_lane *l, uint64_t stored,
			  struct run_found *found)
{
	uint64_t length = packed_run_length(l->member);

	if (length < stored)
		found->missing = stored - length;
	else
		found->extra = length - stored;
	return 0;
}

/* Its file gets the length that the sender knows, or what whole records it has
 * beyond, if they can be trusted. */
static int set_length(struct run_lane *l, uint64_t stored, bool cut,
		      struct run_found *found)
{
	uint64_t length = 0;
	int err = store_file_length(l->file, &length);

	if (length < stored)
		found->missing = stored - length;
	if (err || length <= stored)
		return err;
	if (!cut && !l->run->suspect && length - stored <= RUN_EXTRA_MAX) {
		found->read = length - stored;
		err = walk_rest(l, stored, length, &found->extra);
	}
	if (!err && length > stored + found->extra)
		err = store_file_cut(l->file, length - stored - found->extra);
	return err;
}

const char *run_lane_resume(struct run *run, const struct peer *peer,
			    const struct net_header *h, uint64_t stored,
			    bool cut, struct run_lane **l,
			    struct run_found *found)
{
	int err = run_open_lane(run, peer, h, l);

	*found = (struct run_found){ .extra = 0 };
	run->heard |= stored > 0;
	if (!err && h->cpu != NET_CPU_CARD) {
		err = (*l)->member ? compare_length(*l, stored, found) :
				     set_length(*l, stored, cut, found);
		if (err)
			run_lane_close(*l);
	}
	return err ? run_open_error(err) : NULL;
}

static void tell_lost(struct run_lane *l)
{
	const struct frame_totals *t = &l->totals;

	if (t->lost_bytes)
		report_warn(l->run->all->report, "%s/%s.blktrace.%u: %" PRIu64
			    " records (%" PRIu64 " bytes) did not come: the"
			    " sender's spool was full",
			    store_dir_name(l->run->dir), l->disk->name, l->cpu,
			    t->lost_records, t->lost_bytes);
}

void run_checked(struct run *run)
{
	if (run->suspect)
		tokens_checked(run->all->tokens, run->token);
	run->suspect = false;
}

void run_lane_set_totals(struct run_lane *l, const struct frame_totals *t)
{
	l->totals = *t;
}

/* The sender sends that record again. */
static void cut_half(struct run_lane *l)
{
	uint64_t n = l->file || l->member ? walk_tail(&l->walk) : 0;

	if (n)
		run_files_cut(l, n);
}

static void each_lane(struct run *run, void (*step)(struct run_lane *l))
{
	for (struct disk *d = run->disks; d; d = d->next)
		for (size_t i = 0; d->lanes.slots && i <= d->lanes.mask; i++)
			if (d->lanes.slots[i].value)
				step(d->lanes.slots[i].value);
}

static void close_file(struct run_lane *l)
{
	if (l->file || l->member)
		run_files_close(l);
}

void run_finish(struct run *run)
{
	int err;

	run->owner.put = NULL;
	each_lane(run, tell_lost);
	each_lane(run, close_file);
	err = tokens_end(run->all->tokens, run->token, run_steady_now());
	/* the sender asks again, and ends it again */
	if (err)
		report_warn(run->all->report, "%s: run %u: its end cannot be"
			    " noted: %s", run->host, run->id, strerror(-err));
	run_end(run);
}

void run_leave(struct run *run)
{
	run->owner.put = NULL;
	each_lane(run, cut_half);
	each_lane(run, close_file);
	run_files_leave(run);
	run_free(run);
}
