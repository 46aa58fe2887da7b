/*
 * The thread that submits the I/Os of a replay file, each bunch at its time.
 */
#ifndef TOOLS_BTREPLAY_FEEDER_H
#define TOOLS_BTREPLAY_FEEDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/pace.h"
#include "tools/btreplay/spread.h"

struct channel;			/* tools/btreplay/channel.h */
struct diary;			/* tools/btreplay/diary.h */
struct fault;			/* tools/btreplay/fault.h */
struct gate;			/* tools/btreplay/gate.h */
struct recording;		/* replay/recording.h */

struct feeder_options {
	struct recording *recording;
	struct channel *channel;
	struct gate *gate;
	struct fault *fault;
	struct diary *diary;	/* or NULL */
	unsigned int iterations;
	unsigned int cpu;	/* to run on: the n-th that this process may */
	uint64_t genesis;	/* ns, when the recorded time begins */
	double factor;		/* times after it are divided by this */
	bool no_stalls;		/* every bunch as soon as there is room */
	uint64_t spin_max;	/* ns */
	atomic_bool *halt;	/* ends all threads; a failing one sets it */
};

struct feeder {
	struct feeder_options o;
	struct pace pace;
	uint64_t origin;	/* ns, when this iteration began */
	uint64_t last_due, last_at;	/* of the last I/O; 0: none yet */

	/* for whoever has joined the thread */
	struct spread late;	/* ns after the time each was due */
	struct spread gap;	/* ns that each gap was too long or short */
	uint64_t failed;	/* I/Os that were not taken */
	bool broken;		/* the file could not be read again */
};

void feeder_init(struct feeder *f, const struct feeder_options *o);

/* the thread's function; its argument is a struct feeder */
void *feeder_run(void *feeder);

#endif
