/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs, devices, lanes; see runs.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/time.h"
#include "capture/totals.h"
#include "net.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/store.h"
#include "server/tokens.h"
#include "server/walk.h"

struct run_lane {
	struct run *run;
	struct disk *disk;
	uint32_t cpu;
	struct store_file *file;	/* NULL: closed */
	struct walk walk;
	uint64_t cut;		/* bytes of a partial record, cut off */
	struct frame_totals totals;	/* its sender's, of a run with a token */
};

/* a device of a run */
struct disk {
	struct disk *next;
	char name[NET_NAME];
	uint32_t cpus;		/* the largest max_cpus of all opens */
	uint32_t drops;
	struct hash lanes;	/* by CPU */
};

struct run {
	struct run *next;
	struct runs *all;
	char *host, *address;	/* of its peer */
	struct sender *sender;	/* or NULL */
	uint32_t id;
	struct store_dir *dir;
	struct disk *disks;	/* in the order they were opened */
	uint32_t files;		/* sum of the disks' cpus */
	uint32_t cards;		/* beside these */
	uint32_t lanes;		/* opened so far */
	unsigned int open;	/* lanes not closed yet */
	bool heard;		/* has had data */
	bool has_token;
	uint8_t token[FRAME_TOKEN];
	bool ended;		/* before it was claimed */
	bool resumed;		/* its directory was there */
	bool suspect;		/* its files may have what was never written */
	struct run_owner owner;	/* of one with a token */
};

struct runs {
	struct store *store;
	struct tokens *tokens;
	struct report *report;
	unsigned int count, max;
	uint64_t files, max_files;	/* 0: no limit */
	struct sender_limits each;
	struct run *first;
};

/* --- the end of a run ----------------------------------------------------- */

static void disk_free(struct disk *d)
{
	for (size_t i = 0; d->lanes.slots && i <= d->lanes.mask; i++)
		free(d->lanes.slots[i].value);
	hash_free(&d->lanes);
	free(d);
}

static void run_free(struct run *run)
{
	struct run **at = &run->all->first;

	while (*at != run)
		at = &(*at)->next;
	*at = run->next;
	run->all->count--;
	if (run->sender)
		run->sender->runs--;
	while (run->disks) {
		struct disk *d = run->disks;

		run->disks = d->next;
		disk_free(d);
	}
	store_dir_free(run->dir);
	free(run->host);
	free(run->address);
	free(run);
}

/*
 * 1.3.0: every CPU below max_cpus has a line, also an offline one.  The client
 * chooses max_cpus, so only up to a number that a real machine may have.
 */
static bool shows_unopened(const struct run *run)
{
	return run->files - run->lanes <=
	       RUN_IDLE_LINES + RUN_IDLE_LINES_EACH * run->lanes;
}

/* Of a run that was resumed, only the sender has seen all. */
static struct totals_cpu totals_of(const struct run_lane *l)
{
	const struct walk *w = &l->walk;
	const struct frame_totals *t = &l->totals;

	if (l->run->has_token)
		return (struct totals_cpu){ t->records - t->lost_records,
					    t->bytes - t->lost_bytes };
	return (struct totals_cpu){ w->events, w->bytes - w->seals - l->cut };
}

/* Fills in the CPUs of d, and shows opened ones. */
static void sum_lanes(const struct disk *d, struct totals_cpu *cpus,
		      bool *shown)
{
	for (uint32_t i = 0; i < d->cpus; i++) {
		const struct run_lane *l = hash_get(&d->lanes, i);

		if (!l)
			continue;
		shown[i] = true;
		cpus[i] = totals_of(l);
	}
}

/* Limits each sender's lines. */
static struct buf *lines_of(const struct run *run, size_t lines)
{
	struct report *report = run->all->report;

	if (!run->sender || sender_may_print(run->sender, lines * SPOOL_LINE))
		return report_lines(report, (unsigned int)lines);
	report_warn(report, "%s: run %u: too many lines in a short time: its"
		    " totals are left out", run->host, run->id);
	return NULL;
}

