/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of a trace.dat; see trace_dat_about.h.  Most are texts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/binary.h"
#include "import/import.h"
#include "import/trace_dat_about.h"

enum { OPTION_TEXT = 1024, COUNTER = 16, RSHIFT_MAX = 32 };

/* clocks that do not count ns */
static const char *const counters[] = { "counter", "x86-tsc", "ppc-tb" };

static void read_date(struct trace_dat_about *a, const char *text)
{
	a->shift += strtoull(text, NULL, 0) * 1000;
	a->wall = true;
}

static void read_offset(struct trace_dat_about *a, const char *text)
{
	a->shift += (uint64_t)strtoll(text, NULL, 0);
}

/* what per_cpu/cpu0/stats has, a number in each line */
static void read_stats(struct trace_dat_about *a, const char *text)
{
	static const char *const words[] = { "dropped events:",
					     "commit overrun:" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *at = strstr(text, words[i]);

		if (at)
			a->dropped += strtoull(at + strlen(words[i]), NULL, 10);
	}
}

/* the one of all clocks that is in brackets */
static void read_clock(struct trace_dat_about *a, const char *text)
{
	const char *begin = strchr(text, '[');
	size_t len = begin ? strcspn(++begin, "]") : 0;

	if (len)
		snprintf(a->clock, sizeof(a->clock), "%.*s", (int)len, begin);
}

/* "Linux HOST RELEASE MACHINE" */
static void read_uname(struct trace_dat_about *a, const char *text)
{
	sscanf(text, "%*127s %127s %127s", a->host, a->kernel);
}

static void read_version(struct trace_dat_about *a, const char *text)
{
	snprintf(a->tool, sizeof(a->tool), "trace-cmd %.*s",
		 (int)strcspn(text, "\n"), text);
}

static const struct {
	unsigned int id;
	void (*read)(struct trace_dat_about *a, const char *text);
} texts[] = {
	{ 1, read_date },
	{ 2, read_stats },
	{ 4, read_clock },
	{ 5, read_uname },
	{ 7, read_offset },
	{ 9, read_version },
};

enum { CPU_COUNT = 8, TSC2NSEC = 14 };

static void read_numbers(struct trace_dat_about *a, const struct binary *b,
			 unsigned int id, const uint8_t *bytes, size_t len)
{
	if (id == CPU_COUNT && len >= 4)
		a->cpus = binary_u32(b, bytes);
	if (id != TSC2NSEC || len < COUNTER)
		return;
	a->mult = binary_u32(b, bytes);
	a->rshift = binary_u32(b, bytes + 4);
	a->offset = binary_u64(b, bytes + 8);
	if (a->rshift > RSHIFT_MAX)
		a->mult = 0;
}

void trace_dat_about_add(struct trace_dat_about *a, const struct binary *b,
			 unsigned int id, const uint8_t *bytes, size_t len)
{
	char text[OPTION_TEXT];

	read_numbers(a, b, id, bytes, len);
	snprintf(text, sizeof(text), "%.*s", (int)len, (const char *)bytes);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].id == id)
			texts[i].read(a, text);
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void trace_dat_about_fill(const struct trace_dat_about *a,
			  struct import_about *to)
{
	to->tool = *a->tool ? a->tool : "trace-cmd";
	to->host = or_null(a->host);
	to->kernel = or_null(a->kernel);
	to->clock = *a->clock ? a->clock : "local";
	to->cpus = a->cpus;
	to->wall = a->wall;
}

bool trace_dat_about_has_time(const struct trace_dat_about *a)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (!strcmp(a->clock, counters[i]))
			return a->mult;
	return true;
}

/* stamp * mult >> rshift */
static uint64_t scaled(const struct trace_dat_about *a, uint64_t stamp)
{
	uint64_t high = (stamp >> 32) * a->mult;
	uint64_t low = (stamp & UINT32_MAX) * a->mult;

	return (high << (32 - a->rshift)) + (low >> a->rshift);
}

uint64_t trace_dat_about_time(const struct trace_dat_about *a, uint64_t stamp)
{
	if (a->mult)
		stamp = scaled(a, stamp) - a->offset;
	return stamp + a->shift;
}
