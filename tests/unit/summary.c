/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary of devices: blocks, units, cut names, the start. */
#include <time.h>

#include "counted.h"
#include "emit/summary.h"
#include "record/clock.h"

enum { R = STATS_READ, W = STATS_WRITE };

static struct counter *counter(struct rig *r, enum stats_kind kind, int dir)
{
	return &r->here->counters.io[kind][dir];
}

/* the device summary has this somewhere in it */
static void check_has(struct rig *r, const char *text)
{
	char *got;

	r->page.out.len = 0;
	summary_devices(&r->page.out, &r->stats, &r->page.devices);
	got = strndup(r->page.out.data, r->page.out.len);
	if (!strstr(got, text))
		assert_string_equal(got, text);
	free(got);
}

#define EMPTY_TOTALS                                                         \
	"\nThroughput (R/W): 0KiB/s / 0KiB/s\nEvents (sda): 0 entries\n"     \
	"Skips: 0 forward (0 -   0.0%)\n"

/* --- tests --------------------------------------------------------------- */

/* a CPU without anything counted, to the last blank */
static void test_empty_cpu(void **state)
{
	struct rig *r = *state;

	summary_devices(&r->page.out, &r->stats, &r->page.devices);
	page_check(&r->page, "CPU1 (sda):\n" EMPTY_BLOCK
		   " Read depth:             0        \t"
		   " Write depth:             0\n" EMPTY_UNPLUGS EMPTY_TOTALS);
}

/* a device without events has its totals, behind an empty line */
static void test_no_events(void **state)
{
	struct rig *r = *state;
	struct devices none = { 0 };

	device_add(&none, "sda", 0, 0);
	device_add(&none, "sda", 0, 0);
	stats_free(&r->stats);
	summary_devices(&r->page.out, &r->stats, &none);
	page_check(&r->page, EMPTY_TOTALS "\n" EMPTY_TOTALS);
	devices_free(&none);
}

/* two CPUs or more have a sum, without depths */
static void test_total(void **state)
{
	struct rig *r = *state;
	struct lane *other = device_cpu(&r->page.devices,
					r->page.lane->device, 4);

	counter(r, STATS_QUEUED, R)->count = 3;
	r->here = stats_lane(&r->stats, other);
	counter(r, STATS_QUEUED, R)->count = 4;
	check_has(r, "\nCPU4 (sda):\n Reads Queued:           4,");
	check_has(r, "\n\nTotal (sda):\n Reads Queued:           7,");
	check_has(r, " Write Merges:            0,        0KiB\n IO unplugs:");
}

/* packet commands have rows as soon as there is one */
static void test_pc(void **state)
{
	struct rig *r = *state;

	counter(r, STATS_PC_ISSUED, W)->count = 5;
	counter(r, STATS_PC_ISSUED, W)->rest = 2048;
	check_has(r, " PC Reads Queued:        0,        0KiB\t"
		  " PC Writes Queued:        0,        0KiB\n"
		  " PC Read Disp.:          0,        0KiB\t"
		  " PC Write Disp.:          5,        2KiB\n"
		  " PC Reads Req.:          0\t\t PC Writes Req.:          0\n"
		  " PC Reads Compl.:        0\t\t PC Writes Compl.:        0\n"
		  " IO unplugs:");
}

static void check_scaled(struct rig *r, uint64_t n, const char *count_text,
			 const char *size_text)
{
	char text[80];

	*counter(r, STATS_MERGED, R) = (struct counter){ n, (int64_t)n, 0 };
	snprintf(text, sizeof(text), " Read Merges:     %s, %siB\t", count_text,
		 size_text);
	check_has(r, text);
}

/* units by thousands, cut, from more than a million on; T included */
static void test_units(void **state)
{
	struct rig *r = *state;

	check_scaled(r, 1000000, " 1000000", " 1000000K");
	check_scaled(r, 1000001, "    1000K", "    1000M");
	check_scaled(r, 1999999999, "    1999M", "    1999G");
	check_scaled(r, 1000000000000, " 1000000M", " 1000000G");
	check_scaled(r, 1500000000000, "    1500G", "    1500T");
	check_scaled(r, 1500000000000000, "    1500T", "    1500P");
	check_scaled(r, INT64_MAX, "    9223P", " 9223372P");
}

/* more was taken back than added: nothing, not the largest number there is */
static void test_negative(void **state)
{
	struct rig *r = *state;

	*counter(r, STATS_ISSUED, W) = (struct counter){ 1, -4, -512 };
	check_has(r, " Write Dispatches:        1,        0KiB\n");
	*counter(r, STATS_ISSUED, W) = (struct counter){ 1, 4, -512 };
	check_has(r, " Write Dispatches:        1,        3KiB\n");
}

/* names are cut to 31 characters in blocks, to 47 for the events */
static void test_names(void **state)
{
	struct rig *r = *state;
	struct device *dev = r->page.lane->device;

	free(dev->label);
	dev->label = strdup("a-name-of-more-than-fifty-characters-in-all-as-"
			    "paths-are");
	check_has(r, "CPU1 (a-name-of-more-than-fifty-chara):\n");
	check_has(r, "Events (a-name-of-more-than-fifty-characters-in-all-as-)"
		  ": 0 entries\n");
}

/* rates, events and what is missing of them */
static void test_rates(void **state)
{
	struct rig *r = *state;
	struct device_stats *d = r->here->device;

	d->events = 75;
	d->first = 500;
	d->last = 2000000500;
	r->page.lane->device->dropped = 25;
	r->page.lane->device->drops = 2;
	*counter(r, STATS_COMPLETED, R) = (struct counter){ 9, 2000, 0 };
	*counter(r, STATS_COMPLETED, W) = (struct counter){ 9, 7, 1999 };
	check_has(r, "\nThroughput (R/W): 1000KiB/s / 4KiB/s\n"
		  "Events (sda): 75 entries\n"
		  "Skips: 2 forward (25 -  25.0%)\n");
}

/* when it began, in local time; the epoch when nobody told */
static void test_start(void **state)
{
	struct rig *r = *state;
	struct clock c = { .known = true, .wall_sec = 1700000000 };

	setenv("TZ", "UTC0", 1);
	tzset();
	summary_start(&r->page.out, &c);
	page_check(&r->page, "Trace started at Tue Nov 14 22:13:20 2023\n\n");
	c = (struct clock){ .known = false };
	summary_start(&r->page.out, &c);
	page_check(&r->page, "Trace started at Thu Jan  1 00:00:00 1970\n\n");
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_empty_cpu),
		RIGGED(test_no_events),
		RIGGED(test_total),
		RIGGED(test_pc),
		RIGGED(test_units),
		RIGGED(test_negative),
		RIGGED(test_names),
		RIGGED(test_rates),
		RIGGED(test_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