static void print_disk(const struct run *run, const struct disk *d)
{
	bool all = shows_unopened(run);
	size_t lines = 3 + (all ? d->cpus : d->lanes.count);
	struct buf *out = lines_of(run, lines);
	struct totals_cpu *cpus = calloc(d->cpus, sizeof(*cpus));
	bool *shown = calloc(d->cpus, sizeof(*shown));

	if (out)
		buf_printf(out, "server: end of run for %s:%s\n", run->host,
			   d->name);
	if (!cpus || !shown) {
		report_warn(run->all->report, "out of memory for totals");
	} else if (out) {
		sum_lanes(d, cpus, shown);
		totals_print_shown(out, d->name, cpus, all ? NULL : shown,
				   d->cpus, d->drops);
	}
	free(cpus);
	free(shown);
}

static uint64_t count_events(const struct disk *d)
{
	uint64_t events = 0;

	for (size_t i = 0; d->lanes.slots && i <= d->lanes.mask; i++) {
		const struct run_lane *l = d->lanes.slots[i].value;

		events += l ? totals_of(l).events : 0;
	}
	return events;
}

static void run_end(struct run *run)
{
	struct report *report = run->all->report;
	uint64_t events = 0, drops = 0;

	for (const struct disk *d = run->disks; d; d = d->next) {
		/* its first lane failed, or is its card's */
		if (!d->cpus)
			continue;
		print_disk(run, d);
		events += count_events(d);
		drops += d->drops;
	}
	if (!shows_unopened(run))
		report_warn(report, "%s: run %u: no lines for %u CPUs that"
			    " were not opened", run->host, run->id,
			    run->files - run->lanes);
	spool_write(&report->out);
	report_drops(report, events, drops);
	run_free(run);
}

/* --- the beginning -------------------------------------------------------- */

struct runs *runs_new(struct store *store, struct report *report,
		      unsigned int max)
{
	struct runs *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->store = store;
	r->report = report;
	r->max = max;
	return r;
}

void runs_limit(struct runs *r, uint64_t files,
		const struct sender_limits *each)
{
	r->max_files = files;
	r->each = *each;
}

/* Whether had plus n exceeds limit; 0: no limit. */
static bool is_beyond(uint64_t had, uint64_t n, uint64_t limit)
{
	return limit && (had >= limit || n > limit - had);
}

/* Whether the file system has no inodes for n more files, or the sender would have
 * three quarters of them, and no limit was set for it. */
static bool is_greedy(const struct run *run, uint32_t n)
{
	const struct runs *r = run->all;
	uint64_t left = store_free_files(r->store), all = r->files + left;

	if (left == UINT64_MAX)
		return false;
	return left < n || (run->sender && !r->each.files &&
			    run->sender->files + n > all - all / 4);
}

/* Before n files or directories are made: all or none, as a part of them would
 * stay. */
static int count_files(struct run *run, uint32_t n)
{
	struct runs *r = run->all;

	if (is_beyond(r->files, n, r->max_files) ||
	    (run->sender &&
	     is_beyond(run->sender->files, n, r->each.files)))
		return -EDQUOT;
	if (is_greedy(run, n))
		return -ENFILE;
	r->files += n;
	if (run->sender)
		run->sender->files += n;
	return 0;
}

/* By address, too, as machines that share an identity may use the same number.
 * */
static struct run *find_run(const struct runs *r, const struct peer *peer,
			    uint32_t id)
{
	struct run *run = r->first;

	while (run && (run->has_token || run->id != id ||
		       strcmp(run->host, peer->host) ||
		       strcmp(run->address, peer->address)))
		run = run->next;
	return run;
}

