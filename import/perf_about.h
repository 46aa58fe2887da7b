/* SPDX-License-Identifier: GPL-2.0-only */
/* What a perf.data says about where and how it was recorded: its features. */
#ifndef IMPORT_PERF_ABOUT_H
#define IMPORT_PERF_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binary;			/* import/binary.h */
struct import_about;		/* import/import.h */
struct perf_attr;		/* import/perf_attrs.h */

enum {
	PERF_TRACING_DATA = 1,	/* the feature that is no text: formats */
	PERF_FEATURES = 256,	/* numbers are below */
	PERF_FEATURE_MAX = 16384,	/* bytes that perf_about_add() needs */
	PERF_ABOUT_TEXT = 256,
};

struct perf_about {
	char host[PERF_ABOUT_TEXT], kernel[PERF_ABOUT_TEXT];	/* or "" */
	char tool[PERF_ABOUT_TEXT];	/* "perf 6.1.192", or "" */
	char command[PERF_ABOUT_TEXT];	/* perf's, cut short; or "" */
	uint32_t cpus;
	bool clock_known;	/* the time of day at a time of its clock: */
	uint64_t clock_wall, clock_time;	/* ns */
};

/* Reads a feature's bytes; of no interest are most of them. */
void perf_about_add(struct perf_about *a, const struct binary *b,
		    uint64_t feature, const uint8_t *bytes, size_t len);

/* What is known of a recording, as long as *a stays; its times are those of
 * one, NULL: of none. */
void perf_about_fill(const struct perf_about *a, const struct perf_attr *one,
		     struct import_about *to);

/* what is to be added to times, modulo 2^64, so that they are since 1970; 0: it
 * is unknown, or they are */
uint64_t perf_about_shift(const struct perf_about *a);

#endif
