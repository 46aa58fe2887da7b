/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run writes, plain files or a packed one; see runs_impl.h. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "file/segments.h"
#include "pack/frame.h"
#include "pack/packer.h"
#include "pack/unpacker.h"
#include "server/packed_run.h"
#include "server/runs.h"
#include "server/runs_impl.h"
#include "server/senders.h"
#include "server/store.h"

enum { NAME = 64 };		/* of a packed file */

/* --- packed runs ---------------------------------------------------------- */

void runs_pack(struct runs *r)
{
	r->pack = true;
}

/* Each run says what is done with its blocks when it packs. */
static int put_nowhere(void *ctx, const struct pack_header *h,
		       const uint8_t *block, size_t len)
{
	(void)ctx, (void)h, (void)block, (void)len;
	return -EINVAL;
}

/* What all runs pack with; 0 or -errno. */
static int make_tools(struct runs *r)
{
	static const struct packer_options any = { .name = "",
						   .put = put_nowhere };

	if (!frame_built())
		return -EOPNOTSUPP;
	if (!r->packer)
		r->packer = packer_new(&any);
	if (!r->unpacker)
		r->unpacker = unpacker_new();
	return r->packer && r->unpacker ? 0 : -ENOMEM;
}

struct unpacker *runs_unpacker(struct runs *r)
{
	return make_tools(r) ? NULL : r->unpacker;
}

static void stop_gathering(struct run *run)
{
	ring_take(&run->gathering.ring);
	ring_init(&run->gathering.ring);
}

static void on_flushed(void *ctx)
{
	struct run *run = ctx;

	stop_gathering(run);
	if (run->owner.put)
		run->owner.put(run->owner.ctx);
}

static int begin_packed(struct run *run, const char *name)
{
	struct runs *r = run->all;
	struct packed_run_options o = {
		.dir = run->dir, .sender = run->sender, .each = &r->each,
		.flushed = on_flushed, .ctx = run,
	};
	int err = make_tools(r);

	o.packer = r->packer;
	o.unpacker = r->unpacker;
	if (!err)
		err = packed_run_new(&run->packed, &o);
	if (!err && *name)
		err = packed_run_resume(run->packed, name, run->suspect);
	return err;
}

/* A run goes on as it was begun. */
int run_files_begin(struct run *run)
{
	bool packed = run->all->pack;
	char name[NAME] = "";
	int found = 0;

	if (run->resumed) {
		found = store_dir_find(run->dir, SEGMENT_PACKED, name,
				       sizeof(name));
		packed |= found > 0;
	}
	if (run->resumed && !found && packed) {
		found = store_dir_find(run->dir, ".blktrace.0", name,
				       sizeof(name));
		packed = !found;
	}
	if (found < 0)
		return found;
	return packed ? begin_packed(run, name) : 0;
}

static void gather(struct run *run)
{
	struct gathering *g = &run->gathering;

	if (!packed_run_waits(run->packed) || !ring_is_empty(&g->ring))
		return;
	g->due = time_now_ms() + RUN_GATHER_MS;
	ring_put_last(&run->all->gathering, &g->ring);
}

static struct gathering *first_gathering(const struct runs *r)
{
	return ring_is_empty(&r->gathering) ? NULL :
		(struct gathering *)r->gathering.next;
}

int64_t runs_deadline(const struct runs *r)
{
	const struct gathering *g = first_gathering(r);

	return g ? g->due : INT64_MAX;
}

void runs_put_due(struct runs *r)
{
	int64_t now = time_now_ms();
	struct gathering *g;

	while ((g = first_gathering(r)) && g->due <= now)
		packed_run_flush(g->of->packed);
}

int run_put(struct run *run)
{
	return run->packed ? packed_run_flush(run->packed) : 0;
}

bool run_waits(const struct run *run)
{
	return run->packed && packed_run_waits(run->packed);
}

int run_error(const struct run *run)
{
	return run->packed ? packed_run_error(run->packed) : 0;
}

/* --- files ---------------------------------------------------------------- */

static uint32_t early_files(uint32_t cpus)
{
	return cpus < RUN_FILES_EARLY ? cpus : RUN_FILES_EARLY;
}

/* Whether a file has to be made; in a directory of ours none is there before. */
static bool has_no_file(const struct run *run, const char *device, uint32_t cpu)
{
	return !run->resumed || !store_dir_has(run->dir, device, cpu);
}

