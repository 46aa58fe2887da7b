/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features of a perf.data; see perf_about.h.  A text is its length, 4 bytes,
 * and so many bytes, with NULs at the end.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "import/binary.h"
#include "import/import.h"
#include "import/perf_about.h"
#include "import/perf_attrs.h"

enum { CLOCK_DATA = 24 };	/* bytes */

/* a feature's bytes, of which at were read */
struct feature {
	const struct binary *b;
	const uint8_t *bytes;
	size_t at, len;
};

static const uint8_t *next(struct feature *f, size_t len)
{
	const uint8_t *p = f->bytes + f->at;

	if (len > f->len - f->at) {
		f->at = f->len;
		return NULL;
	}
	f->at += len;
	return p;
}

static uint32_t next_u32(struct feature *f)
{
	const uint8_t *p = next(f, 4);

	return p ? binary_u32(f->b, p) : 0;
}

static uint64_t next_u64(struct feature *f)
{
	const uint8_t *p = next(f, 8);

	return p ? binary_u64(f->b, p) : 0;
}

/* A text after what to has. */
static void next_text(struct feature *f, char to[PERF_ABOUT_TEXT])
{
	uint32_t len = next_u32(f);
	const uint8_t *p = next(f, len);
	size_t used = strlen(to);

	if (p)
		snprintf(to + used, PERF_ABOUT_TEXT - used, "%.*s", (int)len,
			 (const char *)p);
}

/* --- features ------------------------------------------------------------- */

static void read_host(struct perf_about *a, struct feature *f)
{
	*a->host = '\0';
	next_text(f, a->host);
}

static void read_kernel(struct perf_about *a, struct feature *f)
{
	*a->kernel = '\0';
	next_text(f, a->kernel);
}

static void read_version(struct perf_about *a, struct feature *f)
{
	strcpy(a->tool, "perf ");
	next_text(f, a->tool);
}

/* those there may be, and those that were online */
static void read_cpus(struct perf_about *a, struct feature *f)
{
	next_u32(f);
	a->cpus = next_u32(f);
}

static void read_command(struct perf_about *a, struct feature *f)
{
	uint32_t count = next_u32(f);

	*a->command = '\0';
	for (uint32_t i = 0; i < count && f->at < f->len; i++) {
		if (i && strlen(a->command) < PERF_ABOUT_TEXT - 1)
			strcat(a->command, " ");
		next_text(f, a->command);
	}
}

/* a version, the clock, and a time of day with that clock's then */
static void read_clock(struct perf_about *a, struct feature *f)
{
	next_u32(f);
	next_u32(f);
	a->clock_wall = next_u64(f);
	a->clock_time = next_u64(f);
	a->clock_known = f->len >= CLOCK_DATA && a->clock_wall;
}

static const struct {
	unsigned int number;
	void (*read)(struct perf_about *a, struct feature *f);
} features[] = {
	{ 3, read_host },
	{ 4, read_kernel },
	{ 5, read_version },
	{ 7, read_cpus },
	{ 11, read_command },
	{ 29, read_clock },
};

void perf_about_add(struct perf_about *a, const struct binary *b,
		    uint64_t feature, const uint8_t *bytes, size_t len)
{
	struct feature f = { b, bytes, 0, len };

	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		if (features[i].number == feature)
			features[i].read(a, &f);
}

/* --- clocks --------------------------------------------------------------- */

static const struct {
	int32_t number;
	const char *name;
} clocks[] = {
	{ CLOCK_REALTIME, "real time" },
	{ CLOCK_MONOTONIC, "monotonic" },
	{ CLOCK_MONOTONIC_RAW, "monotonic raw" },
	{ CLOCK_BOOTTIME, "boottime" },
	{ CLOCK_TAI, "TAI" },
};

static const char *clock_of(const struct perf_attr *one)
{
	if (!one || !one->clock_set)
		return "perf (local_clock)";
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
		if (clocks[i].number == one->clock)
			return clocks[i].name;
	return "unknown";
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void perf_about_fill(const struct perf_about *a, const struct perf_attr *one,
		     struct import_about *to)
{
	to->tool = *a->tool ? a->tool : "perf";
	to->command = or_null(a->command);
	to->host = or_null(a->host);
	to->kernel = or_null(a->kernel);
	to->cpus = a->cpus;
	to->clock = clock_of(one);
	to->wall = a->clock_known ||
		   (one && one->clock_set && one->clock == CLOCK_REALTIME);
}

uint64_t perf_about_shift(const struct perf_about *a)
{
	return a->clock_known ? a->clock_wall - a->clock_time : 0;
}
