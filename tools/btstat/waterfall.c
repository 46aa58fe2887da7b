/* SPDX-License-Identifier: GPL-2.0-only */
/* Why one I/O took so long, as text or JSON; see waterfall.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/unit.h"
#include "cli/traces.h"
#include "emit/sink.h"
#include "emit/values.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/why.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/waterfall.h"

enum {
	PROCESS = 64,		/* bytes of a name */
	DEVICE = 64,
	LEAD = 46,		/* columns before a bar */
	BARS_LEAST = 10,
	BARS_MOST = 120,
};

struct waterfall {
	const struct stat_options *o;
	const struct look *look;
	struct buf *b;
	const struct reader *reader;
	const struct why *why;
	const struct why_answer *a;
};

/* --- words ---------------------------------------------------------------- */

/* what an I/O does in a phase, after a time; whether others are in its way */
static const struct {
	const char *words;
	bool behind;
} steps[IO_PHASES] = {
	[IO_Q2A] = { "before it went to the device below", false },
	[IO_LOWER] = { "in the devices below", false },
	[IO_A2C] = { "after the device below", false },
	[IO_Q2X] = { "before it was split", false },
	[IO_X2C] = { "after its parts", false },
	[IO_Q2G] = { "for a request", true },
	[IO_Q2M] = { "before it was merged", false },
	[IO_PREFLUSH] = { "for a cache flush before its data", false },
	[IO_G2M] = { "before it was merged", false },
	[IO_G2I] = { "held in the plug", false },
	[IO_G2D] = { "before it was issued", true },
	[IO_I2D] = { "in the scheduler", true },
	[IO_M2D] = { "in another's request until it was issued", true },
	[IO_REQUEUE] = { "requeued", false },
	[IO_D2C] = { "in the device", false },
	[IO_POSTFLUSH] = { "for a cache flush after its data", false },
	[IO_REST] = { "without an event", false },
};

static void process_name(const struct waterfall *w, const struct why_who *who,
			 char text[PROCESS])
{
	const char *name = reader_process(w->reader, who->origin, who->pid);

	if (name)
		escape_text(text, PROCESS, name, strlen(name));
	else
		snprintf(text, PROCESS, "pid %u", who->pid);
}

static void device_name(const struct device *disk, char text[DEVICE])
{
	char raw[DEVICE];

	device_text(disk, raw, sizeof(raw));
	escape_text(text, DEVICE, raw, strlen(raw));
}

/* "reads" */
static const char *ops_of(uint8_t op, uint64_t count, char text[32])
{
	snprintf(text, 32, "%s%s", io_op_name(op), count == 1 ? "" :
		 op == IO_FLUSH_OP ? "es" : "s");
	return text;
}

/* " behind 31 writes of checkpointer (depth 31)" */
static void put_others(const struct waterfall *w, FILE *out,
		       const struct why_step *s)
{
	const char *how = steps[s->phase].behind ? "behind" : "beside";
	char process[PROCESS], ops[32];

	if (!s->others)
		return;
	process_name(w, &s->who, process);
	ops_of(s->who.op, s->most, ops);
	if (s->most == s->others)
		fprintf(out, " %s %u %s of %s", how, s->others, ops, process);
	else
		fprintf(out, " %s %u requests, %u of them %s of %s", how,
			s->others, s->most, ops, process);
	if (steps[s->phase].behind && s->depth)
		fprintf(out, " (depth %u)", s->depth);
}

/* --- the sentence --------------------------------------------------------- */

static uint64_t total(const struct waterfall *w)
{
	return w->a->io.end - w->a->io.time;
}

/* too short to be said: below a hundredth, unless it is all */
static bool is_short(const struct waterfall *w, const struct why_step *s)
{
	return s->ns < total(w) / 100 && w->a->step_count > 1;
}

static void put_words(const struct waterfall *w, FILE *out,
		      const struct why_step *s)
{
	char time[UNIT_MAX], device[DEVICE];

	unit_time(time, s->ns);
	fputs(time, out);
	if (s->disk != w->a->io.disk) {
		device_name(s->disk, device);
		fprintf(out, " on %s", device);
	}
	fprintf(out, " %s", steps[s->phase].words);
	put_others(w, out, s);
}

static void sentence(const struct waterfall *w, FILE *out)
{
	char time[UNIT_MAX];
	uint64_t rest = 0;
	const char *comma = "";

	unit_time(time, total(w));
	fprintf(out, "%-10s%s%s: ", "took", time,
		w->a->io.open ? " so far" : "");
	for (uint32_t i = 0; i < w->a->step_count; i++) {
		const struct why_step *s = &w->a->steps[i];

		if (is_short(w, s)) {
			rest += s->ns;
			continue;
		}
		fputs(comma, out);
		put_words(w, out, s);
		comma = ", ";
	}
	if (!rest)
		return;
	unit_time(time, rest);
	fprintf(out, "%s%s in shorter steps", comma, time);
}

