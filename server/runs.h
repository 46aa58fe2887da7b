/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs being collected, known by their sender and its number; their devices,
 * and a lane for each device and CPU.
 *
 * A run starts with its first open lane, and ends, printing its totals, when
 * the last one is closed.  One with a token ends when its sender says so: until
 * then it can be left and claimed again, also from another server.
 */
#ifndef SERVER_RUNS_H
#define SERVER_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct frame_hello;		/* net.h */
struct frame_totals;
struct net_header;
struct run;
struct run_lane;
struct report;			/* server/report.h */
struct runs;
struct sender;			/* server/senders.h */
struct sender_limits;
struct store;			/* server/store.h */
struct tokens;			/* server/tokens.h */
struct unpacker;		/* pack/unpacker.h */

enum {
	/* files of a run, as many as our readers can merge */
	RUN_FILES_MAX = 1 << 16,
	/* CPUs below it get an empty file at once, others when opened */
	RUN_FILES_EARLY = 1024,
	/* lines of a run for CPUs never opened: this number, plus this number
	 * for each opened one */
	RUN_IDLE_LINES = 64,
	RUN_IDLE_LINES_EACH = 15,
	/* bytes of a file beyond what its sender knows, read at most */
	RUN_EXTRA_MAX = 16 << 20,
	/* ms from the first record that a packed run gathers to the block */
	RUN_GATHER_MS = 1000,
};

/* the other end of a connection */
struct peer {
	const char *host;	/* its identity, else its address as text */
	time_t since;		/* when it connected */
	struct sender *sender;	/* whose limits its runs count for, or NULL */
	const char *address;	/* as text */
};

/* max: runs at a time, 0: any number; NULL: no memory */
struct runs *runs_new(struct store *store, struct report *report,
		      unsigned int max);

/* limits files made by all (0: any number), and each sender by a copy of *each
 * */
void runs_limit(struct runs *r, uint64_t files,
		const struct sender_limits *each);

/* stores new runs packed; the build must have libzstd, see pack/frame.h */
void runs_pack(struct runs *r);

/* for the caller until another call; NULL: no memory, or no libzstd */
struct unpacker *runs_unpacker(struct runs *r);

/* when to put what packed runs have gathered, ms as time_now_ms() has it;
 * INT64_MAX: nothing */
int64_t runs_deadline(const struct runs *r);
void runs_put_due(struct runs *r);

/* opens the lane that *h names, and its run if it is the first; NULL and *l; or
 * the reason for a refusal, a constant text */
const char *run_lane_open(struct runs *r, const struct peer *peer,
			  const struct net_header *h, struct run_lane **l);

/* what was removed counts no more for limits, of its sender (NULL: unknown) and in
 * all */
void runs_forget(struct runs *r, struct sender *sender, uint64_t bytes,
		 uint64_t files);

/* current runs */
unsigned int runs_count(const struct runs *r);

/* frees r; all lanes must have been closed */
void runs_free(struct runs *r);

/* --- runs that may be resumed --------------------------------------------- */

struct run_owner {
	/* another connection claims the run; calls run_leave() */
	void (*taken)(void *ctx);
	/* what the run has gathered is put, or cannot be; or NULL */
	void (*put)(void *ctx);
	void *ctx;
};

/* where their tokens are; before the first is claimed */
void runs_use_tokens(struct runs *r, struct tokens *tokens);

/* the run of a token, new or as it was left, without lanes; NULL and *run; or
 * the reason for a refusal, a constant text */
const char *run_claim(struct runs *r, const struct peer *peer,
		      const struct frame_hello *h,
		      const struct run_owner *owner, struct run **run);

/* whether its sender has ended it */
bool run_has_ended(const struct run *run);

/* a lane's file, compared with what its sender knows to be stored */
struct run_found {
	uint64_t extra;		/* bytes that it has beyond */
	uint64_t missing;	/* bytes that it lacks */
	uint64_t read;		/* bytes that were read for that */
};

/*
 * Opens a lane of which the sender knows that so many bytes are stored.  Beyond,
 * its file keeps whole records, or with cut nothing; it keeps nothing either if
 * this machine has been started anew.  NULL, *l and *found; or the reason for a
 * refusal, a constant text.
 */
const char *run_lane_resume(struct run *run, const struct peer *peer,
			    const struct net_header *h, uint64_t stored,
			    bool cut, struct run_lane **l,
			    struct run_found *found);

/* whether what was written waits to be put as a block: until then a killed
 * server loses it */
bool run_waits(const struct run *run);

/* puts it; 0 or -errno */
int run_put(struct run *run);

/* 0; or -errno: nothing more can be stored */
int run_error(const struct run *run);

/* all lanes of a run are open */
void run_checked(struct run *run);

/* what its sender has counted */
void run_lane_set_totals(struct run_lane *l, const struct frame_totals *t);

/* closes its lanes, prints the totals, and frees it */
void run_finish(struct run *run);

/* closes its lanes, without half a record, and frees it: another connection may
 * claim it */
void run_leave(struct run *run);

/* --- lanes ---------------------------------------------------------------- */

/* its CPU, NET_CPU_CARD for a card, and its device */
uint32_t run_lane_cpu(const struct run_lane *l);
const char *run_lane_device(const struct run_lane *l);

/* whether no lane of its run has had data yet */
bool run_lane_is_silent(const struct run_lane *l);

/* appends to the file; 0, or -errno: has not stored all.  A packed run gathers,
 * and reports a failure later, too. */
int run_lane_write(struct run_lane *l, const uint8_t *bytes, size_t len);

/* stores a complete card in place of the last one; l must be a card's.  0 or
 * -errno */
int run_lane_card(struct run_lane *l, const void *bytes, size_t len);

/* events of the device that the kernel dropped; the last call counts */
void run_lane_set_drops(struct run_lane *l, uint32_t drops);

/* closes and frees l, and ends its run with the last one; 0, or -errno: what it
 * had gathered could not be stored */
int run_lane_close(struct run_lane *l);

#endif