/* A run without a directory. */
static struct run *new_run(struct runs *r, const struct peer *peer, uint32_t id)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->host = strdup(peer->host);
	run->address = strdup(peer->address);
	if (!run->host || !run->address) {
		free(run->host);
		free(run->address);
		free(run);
		return NULL;
	}
	run->all = r;
	run->sender = peer->sender;
	if (run->sender) {
		run->sender->runs++;
		run->sender->heard_ms = time_now_ms();
	}
	run->id = id;
	run->next = r->first;
	r->first = run;
	r->count++;
	return run;
}

static struct disk *find_disk(const struct run *run, const char *name)
{
	struct disk *d = run->disks;

	while (d && strcmp(d->name, name))
		d = d->next;
	return d;
}

static struct disk *new_disk(struct run *run, const char *name)
{
	struct disk *d = calloc(1, sizeof(*d)), **at = &run->disks;

	if (!d)
		return NULL;
	memcpy(d->name, name, strlen(name) + 1);
	while (*at)
		at = &(*at)->next;
	*at = d;
	return d;
}

/* Raises the disk's number of CPUs; connections should agree on it, else the
 * largest counts. */
static int disk_grow(struct run *run, struct disk *d, uint32_t cpus)
{
	if (cpus <= d->cpus)
		return 0;
	for (uint32_t i = d->cpus; i < cpus && i < RUN_FILES_EARLY; i++) {
		int err = store_dir_add(run->dir, d->name, i);

		if (err)
			return err;
	}
	run->files += cpus - d->cpus;
	d->cpus = cpus;
	return 0;
}

/* Makes its file, so that the open's answer shows a failure. */
static int new_lane(struct run *run, struct disk *d, uint32_t cpu,
		    struct run_lane **out)
{
	struct run_lane *l = calloc(1, sizeof(*l));
	int err;

	if (!l)
		return -ENOMEM;
	l->run = run;
	l->disk = d;
	l->cpu = cpu;
	l->file = store_file_new(run->dir, d->name, cpu);
	err = l->file ? 0 : -ENOMEM;
	/* disk_grow() has made the others */
	if (!err && cpu >= RUN_FILES_EARLY)
		err = store_dir_add(run->dir, d->name, cpu);
	if (!err)
		err = hash_put(&d->lanes, cpu, l);
	if (err) {
		store_file_free(l->file);
		free(l);
		return err;
	}
	run->lanes++;
	run->open++;
	*out = l;
	return 0;
}

/* Makes its file later, with its content. */
static int new_card(struct run *run, struct disk *d, struct run_lane **out)
{
	struct run_lane *l = calloc(1, sizeof(*l));

	if (!l || hash_put(&d->lanes, NET_CPU_CARD, l)) {
		free(l);
		return -ENOMEM;
	}
	l->run = run;
	l->disk = d;
	l->cpu = NET_CPU_CARD;
	run->cards++;
	run->open++;
	*out = l;
	return 0;
}

/* s; the time of day may be set. */
static time_t steady_now(void)
{
	return (time_t)(time_now() / NS_PER_SECOND);
}

static int make_dir(struct run *run, const struct peer *peer)
{
	int err = store_dir_new(run->all->store, run->host, peer->since,
				&run->dir);

	if (!err && run->has_token)
		err = tokens_add(run->all->tokens, run->token,
				 store_dir_name(run->dir), run->host,
				 steady_now());
	if (!err)
		report_note(run->all->report, "%s: run %u goes to %s",
			    run->host, run->id, store_dir_name(run->dir));
	return err;
}

static uint32_t early_files(uint32_t cpus)
{
	return cpus < RUN_FILES_EARLY ? cpus : RUN_FILES_EARLY;
}

/* Whether a file has to be made; in a directory of ours none is there before. */
static bool has_no_file(const struct run *run, const char *device, uint32_t cpu)
{
	return !run->resumed || !store_dir_has(run->dir, device, cpu);
}

/* How many files and directories an open makes, of which cpus of its device will
 * then be known, and had are. */
