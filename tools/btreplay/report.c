/* SPDX-License-Identifier: GPL-2.0-only */
/* A replay's report; see report.h. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/msg.h"
#include "tools/btreplay/report.h"

/* --- json ----------------------------------------------------------------- */

int json_open(FILE **f, const char *file)
{
	*f = strcmp(file, "-") ? fopen(file, "we") : stdout;
	return *f ? 0 : -errno;
}

void json_write_text(FILE *f, const char *text)
{
	char string[JSON_QUOTES + JSON_GROWS * PATH_MAX];
	char *end = json_render(string, text, strnlen(text, PATH_MAX));

	fwrite(string, 1, (size_t)(end - string), f);
}

int json_close(FILE *f)
{
	int err = 0;

	if (fflush(f) || ferror(f))
		err = errno ? -errno : -EIO;
	if (f != stdout && fclose(f) && !err)
		err = -errno;
	return err;
}

/* --- report --------------------------------------------------------------- */

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
	histogram_free(&r->held);
}

/* --- sums over kinds ----------------------------------------------------- */

/* I/Os left out do not count as asked for. */
static struct replay_kind add_up(const struct replay_report *r)
{
	struct replay_kind sum = { .asked = 0 };

	for (enum kind k = 0; k < KINDS; k++) {
		const struct replay_kind *one = &r->kinds[k];

		if (one->sent_as != KINDS)
			sum.asked += one->asked;
		sum.done += one->done;
		sum.failed += one->failed;
	}
	return sum;
}

uint64_t replay_report_failed(const struct replay_report *r)
{
	return add_up(r).failed;
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

static void print_kind(const struct replay_report *r, enum kind k)
{
	const struct replay_kind *one = &r->kinds[k];

	if (!one->asked)
		return;
	if (one->sent_as == KINDS)
		msg_warn("%s: %" PRIu64 " left out", kind_name(k), one->asked);
	else
		msg_warn("%s: %" PRIu64 " asked for, %" PRIu64 " done, %" PRIu64
			 " failed%s%s", kind_name(k), one->asked, one->done,
			 one->failed, one->sent_as == k ? "" : ", as ",
			 one->sent_as == k ? "" : kind_name(one->sent_as));
}

/* Unless there are only reads and writes. */
static void print_kinds(const struct replay_report *r)
{
	bool rare = false;

	for (enum kind k = KIND_FUA; k < KINDS; k++)
		rare |= r->kinds[k].asked > 0;
	for (enum kind k = 0; rare && k < KINDS; k++)
		print_kind(r, k);
}

static void print_held(const struct histogram *held)
{
	if (held->count)
		msg_warn("held: %" PRIu64 " waited for flushes or writes: %.1f"
			 " us late median, %.1f us p99, %.1f us max",
			 held->count, us(percentile(held, P50)),
			 us(percentile(held, P99)), us(held->max));
}

void replay_report_write_text(const struct replay_report *r)
{
	const struct replay_kind sum = add_up(r);

	msg_warn("I/Os: %" PRIu64 " asked for, %" PRIu64 " done, %" PRIu64
		 " failed%s", sum.asked, sum.done, sum.failed,
		 r->interrupted ? ", interrupted" : "");
	print_kinds(r);
	msg_warn("bytes: %" PRIu64 " read, %" PRIu64 " written", r->read_bytes,
		 r->written_bytes);
	if (r->timed) {
		print_histogram("late", &r->late);
		print_histogram("gap error", &r->gap);
		print_held(&r->held);
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

static void write_histogram(FILE *f, const char *name, bool known,
			    const struct histogram *s)
{
	if (known)
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

/* Kinds left out have their number as asked for. */
static void write_kind(FILE *f, const struct replay_report *r, enum kind k)
{
	const struct replay_kind *one = &r->kinds[k];
	bool out = one->sent_as == KINDS;

	fprintf(f, "    \"%s\": { \"asked\": %" PRIu64 ", \"done\": %" PRIu64
		", \"failed\": %" PRIu64 ", \"left_out\": %" PRIu64 " }%s\n",
		kind_member(k), out ? 0 : one->asked, one->done, one->failed,
		out ? one->asked : 0, k + 1 < KINDS ? "," : "");
}

static void write_kinds(FILE *f, const struct replay_report *r)
{
	fputs("  \"kinds\": {\n", f);
	for (enum kind k = 0; k < KINDS; k++)
		write_kind(f, r, k);
	fputs("  },\n", f);
}

static void write_held(FILE *f, const struct replay_report *r)
{
	fprintf(f, "  \"held\": %" PRIu64 ",\n", r->held.count);
	write_histogram(f, "held_ns", r->timed && r->held.count, &r->held);
}

static void write_report(FILE *f, const struct replay_report *r)
{
	const struct replay_kind sum = add_up(r);

	fprintf(f, "{\n  \"ios\": { \"asked\": %" PRIu64 ", \"done\": %" PRIu64
		", \"failed\": %" PRIu64 " },\n", sum.asked, sum.done,
		sum.failed);
	write_kinds(f, r);
	fprintf(f, "  \"bytes\": { \"read\": %" PRIu64 ", \"written\": %" PRIu64
		" },\n", r->read_bytes, r->written_bytes);
	write_histogram(f, "late_ns", r->timed, &r->late);
	write_histogram(f, "gap_error_ns", r->timed, &r->gap);
	write_held(f, r);
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
