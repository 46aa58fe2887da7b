/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run is made of; for server/runs' own files. */
#ifndef SERVER_RUNS_IMPL_H
#define SERVER_RUNS_IMPL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/hash.h"
#include "base/ring.h"
#include "base/time.h"
#include "net.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/walk.h"

struct run_lane {
	struct run *run;
	struct disk *disk;
	uint32_t cpu;
	/* one of these; NULL: closed, or a card's */
	struct store_file *file;
	struct packed_member *member;	/* of a packed run */
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

/* what a packed run has gathered; alone if that is nothing */
struct gathering {
	struct ring ring;
	struct run *of;
	int64_t due;		/* when it is put, in ms */
};

struct run {
	struct run *next;
	struct runs *all;
	char *host, *address;	/* of its peer */
	struct sender *sender;	/* or NULL */
	uint32_t id;
	struct store_dir *dir;
	struct packed_run *packed;	/* NULL: it has plain files */
	struct gathering gathering;
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
	bool pack;		/* new runs */
	struct packer *packer;	/* of packed runs, in turns; or NULL */
	struct unpacker *unpacker;
	struct ring gathering;	/* in order of time */
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

/* --- runs_files: plain or packed ------------------------------------------- */

/* Decides it, once the run has its directory.  0 or -errno. */
int run_files_begin(struct run *run);

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

/* drops n bytes at the lane's end, which are no whole record; 0 or -errno */
int run_files_cut(struct run_lane *l, uint64_t n);

/* ends the writing of a lane; 0 or -errno */
int run_files_close(struct run_lane *l);

/* what the run still lacks at its end, or when it is left; 0 or -errno */
int run_files_end(struct run *run);
int run_files_leave(struct run *run);

void run_files_free(struct run *run);

/* prints the totals, and frees the run */
void run_end(struct run *run);

/* its lanes are closed */
void run_free(struct run *run);

#endif