static uint32_t files_to_make(const struct run *run, const struct net_header *h,
			      uint32_t had, uint32_t cpus)
{
	uint32_t n = run->dir ? 0 : 1 + run->has_token;

	for (uint32_t i = early_files(had); i < early_files(cpus); i++)
		n += has_no_file(run, h->name, i);
	if (h->cpu == NET_CPU_CARD)
		return n + !run->resumed;
	return n + (h->cpu >= RUN_FILES_EARLY &&
		    has_no_file(run, h->name, h->cpu));
}

/* Whether an open is accepted, before anything is made; counts the files and
 * directories that it makes. */
static int accept_open(struct run *run, const struct disk *d,
		       const struct net_header *h)
{
	bool card = h->cpu == NET_CPU_CARD;
	uint32_t had = d ? d->cpus : 0;
	uint32_t cpus = card || h->max_cpus < had ? had : h->max_cpus;

	/* two writers would damage the file */
	if (d && hash_get(&d->lanes, h->cpu))
		return -EBUSY;
	if (run->files + run->cards + (cpus - had) + card > RUN_FILES_MAX)
		return -EMFILE;
	return count_files(run, files_to_make(run, h, had, cpus));
}

static int open_lane(struct run *run, const struct peer *peer,
		     const struct net_header *h, struct run_lane **l)
{
	struct disk *d = find_disk(run, h->name);
	int err = accept_open(run, d, h);

	if (!err && !run->dir)
		err = make_dir(run, peer);
	if (err)
		return err;
	if (!d)
		d = new_disk(run, h->name);
	if (!d)
		return -ENOMEM;
	if (h->cpu != NET_CPU_CARD)
		err = disk_grow(run, d, h->max_cpus);
	if (err)
		return err;
	return h->cpu == NET_CPU_CARD ? new_card(run, d, l) :
					new_lane(run, d, h->cpu, l);
}

static const char *open_error(int err)
{
	switch (err) {
	case -EBUSY:
		return "already open";
	case -EMFILE:
		return "too many devices and CPUs";
	case -EDQUOT:
		return "--max-files is reached";
	case -ENFILE:
		return "too few free inodes";
	default:
		return strerror(-err);
	}
}

/* A new run, or NULL and the reason. */
static struct run *admit(struct runs *r, const struct peer *peer, uint32_t id,
			 const char **why)
{
	struct run *run;

	*why = NULL;
	if (r->max && r->count >= r->max)
		*why = "too many clients";
	else if (peer->sender &&
		 is_beyond(peer->sender->runs, 1, r->each.runs))
		*why = "too many runs from there";
	if (*why)
		return NULL;
	run = new_run(r, peer, id);
	if (!run)
		*why = strerror(ENOMEM);
	return run;
}

const char *run_lane_open(struct runs *r, const struct peer *peer,
			  const struct net_header *h, struct run_lane **l)
{
	struct run *run = find_run(r, peer, h->run);
	const char *why;
	int err;

	if (!run)
		run = admit(r, peer, h->run, &why);
	if (!run)
		return why;
	err = open_lane(run, peer, h, l);
	if (!err)
		return NULL;
	if (!run->open)
		run_free(run);
	return open_error(err);
}

/* --- runs that may be resumed --------------------------------------------- */

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
	known = tokens_find(r->tokens, h->token, steady_now());
	if (known && is_stranger(known, peer))
		return "it is another sender's run";
	run = find_claimed(r, h->token);
	if (run)
		run->owner.taken(run->owner.ctx);
	run = admit(r, peer, h->run, &why);
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
	return strerror(-err);
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
	int err = open_lane(run, peer, h, l);

	*found = (struct run_found){ .extra = 0 };
	run->heard |= stored > 0;
	if (!err && h->cpu != NET_CPU_CARD) {
		err = set_length(*l, stored, cut, found);
		if (err)
			run_lane_close(*l);
	}
	return err ? open_error(err) : NULL;
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
	uint64_t n = l->file ? walk_tail(&l->walk) : 0;

	if (n)
		store_file_cut(l->file, n);
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
	store_file_free(l->file);
	l->file = NULL;
}

