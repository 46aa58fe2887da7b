/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures of an I/O; see measure.h. */
#include <strings.h>

#include "stat/measure.h"

static const char *const derived[] = {
	[MEASURE_Q2C - IO_PHASES] = "q2c",
	[MEASURE_G2C - IO_PHASES] = "g2c",
	[MEASURE_Q2D - IO_PHASES] = "q2d",
	[MEASURE_TOTAL - IO_PHASES] = "total",
};

static bool has(const struct io *io, enum io_phase phase)
{
	return io->has >> phase & 1;
}

/* 0 if there is none */
static uint64_t span(const struct io *io, enum io_phase phase)
{
	return has(io, phase) ? io->phase[phase] : 0;
}

bool measure_derived(const struct io *io, unsigned int m, uint64_t *ns)
{
	switch (m) {
	case MEASURE_Q2C:
		*ns = io->total;
		return io->birth == 'Q';
	case MEASURE_G2C:
		*ns = io->total - span(io, IO_Q2G);
		return has(io, IO_Q2G) || io->birth == 'G';
	case MEASURE_TOTAL:
		*ns = io->total;
		return true;
	default:
		*ns = io->total - span(io, IO_REQUEUE) - span(io, IO_D2C) -
		      span(io, IO_POSTFLUSH);
		return has(io, IO_D2C) && io->birth == 'Q';
	}
}

const char *measure_name(unsigned int m)
{
	return m < IO_PHASES ? io_phase_name(m) : derived[m - IO_PHASES];
}

int measure_find(const char *name)
{
	for (unsigned int m = 0; m < MEASURES; m++)
		if (!strcasecmp(measure_name(m), name))
			return (int)m;
	return -1;
}
