/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A linear axis: numbers to places, with ticks at round numbers, 1, 2, 2.5 or
 * 5 times a power of ten apart.
 */
#ifndef STAT_SCALE_H
#define STAT_SCALE_H

struct scale {
	double low, high;	/* what the axis shows; low < high */
	double from, to;	/* the places of these two */
	double step;		/* between ticks, */
	double first;		/* the first of them, */
	unsigned int ticks;	/* so many */
	unsigned int decimals;	/* that a tick's number needs */
};

/* ticks that may be asked for at most */
enum { SCALE_TICKS = 64 };

/*
 * An axis of just these ends, with so many ticks inside at most, 2 to
 * SCALE_TICKS.  Ends that are no numbers, or not in order, become 0 and 1.
 */
void scale_set(struct scale *s, double low, double high, unsigned int ticks);

/* The same from 0 to a tick that is not below high: the last one. */
void scale_set_up_to(struct scale *s, double high, unsigned int ticks);

/* where the axis is */
void scale_place(struct scale *s, double from, double to);

/* the place of a number, at the nearer end if it is beyond */
double scale_at(const struct scale *s, double value);

/* the number of a tick, from 0 */
double scale_tick(const struct scale *s, unsigned int tick);

#endif
