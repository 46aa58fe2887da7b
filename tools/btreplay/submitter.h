/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that submits a replay file's I/Os, each bunch at its time. */
#ifndef TOOLS_BTREPLAY_SUBMITTER_H
#define TOOLS_BTREPLAY_SUBMITTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "replay/bunch.h"
#include "tools/btreplay/order.h"
#include "tools/btreplay/pace.h"

struct channel;			/* tools/btreplay/channel.h */
struct bunch_log;			/* tools/btreplay/bunch_log.h */
struct barrier;			/* tools/btreplay/barrier.h */
struct bunch_reader;		/* replay/bunch_reader.h */
struct replay_options;		/* tools/btreplay/options.h */

struct submitter_options {
	struct bunch_reader *reader;
	struct channel *channel;
	struct barrier *barrier;
	const struct replay_options *options;
	struct bunch_log *log;	/* or NULL */
	unsigned int iterations;
	unsigned int cpu;	/* to run on, of those the process may use */
	uint64_t genesis;	/* ns, start of the recorded time */
	double factor;		/* times after it are divided by this */
	bool no_stalls;		/* every bunch as soon as there is room */
	uint64_t spin_max;	/* ns */
	atomic_bool *halt;	/* ends all threads; a failing one sets it */
};

/* a bunch's I/Os to send; a write with a flush before it is two */
struct sending {
	struct packet packets[2 * BUNCH_MAX];
	struct order_item places[2 * BUNCH_MAX];
	bool ordered[2 * BUNCH_MAX];	/* has a place */
	unsigned int count;
};

struct submitter {
	struct submitter_options o;
	struct pace pace;
	struct sending sending;
	struct order_place place;	/* position in the order */
	uint64_t origin;	/* ns, start of this iteration */
	uint64_t last_due, last_at;	/* of the last I/O; 0: none yet */

	/* to read after joining the thread: */
	struct histogram late;	/* ns after each was due */
	struct histogram gap;	/* ns, error of each gap */
	bool broken;		/* the file could not be read again */
};

/* 0, or -ENOMEM */
int submitter_init(struct submitter *f, const struct submitter_options *o);

/* frees what it measured; f may be all zero */
void submitter_free(struct submitter *f);

/* the thread's function; its argument is a struct submitter */
void *submitter_run(void *submitter);

#endif
