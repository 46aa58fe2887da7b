/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run writes; see runs_impl.h. */
#include <errno.h>
#include <time.h>

#include "server/runs.h"
#include "server/runs_impl.h"
#include "server/senders.h"
#include "server/store.h"

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

	for (uint32_t i = early_files(had); i < early_files(cpus); i++)
		n += has_no_file(run, h->name, i);
	if (h->cpu == NET_CPU_CARD)
		return n + !run->resumed;
	return n + (h->cpu >= RUN_FILES_EARLY &&
		    has_no_file(run, h->name, h->cpu));
}

int run_files_grow(struct run *run, const char *device, uint32_t had,
		   uint32_t cpus)
{
	int err = 0;

	for (uint32_t i = had; !err && i < early_files(cpus); i++)
		err = store_dir_add(run->dir, device, i);
	return err;
}

int run_files_open(struct run_lane *l)
{
	struct run *run = l->run;
	const char *device = l->disk->name;

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
