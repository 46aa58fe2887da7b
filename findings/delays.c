/* SPDX-License-Identifier: GPL-2.0-only */
/* Where requests spend their time; see delays.h. */
#include "findings/delays.h"
#include "request/io.h"

static const uint64_t LONG = 1000000;	/* ns */

static bool add_where(struct delays *w, const struct io *io,
		      enum delays_where where, enum io_phase phase)
{
	bool is_long;

	if (!(io->has & 1U << phase))
		return false;
	is_long = io->phase[phase] >= LONG;
	wide_add(&w->sums[where], io->phase[phase]);
	w->counts[where]++;
	w->often[where] += is_long;
	return is_long;
}

bool delays_add(struct delays *w, const struct io *io)
{
	bool plugged;

	if (io->birth == 'Q' || io->birth == 'X')
		wide_add(&w->total, io->total);
	add_where(w, io, DELAYS_REQUEST, IO_Q2G);
	add_where(w, io, DELAYS_SCHEDULER, IO_I2D);
	plugged = add_where(w, io, DELAYS_PLUG, IO_G2I);
	if (plugged && io->rq_ios)
		w->gained += io->rq_ios - 1;
	return plugged;
}
