/* SPDX-License-Identifier: GPL-2.0-only */
/* How close a replay was; see report.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/msg.h"
#include "tools/btreplay/json.h"
#include "tools/btreplay/report.h"

enum {
	P50 = 50 * HISTOGRAM_PERCENT,
	P90 = 90 * HISTOGRAM_PERCENT,
	P99 = 99 * HISTOGRAM_PERCENT,
};

static uint64_t percentile(const struct histogram *s, uint32_t p)
{
	return histogram_kth(s, histogram_rank(s->count, p));
}

void replay_report_free(struct replay_report *r)
{
	histogram_free(&r->late);
	histogram_free(&r->gap);
}

/* --- lines --------------------------------------------------------------- */

static double us(uint64_t ns)
{
	return (double)ns / 1000;
}

static void print_histogram(const char *what, const struct histogram *s)
{
	msg_warn("%s: %.1f us median, %.1f us p90, %.1f us p99, %.1f us max",
		 what, us(percentile(s, P50)), us(percentile(s, P90)),
		 us(percentile(s, P99)), us(s->max));
}

void replay_report_write_text(const struct replay_report *r)
{
	msg_warn("I/Os: %" PRIu64 " asked for, %" PRIu64 " done, %" PRIu64
		 " failed%s", r->asked, r->done, r->failed,
		 r->interrupted ? ", interrupted" : "");
	msg_warn("bytes: %" PRIu64 " read, %" PRIu64 " written", r->read_bytes,
		 r->written_bytes);
	if (r->timed) {
		print_histogram("late", &r->late);
		print_histogram("gap error", &r->gap);
		msg_warn("duration: %.6f s asked for, %.6f s achieved",
			 (double)r->asked_ns / 1e9,
			 (double)r->achieved_ns / 1e9);
	} else {
		msg_warn("duration: %.6f s, without stalls",
			 (double)r->achieved_ns / 1e9);
	}
	msg_warn("depth: %" PRIu64 " of %u reached", r->deepest, r->depth);
}

/* --- JSON ---------------------------------------------------------------- */

static void write_histogram(FILE *f, const char *name,
			    const struct replay_report *r,
			    const struct histogram *s)
{
	if (r->timed)
		fprintf(f, "  \"%s\": { \"p50\": %" PRIu64 ", \"p90\": %" PRIu64
			", \"p99\": %" PRIu64 ", \"max\": %" PRIu64 " },\n",
			name, percentile(s, P50), percentile(s, P90),
			percentile(s, P99), s->max);
	else
		fprintf(f, "  \"%s\": null,\n", name);
}

static void write_duration(FILE *f, const struct replay_report *r)
{
	fputs("  \"duration_ns\": { \"asked\": ", f);
	if (r->timed)
		fprintf(f, "%" PRIu64, r->asked_ns);
	else
		fputs("null", f);
	fprintf(f, ", \"achieved\": %" PRIu64 " },\n", r->achieved_ns);
}

static void write_report(FILE *f, const struct replay_report *r)
{
	fprintf(f, "{\n  \"ios\": { \"asked\": %" PRIu64 ", \"done\": %" PRIu64
		", \"failed\": %" PRIu64 " },\n", r->asked, r->done, r->failed);
	fprintf(f, "  \"bytes\": { \"read\": %" PRIu64 ", \"written\": %" PRIu64
		" },\n", r->read_bytes, r->written_bytes);
	write_histogram(f, "late_ns", r, &r->late);
	write_histogram(f, "gap_error_ns", r, &r->gap);
	write_duration(f, r);
	fprintf(f, "  \"depth\": { \"reached\": %" PRIu64
		", \"limit\": %u },\n", r->deepest, r->depth);
	fprintf(f, "  \"iterations\": %u,\n  \"interrupted\": %s\n}\n",
		r->iterations, r->interrupted ? "true" : "false");
}

int replay_report_write_json(const struct replay_report *r, const char *file)
{
	FILE *f;
	int err = json_open(&f, file);

	if (err)
		return err;
	write_report(f, r);
	return json_close(f);
}
