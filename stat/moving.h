/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of the last while: of ten parts of it the oldest is forgotten when a
 * new one begins.
 */
#ifndef STAT_MOVING_H
#define STAT_MOVING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"

enum { MOVING_PARTS = 10 };

struct moving {
	uint64_t step;		/* ns, a tenth of the while */
	uint64_t begin;		/* ns, where the newest part begins; 0: it has
				 * not begun */
	unsigned int newest;
	struct histogram parts[MOVING_PARTS];
	struct histogram all;	/* of the while that ended with the last step */
};

/* zeroed before; over: ns, at least 10 */
void moving_init(struct moving *m, uint64_t over);

/* adds a number; 0, -ENOMEM or -EOVERFLOW */
int moving_add(struct moving *m, uint64_t value);

/*
 * It is that late; whether a step has been made, and all is new.  Call until it
 * returns false.
 */
bool moving_step(struct moving *m, uint64_t now);

void moving_free(struct moving *m);

#endif