/* in lines, as in the head of tables */
static void put_lines(const struct waterfall *w,
		      void (*write)(const struct waterfall *w, FILE *out))
{
	const struct screen s = { .b = w->b, .look = w->look };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		msg_die("out of memory");
	write(w, out);
	if (fclose(out))
		msg_die("out of memory");
	screen_lines(&s, text);
	free(text);
}

/* --- bars ----------------------------------------------------------------- */

static uint32_t bars_of(const struct waterfall *w)
{
	uint32_t width = w->look->width > LEAD + 2 + BARS_LEAST
		? w->look->width - LEAD - 2 : BARS_LEAST;

	return width < BARS_MOST ? width : BARS_MOST;
}

/* the shade of a part of the most, from 1 */
static const char *shade(const struct waterfall *w, uint32_t n, uint32_t most)
{
	static const char *const blocks[] = { "░", "▒", "▓", "█" };
	static const char *const signs[] = { ".", ":", "+", "#" };
	uint32_t i = most > 1 ? (n - 1) * 4 / most : 3;

	return w->look->utf8 ? blocks[i < 4 ? i : 3] : signs[i < 4 ? i : 3];
}

static void put_bar(const struct waterfall *w, const uint32_t *columns,
		    uint32_t count)
{
	uint32_t most = 0, last = 0;

	for (uint32_t i = 0; i < count; i++) {
		most = columns[i] > most ? columns[i] : most;
		last = columns[i] ? i + 1 : last;
	}
	buf_append(w->b, "|", 1);
	for (uint32_t i = 0; i < last; i++) {
		const char *sign = columns[i] ? shade(w, columns[i], most)
					      : " ";

		buf_append(w->b, sign, strlen(sign));
	}
	buf_append(w->b, "\n", 1);
}

static void put_step(const struct waterfall *w, const struct why_step *s)
{
	uint32_t columns[BARS_MOST] = { 0 }, count = bars_of(w);
	double all = (double)(total(w) ? total(w) : 1);
	uint64_t since = s->from - w->a->io.time;
	uint32_t from = (uint32_t)((double)since / all * count);
	uint32_t until = (uint32_t)((double)(since + s->ns) / all * count);
	char at[UNIT_MAX], took[UNIT_MAX], device[DEVICE];

	for (uint32_t i = from; i < count && (i < until || i == from); i++)
		columns[i] = 1;
	unit_time(at, since);
	unit_time(took, s->ns);
	device_name(s->disk, device);
	buf_printf(w->b, "%7s %7s  %-8.8s %-20.20s ", at, took, device,
		   phase_table_name(s->phase));
	put_bar(w, columns, count);
}

static void put_crowd(const struct waterfall *w, const struct why_crowd *c)
{
	uint32_t columns[BARS_MOST], count = bars_of(w);
	char device[DEVICE], process[PROCESS], size[UNIT_MAX], ops[32];
	char who[PROCESS + 32];

	why_columns(w->why, w->a, c, count, columns);
	device_name(c->who.disk, device);
	process_name(w, &c->who, process);
	unit_size(size, c->bytes);
	snprintf(who, sizeof(who), "%s %s", process,
		 ops_of(c->who.op, c->count, ops));
	buf_printf(w->b, "%7llu %7s  %-8.8s %-20.20s ",
		   (unsigned long long)c->count, size, device, who);
	put_bar(w, columns, count);
}

/* --- text ----------------------------------------------------------------- */

static void head(const struct waterfall *w, FILE *out)
{
	const struct why_io *io = &w->a->io;
	struct why_who who = { io->disk, io->pid, io->origin, io->op };
	char device[DEVICE], process[PROCESS], size[UNIT_MAX];

	device_name(io->disk, device);
	process_name(w, &who, process);
	unit_size(size, io->bytes);
	fprintf(out, "%-10s%" PRIu64 ", %s of %s by %s to %s, sector %" PRIu64
		", queued at %" PRIu64 ".%09us", "I/O", io->id,
		io_op_name(io->op), size, process, device, io->sector,
		io->time / NS_PER_SECOND,
		(unsigned int)(io->time % NS_PER_SECOND));
}

static void put_crowds(const struct waterfall *w)
{
	if (!w->a->crowd_count)
		return;
	buf_printf(w->b, "\n%7s %7s  %-8s %s\n", "I/Os", "size", "device",
		   "in flight meanwhile");
	for (uint32_t i = 0; i < w->a->crowd_count; i++)
		put_crowd(w, &w->a->crowds[i]);
	if (w->a->crowd_more)
		buf_printf(w->b, "%7llu more of others\n",
			   (unsigned long long)w->a->crowd_more);
}

