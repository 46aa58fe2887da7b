/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run is made of; for server/runs' own files. */
#ifndef SERVER_RUNS_IMPL_H
#define SERVER_RUNS_IMPL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/hash.h"
#include "base/time.h"
#include "net.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/walk.h"

struct run_lane {
	struct run *run;
	struct disk *disk;
	uint32_t cpu;
	struct store_file *file;	/* NULL: closed, or a card's */
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

/* s; the time of day may be set. */
static inline time_t run_steady_now(void)
{
	return (time_t)(time_now() / NS_PER_SECOND);
}

/* a new run, or NULL and why */
struct run *run_admit(struct runs *r, const struct peer *peer, uint32_t id,
		      const char **why);

/* opens a lane, and makes what the run lacks for it; 0 and *l, or -errno */
int run_open_lane(struct run *run, const struct peer *peer,
		  const struct net_header *h, struct run_lane **l);

/* that -errno in words, a constant text */
const char *run_open_error(int err);

/* --- runs_files ----------------------------------------------------------- */

/* how many files an open makes, of which cpus of its device will then be known,
 * and had are */
uint32_t run_files_to_make(const struct run *run, const struct net_header *h,
			   uint32_t had, uint32_t cpus);

/* makes the files of a device's CPUs from had on, up to RUN_FILES_EARLY; 0 or
 * -errno */
int run_files_grow(struct run *run, const char *device, uint32_t had,
		   uint32_t cpus);

/* what the lane writes to; 0 or -errno */
int run_files_open(struct run_lane *l);

/* --- the end -------------------------------------------------------------- */

/* prints the totals, and frees the run */
void run_end(struct run *run);

/* its lanes are closed */
void run_free(struct run *run);

#endif
