/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of a trace.dat, trace-cmd.dat(5): what is known of the recording. */
#ifndef IMPORT_TRACE_DAT_ABOUT_H
#define IMPORT_TRACE_DAT_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binary;			/* import/binary.h */
struct import_about;		/* import/import.h */

enum { TRACE_DAT_TEXT = 128 };

struct trace_dat_about {
	char host[TRACE_DAT_TEXT], kernel[TRACE_DAT_TEXT];
	char tool[TRACE_DAT_TEXT], clock[TRACE_DAT_TEXT];
	uint32_t cpus;
	bool wall;		/* shift makes times those of the day */
	uint64_t shift;		/* ns to add to a time */
	/* time stamp counters: times are (n * mult >> rshift) - offset */
	uint32_t mult, rshift;
	uint64_t offset;
	uint64_t dropped;	/* events that found no room */
};

/* takes an option's bytes; others than those of interest are passed over */
void trace_dat_about_add(struct trace_dat_about *a, const struct binary *b,
			 unsigned int id, const uint8_t *bytes, size_t len);

/* texts are those of a */
void trace_dat_about_fill(const struct trace_dat_about *a,
			  struct import_about *to);

/* whether stamps can be made ns */
bool trace_dat_about_has_time(const struct trace_dat_about *a);

/* ns of a time stamp in the ring buffer */
uint64_t trace_dat_about_time(const struct trace_dat_about *a, uint64_t stamp);

#endif