static void put_text(const struct waterfall *w)
{
	put_lines(w, head);
	put_lines(w, sentence);
	buf_printf(w->b, "\n%7s %7s  %-8s %s\n", "at", "took", "device",
		   "what it waited for");
	for (uint32_t i = 0; i < w->a->step_count; i++)
		put_step(w, &w->a->steps[i]);
	put_crowds(w);
	if (why_dropped(w->why))
		buf_printf(w->b, "\n%llu earlier I/Os are left out\n",
			   (unsigned long long)why_dropped(w->why));
}

/* --- json ----------------------------------------------------------------- */

static void put_who(const struct waterfall *w, struct sink *k,
		    const struct why_who *who)
{
	const char *name = reader_process(w->reader, who->origin, who->pid);

	sink_text(k, "op", io_op_name(who->op));
	sink_number(k, "pid", who->pid);
	if (name)
		sink_text(k, "process", name);
	else
		sink_none(k, "process");
}

static void put_disk(struct sink *k, const struct device *disk)
{
	char text[DEVICE];

	device_text(disk, text, sizeof(text));
	sink_text(k, "disk", text);
}

static void json_step(const struct waterfall *w, struct sink *k,
		      const struct why_step *s)
{
	sink_row(k);
	put_disk(k, s->disk);
	sink_text(k, "phase", io_phase_name(s->phase));
	sink_number(k, "time_ns", s->from);
	sink_number(k, "ns", s->ns);
	sink_number(k, "others", s->others);
	sink_maybe(k, "depth", s->depth, s->depth);
	sink_number(k, "most", s->most);
	if (s->most)
		put_who(w, k, &s->who);
	sink_row_end(k);
}

static void json_crowd(const struct waterfall *w, struct sink *k,
		       const struct why_crowd *c)
{
	sink_row(k);
	put_disk(k, c->who.disk);
	put_who(w, k, &c->who);
	sink_number(k, "ios", c->count);
	sink_number(k, "bytes", c->bytes);
	sink_number(k, "overlap_ns", c->overlap);
	sink_row_end(k);
}

static void put_json(const struct waterfall *w)
{
	const struct why_io *io = &w->a->io;
	struct why_who who = { io->disk, io->pid, io->origin, io->op };
	struct sink k = { .b = w->b, .json = true };

	sink_object(&k, NULL);
	sink_number(&k, "id", io->id);
	put_disk(&k, io->disk);
	put_who(w, &k, &who);
	sink_number(&k, "sector", io->sector);
	sink_number(&k, "bytes", io->bytes);
	sink_number(&k, "time_ns", io->time);
	sink_flag(&k, "open", io->open);
	sink_number(&k, "total_ns", total(w));
	sink_array(&k, "steps");
	for (uint32_t i = 0; i < w->a->step_count; i++)
		json_step(w, &k, &w->a->steps[i]);
	sink_array_end(&k);
	sink_array(&k, "in_flight");
	for (uint32_t i = 0; i < w->a->crowd_count; i++)
		json_crowd(w, &k, &w->a->crowds[i]);
	sink_array_end(&k);
	sink_object_end(&k);
	buf_append(w->b, "\n", 1);
}

/* --- reading -------------------------------------------------------------- */

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

/* those that have begun and not ended */
static void add_open(struct why *w, const struct ios *ios, uint64_t now)
{
	const struct io *io;
	uint32_t at = 0;

	while (ios_open_now(ios, &at, &io))
		if (io->time < now)
			check(why_add_open(w, io, now));
}

static void answer(const struct traces *in, struct waterfall *w,
		   struct why *why, const struct io *io)
{
	struct why_answer *a = malloc(sizeof(*a));
	uint64_t now = io_completed(io) ? io->time + io->total
					: io->time + io->age;

	if (!a)
		msg_die("out of memory");
	add_open(why, in->ios, now);
	why_explain(why, io, now, a);
	why_crowds(why, a);
	w->a = a;
	if (w->o->format == STAT_JSON)
		put_json(w);
	else
		put_text(w);
	free(a);
}

/* 1: it is *io; 0: the end */
static int find(struct traces *in, struct why *why, uint64_t id,
		const volatile sig_atomic_t *stop, const struct io **io)
{
	while (!*stop) {
		int got = traces_next_io(in, io);

		if (got == 1 && (*io)->id == id)
			return 1;
		if (got == 1)
			check(why_add(why, *io, ios_oldest(in->ios)));
		else if (!got)
			return 0;
		else if (got != -EAGAIN && got != -EINTR)
			exit(1);
	}
	return 0;
}

int waterfall_show(struct traces *in, const struct stat_options *o,
		   const struct look *look, struct buf *b,
		   const volatile sig_atomic_t *stop)
{
	struct waterfall w = { .o = o, .look = look, .b = b,
			       .reader = in->reader };
	const struct io *io;
	struct why *why;
	int found;

	check(why_new(&why, name_of, in->reader));
	w.why = why;
	found = find(in, why, o->why, stop, &io);
	if (found)
		answer(in, &w, why, io);
	why_free(why);
	return found ? 0 : -ENOENT;
}
