/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is being collected: runs, identified by the sender and the number
 * that it gave; the devices of a run; and of each device a lane for
 * each CPU.
 *
 * A run begins when its first lane is opened.  It ends when the last open lane
 * is closed; then its totals are printed.
 */
#ifndef SERVER_RUNS_H
#define SERVER_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct net_header;		/* net.h */
struct run_lane;
struct report;			/* server/report.h */
struct runs;
struct sender;			/* server/senders.h */
struct sender_limits;
struct store;			/* server/store.h */

enum {
	/* files of a run: as many as our readers of one stream can follow */
	RUN_FILES_MAX = 1 << 16,
	/* CPUs below get an empty file at once; others when they are opened */
	RUN_FILES_EARLY = 1024,
	/* lines of a run for CPUs that were never opened: so many, and so many
	 * for each that was */
	RUN_IDLE_LINES = 64,
	RUN_IDLE_LINES_EACH = 15,
};

/* the other end of a connection */
struct peer {
	const char *host;	/* its identity, else its address as text */
	time_t since;		/* when it connected */
	struct sender *sender;	/* for which its runs count, or NULL */
	const char *address;	/* as text, in any case */
};

/* max: runs at a time, 0 for any number.  NULL: out of memory */
struct runs *runs_new(struct store *store, struct report *report,
		      unsigned int max);

/* files is how many may be made by all, 0: any number; *each is copied */
void runs_limit(struct runs *r, uint64_t files,
		const struct sender_limits *each);

/*
 * Opens the lane that the header *h names, and its run if it is the first.
 * NULL and *l; or the reason why not, a constant text.
 */
const char *run_lane_open(struct runs *r, const struct peer *peer,
			  const struct net_header *h, struct run_lane **l);

/* how many runs there are now */
unsigned int runs_count(const struct runs *r);

/* frees r; all lanes must have been closed */
void runs_free(struct runs *r);

/* whether l is of that device; then its CPU, NET_CPU_CARD for its card */
bool run_lane_is(const struct run_lane *l, const char *device);
uint32_t run_lane_cpu(const struct run_lane *l);
const char *run_lane_device(const struct run_lane *l);

/* whether no data of its run has come yet, by any lane */
bool run_lane_is_silent(const struct run_lane *l);

/* appends to the file; 0, or -errno: not all could be stored */
int run_lane_write(struct run_lane *l, const uint8_t *bytes, size_t len);

/*
 * Stores the card of l, which is for one: a whole one, in place of the last.
 * 0 or -errno.
 */
int run_lane_card(struct run_lane *l, const void *bytes, size_t len);

/* events the kernel dropped, for the whole device: the last call counts */
void run_lane_set_drops(struct run_lane *l, uint32_t drops);

/* closes l, which must not be used any more, and maybe ends its run */
void run_lane_close(struct run_lane *l);

#endif