uint32_t run_files_to_make(const struct run *run, const struct net_header *h,
			   uint32_t had, uint32_t cpus)
{
	uint32_t n = run->dir ? 0 : 1 + run->has_token;

	/* all in one */
	if (run->packed || (!run->dir && run->all->pack))
		return n + !run->dir;
	for (uint32_t i = early_files(had); i < early_files(cpus); i++)
		n += has_no_file(run, h->name, i);
	if (h->cpu == NET_CPU_CARD)
		return n + !run->resumed;
	return n + (h->cpu >= RUN_FILES_EARLY &&
		    has_no_file(run, h->name, h->cpu));
}

/* A packed run gets its empty members at its end. */
int run_files_grow(struct run *run, const char *device, uint32_t had,
		   uint32_t cpus)
{
	int err = 0;

	for (uint32_t i = had; !err && !run->packed && i < early_files(cpus);
	     i++)
		err = store_dir_add(run->dir, device, i);
	return err;
}

int run_files_open(struct run_lane *l)
{
	struct run *run = l->run;
	const char *device = l->disk->name;

	if (run->packed) {
		l->member = packed_run_member(run->packed, device, l->cpu);
		return l->member ? 0 : -ENOMEM;
	}
	/* a card's file is made with its content */
	if (l->cpu == NET_CPU_CARD)
		return 0;
	l->file = store_file_new(run->dir, device, l->cpu);
	if (!l->file)
		return -ENOMEM;
	/* run_files_grow() has made the others */
	return l->cpu >= RUN_FILES_EARLY ?
		       store_dir_add(run->dir, device, l->cpu) : 0;
}

/* Of len bytes, those that the sender may still store. */
static size_t room_of(const struct run *run, size_t len)
{
	if (!run->sender)
		return len;
	return sender_room(run->sender, &run->all->each, len, time(NULL));
}

static int write_plain(struct run_lane *l, const uint8_t *bytes, size_t len)
{
	size_t fits = room_of(l->run, len), stored;
	int err = store_file_write(l->file, bytes, fits, &stored);

	if (!err && fits < len)
		err = -EDQUOT;
	if (l->run->sender)
		sender_stored(l->run->sender, stored);
	walk_add(&l->walk, bytes, stored);
	return err;
}

static int write_packed(struct run_lane *l, const uint8_t *bytes, size_t len)
{
	int err;

	walk_add(&l->walk, bytes, len);
	err = packed_run_add(l->member, bytes, len,
			     (size_t)walk_tail(&l->walk));
	gather(l->run);
	return err;
}

int run_lane_write(struct run_lane *l, const uint8_t *bytes, size_t len)
{
	l->run->heard = true;
	return l->member ? write_packed(l, bytes, len) :
			   write_plain(l, bytes, len);
}

static int card_plain(struct run_lane *l, const void *bytes, size_t len)
{
	int err;

	if (room_of(l->run, len) < len)
		return -EDQUOT;
	err = store_dir_card(l->run->dir, l->disk->name, bytes, len);
	if (!err && l->run->sender)
		sender_stored(l->run->sender, len);
	return err;
}

/* Does not count as data, unless the run has a token, whose sender may be told
 * nothing new for hours. */
int run_lane_card(struct run_lane *l, const void *bytes, size_t len)
{
	int err = l->member ? packed_run_card(l->member, bytes, len) :
			      card_plain(l, bytes, len);

	l->run->heard |= l->run->has_token;
	return err;
}

/* --- the end -------------------------------------------------------------- */

int run_files_cut(struct run_lane *l, uint64_t n)
{
	if (!l->member)
		return store_file_cut(l->file, n);
	packed_run_drop(l->member);
	return 0;
}

int run_files_close(struct run_lane *l)
{
	int err = l->member && l->cpu != NET_CPU_CARD ?
			  packed_run_put(l->member) : 0;

	store_file_free(l->file);
	l->file = NULL;
	l->member = NULL;
	return err;
}

/* Readers find all CPUs of a device. */
static int put_empty(struct run *run, const struct disk *d)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < early_files(d->cpus); i++) {
		struct packed_member *m = packed_run_member(run->packed,
							    d->name, i);

		err = m ? packed_run_put(m) : -ENOMEM;
	}
	return err;
}

int run_files_end(struct run *run)
{
	int err = 0;

	if (!run->packed)
		return 0;
	for (const struct disk *d = run->disks; !err && d; d = d->next)
		err = put_empty(run, d);
	return err ? err : packed_run_end(run->packed);
}

int run_files_leave(struct run *run)
{
	return run->packed ? packed_run_end(run->packed) : 0;
}

void run_files_free(struct run *run)
{
	ring_take(&run->gathering.ring);
	packed_run_free(run->packed);
}
