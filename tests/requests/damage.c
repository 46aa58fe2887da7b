/* SPDX-License-Identifier: GPL-2.0-only */
/* See damage.h. */
#include "tests/requests/damage.h"

#include <stdlib.h>

#include "base/msg.h"
#include "request/joiner.h"
#include "tests/requests/dice.h"
#include "tests/requests/trace.h"

enum {
	PAYLOAD = 20,		/* bytes of a changed one, at most */
	NO_ACTION = 25		/* a number that no kernel has */
};

struct damage {
	struct dice *dice;
	struct run *run;
	uint8_t *payloads;	/* room for that of each event */
};

/* --- what is done to the run's last event -------------------------------- */

static void drop(struct damage *d, struct event *ev)
{
	(void)ev;
	d->run->count--;
}

static void twice(struct damage *d, struct event *ev)
{
	d->run->events[d->run->count++] = *ev;
}

static void swap(struct damage *d, struct event *ev)
{
	struct event other = *ev;

	if (d->run->count < 2)
		return;
	*ev = ev[-1];
	ev[-1] = other;
}

static void move(struct damage *d, struct event *ev)
{
	static const int64_t steps[] = { -8, -1, 1, 8, 1ll << 40 };
	int64_t step = DICE_PICK(d->dice, steps);

	if (step < 0 && ev->sector < (uint64_t)-step)
		ev->sector = 0;
	else
		ev->sector += (uint64_t)step;
}

static void resize(struct damage *d, struct event *ev)
{
	const uint32_t sizes[] = { 0, 1, 512, 4096, ev->bytes * 2, UINT32_MAX };

	ev->bytes = DICE_PICK(d->dice, sizes);
}

static void rename_action(struct damage *d, struct event *ev)
{
	const uint32_t rest = ev->action & ~(uint32_t)0xff;

	ev->action = rest | (uint32_t)(1 + dice_below(d->dice, NO_ACTION));
}

static void flip_category(struct damage *d, struct event *ev)
{
	ev->action ^= 1u << (16 + dice_below(d->dice, 16));
}

static void forge(struct damage *d, struct event *ev)
{
	uint8_t *payload = d->payloads + PAYLOAD * (d->run->count - 1);

	ev->pid = (uint32_t)dice_roll(d->dice);
	ev->error = (uint16_t)dice_roll(d->dice);
	ev->pdu_len = (uint16_t)dice_below(d->dice, PAYLOAD);
	for (int i = 0; i < ev->pdu_len; i++)
		payload[i] = (uint8_t)dice_roll(d->dice);
	ev->payload = payload;
}

/* clocks of CPUs differ, and some go back */
static void rewind_clock(struct damage *d, struct event *ev)
{
	uint64_t most = 1u << (10 + dice_below(d->dice, 20));
	uint64_t back = dice_below(d->dice, most);

	ev->time -= back < ev->time ? back : ev->time;
}

static void (*const damages[])(struct damage *d, struct event *ev) = {
	drop, twice, swap, move, resize, rename_action, flip_category, forge,
	rewind_clock,
};

/* --- all of it ----------------------------------------------------------- */

static void tell_holes(struct damage *d)
{
	static const uint8_t which[] = { HOLE_BEGINS, HOLE_ENDS };

	for (size_t i = 0; i < d->run->count; i++)
		if (dice_once_in(d->dice, 1000))
			d->run->holes[i] = DICE_PICK(d->dice, which);
}

void damage_make(struct run *run, uint8_t **payloads, const struct trace *t,
		 struct dice *dice)
{
	/* one in so many */
	static const uint64_t rates[] = { 500, 50, 5 };
	const uint64_t rate = DICE_PICK(dice, rates);
	struct damage d = { dice, run, NULL };

	run_make(run, 2 * t->count);
	*payloads = d.payloads = calloc(2 * t->count + 1, PAYLOAD);
	if (!d.payloads)
		msg_die("no memory");
	for (size_t i = 0; i < t->count; i++) {
		struct event *ev = &run->events[run->count++];

		*ev = t->events[i];
		if (dice_once_in(dice, rate))
			DICE_PICK(dice, damages)(&d, ev);
	}
	tell_holes(&d);
}

void damage_bounds(struct joiner_bounds *b, struct dice *d)
{
	static const uint32_t ios[] = { 3, 40, 262144 }, looks[] = { 1, 256 },
		remaps[] = { 1, 4096 }, plugged[] = { 1, 1024 },
		pids[] = { 1, 2, 65536 }, chain[] = { 1, 32, 256 };

	*b = (struct joiner_bounds){
		.ios = DICE_PICK(d, ios),
		.remaps = DICE_PICK(d, remaps),
		.plugged = DICE_PICK(d, plugged),
		.pids = DICE_PICK(d, pids),
		.looks = DICE_PICK(d, looks),
		.chain = DICE_PICK(d, chain),
	};
}
