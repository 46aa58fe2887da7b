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
#include "pack/packer.h"
#include "pack/unpacker.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/runs_impl.h"
#include "server/senders.h"
#include "server/store.h"
#include "server/tokens.h"
#include "server/walk.h"

/* --- the end of a run ----------------------------------------------------- */

static void disk_free(struct disk *d)
{
	for (size_t i = 0; d->lanes.slots && i <= d->lanes.mask; i++)
		free(d->lanes.slots[i].value);
	hash_free(&d->lanes);
	free(d);
}

void run_free(struct run *run)
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
	run_files_free(run);
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

void run_end(struct run *run)
{
	struct report *report = run->all->report;
	uint64_t events = 0, drops = 0;
	int err = run_files_end(run);

	if (err)
		report_warn(report, "%s: run %u: its packed file has no end:"
			    " %s", run->host, run->id, strerror(-err));
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
	ring_init(&r->gathering);
	return r;
}

void runs_limit(struct runs *r, uint64_t files,
		const struct sender_limits *each)
{
	r->max_files = files;
	r->each = *each;
}

/* Whether n more than had exceed limit; 0: no limit. */
static bool is_beyond(uint64_t had, uint64_t n, uint64_t limit)
{
	return limit && n && (had >= limit || n > limit - had);
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
	run->gathering.of = run;
	ring_init(&run->gathering.ring);
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
	int err;

	if (cpus <= d->cpus)
		return 0;
	err = run_files_grow(run, d->name, d->cpus, cpus);
	if (err)
		return err;
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
	err = run_files_open(l);
	if (!err)
		err = hash_put(&d->lanes, cpu, l);
	if (err) {
		store_file_free(l->file);
		free(l);
		return err;
	}
	if (cpu == NET_CPU_CARD)
		run->cards++;
	else
		run->lanes++;
	run->open++;
	*out = l;
	return 0;
}

static int make_dir(struct run *run, const struct peer *peer)
{
	int err = store_dir_new(run->all->store, run->host, peer->since,
				&run->dir);

	if (!err && run->has_token)
		err = tokens_add(run->all->tokens, run->token,
				 store_dir_name(run->dir), run->host,
				 run_steady_now());
	if (!err)
		err = run_files_begin(run);
	if (!err)
		report_note(run->all->report, "%s: run %u goes to %s",
			    run->host, run->id, store_dir_name(run->dir));
	return err;
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
	return count_files(run, run_files_to_make(run, h, had, cpus));
}

int run_open_lane(struct run *run, const struct peer *peer,
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
	return new_lane(run, d, h->cpu, l);
}

const char *run_open_error(int err)
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
	case -EOPNOTSUPP:
		return "built without libzstd, which packs traces";
	default:
		return strerror(-err);
	}
}

/* A new run, or NULL and the reason. */
struct run *run_admit(struct runs *r, const struct peer *peer, uint32_t id,
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
		run = run_admit(r, peer, h->run, &why);
	if (!run)
		return why;
	err = run_open_lane(run, peer, h, l);
	if (!err)
		return NULL;
	if (!run->open)
		run_free(run);
	return run_open_error(err);
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
	if (!r)
		return;
	packer_free(r->packer);
	unpacker_free(r->unpacker);
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
	err = run_files_cut(l, n);
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

int run_lane_close(struct run_lane *l)
{
	struct run *run = l->run;
	int err;

	if (!run->has_token)
		cut_tail(l);
	err = run_files_close(l);
	if (--run->open == 0 && !run->has_token)
		run_end(run);
	return err;
}
