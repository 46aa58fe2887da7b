/*
 * What is being collected: runs, told apart by the sender's address and its
 * own number; a run's devices; and of each device the lanes, a CPU each.
 *
 * A run begins with the first lane that is opened and ends, with its totals
 * on standard output, when the last open one is closed.
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
struct store;			/* server/store.h */

enum {
	/* files of a run: as many as a reader of one stream follows */
	RUN_FILES_MAX = 1 << 16,
	/* empty files are made at once for CPUs below; above, when opened */
	RUN_FILES_EARLY = 1024,
	/* lines of a run for CPUs that were never opened: so many, and so many
	 * for each that was */
	RUN_IDLE_LINES = 64,
	RUN_IDLE_LINES_EACH = 15,
};

/* whoever is at the other end of a connection */
struct peer {
	const char *host;	/* its address as text */
	time_t since;		/* when it connected */
};

/* max: runs at a time, 0 for any number.  NULL: out of memory */
struct runs *runs_new(struct store *store, struct report *report,
		      unsigned int max);

/*
 * Begins the lane that the open *h names, and its run if it is the first.
 * NULL and *l; or why not, a constant text.
 */
const char *run_lane_open(struct runs *r, const struct peer *peer,
			  const struct net_header *h, struct run_lane **l);

/* how many are going on */
unsigned int runs_count(const struct runs *r);

/* frees r, when all lanes have been closed */
void runs_free(struct runs *r);

/* whether l is of that device; then its CPU */
bool run_lane_is(const struct run_lane *l, const char *device);
uint32_t run_lane_cpu(const struct run_lane *l);
const char *run_lane_device(const struct run_lane *l);

/* 0, or -errno when not all could be stored */
int run_lane_write(struct run_lane *l, const uint8_t *bytes, size_t len);

/* the kernel's count for the whole device: the last one holds */
void run_lane_set_drops(struct run_lane *l, uint32_t drops);

/* the end of l, which is not to be used any more, and maybe of its run */
void run_lane_close(struct run_lane *l);

#endif