void run_finish(struct run *run)
{
	int err;

	each_lane(run, tell_lost);
	each_lane(run, close_file);
	err = tokens_end(run->all->tokens, run->token, steady_now());
	/* the sender asks again, and ends it again */
	if (err)
		report_warn(run->all->report, "%s: run %u: its end cannot be"
			    " noted: %s", run->host, run->id, strerror(-err));
	run_end(run);
}

void run_leave(struct run *run)
{
	each_lane(run, cut_half);
	each_lane(run, close_file);
	run_free(run);
}

static uint64_t less(uint64_t had, uint64_t n)
{
	return n < had ? had - n : 0;
}

void runs_forget(struct runs *r, struct sender *sender, uint64_t bytes,
		 uint64_t files)
{
	r->files = less(r->files, files);
	if (!sender)
		return;
	sender->bytes = less(sender->bytes, bytes);
	sender->files = less(sender->files, files);
}

unsigned int runs_count(const struct runs *r)
{
	return r->count;
}

void runs_free(struct runs *r)
{
	free(r);
}

/* --- lanes ---------------------------------------------------------------- */

uint32_t run_lane_cpu(const struct run_lane *l)
{
	return l->cpu;
}

const char *run_lane_device(const struct run_lane *l)
{
	return l->disk->name;
}

bool run_lane_is_silent(const struct run_lane *l)
{
	return !l->run->heard;
}

/* Of len bytes, those that the sender may still store. */
static size_t room_of(const struct run *run, size_t len)
{
	if (!run->sender)
		return len;
	return sender_room(run->sender, &run->all->each, len, time(NULL));
}

int run_lane_write(struct run_lane *l, const uint8_t *bytes, size_t len)
{
	size_t fits = room_of(l->run, len), stored;
	int err = store_file_write(l->file, bytes, fits, &stored);

	if (!err && fits < len)
		err = -EDQUOT;
	l->run->heard = true;
	if (l->run->sender)
		sender_stored(l->run->sender, stored);
	walk_add(&l->walk, bytes, stored);
	return err;
}

/* Does not count as data, unless the run has a token, whose sender may be told
 * nothing new for hours. */
int run_lane_card(struct run_lane *l, const void *bytes, size_t len)
{
	int err;

	if (room_of(l->run, len) < len)
		return -EDQUOT;
	err = store_dir_card(l->run->dir, l->disk->name, bytes, len);
	if (!err && l->run->sender)
		sender_stored(l->run->sender, len);
	l->run->heard |= l->run->has_token;
	return err;
}

void run_lane_set_drops(struct run_lane *l, uint32_t drops)
{
	l->disk->drops = drops;
}

/* Cuts off a partial record at the end, unless it is no trace. */
static void cut_tail(struct run_lane *l)
{
	struct report *report = l->run->all->report;
	uint64_t n = walk_tail(&l->walk);
	int err;

	if (l->walk.lost)
		report_warn(report, "%s/%s.blktrace.%u: no trace records from"
			    " byte %" PRIu64 " on; kept as received",
			    store_dir_name(l->run->dir), l->disk->name, l->cpu,
			    l->walk.whole);
	if (!n)
		return;
	err = store_file_cut(l->file, n);
	if (err) {
		report_warn(report, "%s/%s.blktrace.%u: cannot cut off half a"
			    " record: %s", store_dir_name(l->run->dir),
			    l->disk->name, l->cpu, strerror(-err));
		return;
	}
	l->cut = n;
	report_warn(report, "%s/%s.blktrace.%u: byte %" PRIu64 ": half a"
		    " record at the end, %" PRIu64 " bytes cut off",
		    store_dir_name(l->run->dir), l->disk->name, l->cpu,
		    l->walk.whole, n);
}

void run_lane_close(struct run_lane *l)
{
	struct run *run = l->run;

	if (!run->has_token)
		cut_tail(l);
	store_file_free(l->file);
	l->file = NULL;
	if (--run->open == 0 && !run->has_token)
		run_end(run);
}
