/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways of a request; see script.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/synth/event.h"
#include "bench/synth/machine.h"
#include "bench/synth/script.h"
#include "bench/synth/step.h"

/* Direct IO on an idle disk: nothing is held back. */
static void plain(struct machine *m, struct cpu *c, struct request *rq)
{
	step_queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	step_insert_and_issue(m, c, rq);
}

/* A task holds its requests back for a moment, for neighbours to join. */
static void plugged(struct machine *m, struct cpu *c, struct request *rq)
{
	step_queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	step_plug(m, c, rq->disk);
	for (unsigned merges = dice_pick(&m->dice, 4); merges > 1; merges--)
		step_merge(m, c, rq);
	step_unplug(m, c, rq->disk, 1);
	step_insert_and_issue(m, c, rq);
}

/* The driver has no room and takes the request at the second attempt. */
static void requeue(struct machine *m, struct cpu *c, struct request *rq)
{
	step_queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	step_insert(m, c, rq);
	step_issue(m, c, rq);
	event(m, c, rq, ACTION(REQUEUE) | CAT(REQUEUE) | CAT(FS));
	step_issue(m, c, rq);
	step_complete_later(m, c, rq);
}

/* Longer than the disk takes at once: two requests, completing apart. */
static void split(struct machine *m, struct cpu *c, struct request *rq)
{
	struct request half = *rq;
	uint8_t payload[8];

	rq->bytes = half.bytes = 2 * PAGE << dice_pick(&m->dice, 5);
	step_queue(m, c, rq);
	half.bytes /= 2;
	put_be64(payload, rq->sector + half.bytes / SECTOR);
	event_with(m, c, &half, ACTION(SPLIT), payload, sizeof(payload));
	event(m, c, &half, BIO(GETRQ));
	step_insert_and_issue(m, c, &half);
	half.sector += half.bytes / SECTOR;
	event(m, c, &half, BIO(GETRQ));
	step_insert_and_issue(m, c, &half);
}

/* Trimming: a write without data. */
static void discard(struct machine *m, struct cpu *c, struct request *rq)
{
	rq->flags = WRITE_OP | CAT(DISCARD) | CAT(SYNC);
	plain(m, c, rq);
}

/* A journal's commit: flush the disk's cache first, then write through. */
static void commit(struct machine *m, struct cpu *c, struct request *rq)
{
	struct request flush = {
		.disk = rq->disk,
		.flags = READ_OP | CAT(FLUSH),
	};

	rq->flags = WRITE_OP | CAT(FLUSH) | CAT(FUA) | CAT(SYNC) | CAT(META);
	step_queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	step_issue(m, c, &flush);
	event(m, c, &flush, ACTION(COMPLETE) | CAT(COMPLETE) | CAT(FS));
	rq->flags &= ~CAT(FLUSH);
	step_insert_and_issue(m, c, rq);
}

/* A scheduler's remark: always flagged with a cgroup id by real kernels. */
static void message(struct machine *m, struct cpu *c, struct request *rq)
{
	const uint32_t cgroup[2] = { 1, 0 };
	char text[64];
	int n;

	memcpy(text, cgroup, sizeof(cgroup));
	n = snprintf(text + sizeof(cgroup), sizeof(text) - sizeof(cgroup),
		     "bfq%" PRIu32 "S add_request 1", c->current->pid);
	plain(m, c, rq);
	event_note(m, c, rq->disk, NOTE(MESSAGE) | BLK_CGROUP_FLAG, text,
		   sizeof(cgroup) + (size_t)n);
}

/* How often each happens; the first two make up most of a real trace. */
static const struct script {
	unsigned weight;	/* of 1000 */
	void (*run)(struct machine *, struct cpu *, struct request *);
} scripts[] = {
	{ 580, plain }, { 388, plugged }, { 15, commit }, { 6, discard },
	{ 6, split }, { 3, requeue }, { 2, message },
};

void script_run(struct machine *m, struct cpu *c, struct request *rq)
{
	const struct script *s = scripts;

	for (unsigned at = dice_pick(&m->dice, 1000); at >= s->weight; s++)
		at -= s->weight;
	s->run(m, c, rq);
}
