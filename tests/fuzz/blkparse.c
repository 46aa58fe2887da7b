/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a trace through blkparse, for libFuzzer: source, stream, merge
 * or live order, request tracking, statistics, text, formats, dump, summary.
 * It is driven as blkparse.c drives it, with memory in place of files.
 *
 * An input begins with a header that chooses the mode, then comes the trace.
 * tests/fuzz/seed writes the same header:
 *
 *	0	1 a pipe, 2 files of 2005, 4 -t, 8 -s, 16 -h, 32 -f, 64 -M,
 *		128 dump and text share standard output
 *	1	bits 0-1 files less one; 2-3 batch; 4-5 --record-version;
 *		6 -v; 7 -w
 *	2	size of the pieces in which bytes come; 0: all at once
 *	3	low half: -S's letter; high half: which format
 *	4	three 16-bit little-endian lengths: the first three files'
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/batch.h"
#include "file/hooks.h"
#include "file/source.h"
#include "file/source_2005.h"
#include "file/stream.h"
#include "record/record.h"
#include "run/device.h"
#include "run/merge.h"
#include "run/reorder.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/trickle.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10, FILES = 4 };

enum mode {
	PIPE = 1,
	OLD_FILES = 2,
	TRACK = 4,
	PER_PROCESS = 8,
	BY_NAME = 16,
	FORMATS = 32,
	NO_MESSAGES = 64,
	SHARED = 128,
};

struct bytes {
	const uint8_t *at;
	size_t len;
};

struct run {
	unsigned int mode;
	unsigned int batch;
	size_t piece;
	struct bytes files[FILES];
	unsigned int file_count;

	struct options options;
	struct show *show;
	struct devices devices;
	struct merge *merge;
	struct stream *streams[FILES];
	struct reorder *live;
	uint64_t last;		/* from a pipe: the time shown last, */
	uint64_t late;		/* and how many have been late */
	uint64_t payloads;	/* sum of all their bytes */
};

/* --- modes --------------------------------------------------------------- */

/* None asks for what there may not be: that ends a run, by design. */
static const char *const formats[] = {
	"%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\n",
	"%-9a|%C|%-20C|%e|%5g|%m|%M|%N|%P|%U|%z|%20z|%t|%3t|%12t|%%|%q\\t\\n",
	"",
	"%-3000S%3000C%-60000P",
};

static void choose_formats(struct run *r, unsigned int which)
{
	struct formats *f = &r->options.formats;
	unsigned int n = sizeof(formats) / sizeof(*formats);

	if (!(r->mode & FORMATS))
		return;
	must(!formats_set_one(f, "C,%a %n\n"));
	must(!formats_set_all(f, formats[which % n]));
}

/* Every byte means something: no input is wasted on a bad header. */
static void choose_options(struct run *r, const uint8_t *head)
{
	static const unsigned int batches[] = { STREAM_BATCH, 1, 2, 7 };
	static const unsigned int versions[] = { 0, 7, 8, 0 };
	static const char letters[] = "NQRWCqrwcNNNNNNN";

	r->mode = head[0];
	r->batch = batches[head[1] >> 2 & 3];
	r->piece = head[2];
	r->options = (struct options){
		.output = r->mode & SHARED ? NULL : "/dev/null",
		.dump = r->mode & SHARED ? "-" : "/dev/null",
		.mask = UINT32_MAX,
		.window = WINDOW_ALL,
		.record_version = versions[head[1] >> 4 & 3],
		.sort = r->mode & PER_PROCESS ? letters[head[3] & 15] : 0,
		.by_name = r->mode & BY_NAME,
		.no_messages = r->mode & NO_MESSAGES,
		.track = r->mode & TRACK,
		.verbose = head[1] & 64,
	};
	if (head[1] & 128)
		must(!window_parse(&r->options.window, "0.0001:0.01"));
	choose_formats(r, head[3] >> 4);
}

/* Lengths are cut to what there is; the last file gets the rest. */
static void split_files(struct run *r, const uint8_t *data, size_t size)
{
	size_t at = HEADER;

	r->file_count = (data[1] & 3) + 1;
	for (unsigned int i = 0; i < r->file_count; i++) {
		size_t len = size - at;

		if (i + 1 < r->file_count) {
			const uint8_t *want = data + 4 + 2 * i;
			size_t told = want[0] | (size_t)want[1] << 8;

			len = told < len ? told : len;
		}
		r->files[i] = (struct bytes){ data + at, len };
		at += len;
	}
}

/* --- hooks --------------------------------------------------------------- */

static void on_note(void *ctx, const struct event *note)
{
	show_note(((struct run *)ctx)->show, note);
}

static void on_idle(void *ctx)
{
	show_flush(((struct run *)ctx)->show);
}

/* --- inputs -------------------------------------------------------------- */

static struct source *open_bytes(const struct run *r, const struct bytes *b)
{
	struct source *s = NULL;

	if (r->piece)
		must(!trickle_open(&s, b->at, b->len, r->piece));
	else
		must(!source_memory(&s, b->at, b->len));
	return s;
}

/*
 * A file with these bytes that has no name; its path to text.
 * file/source_2005 takes
 * paths only, as it opens two files.
 */
static int make_file(const struct bytes *b, char *text, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, b->at, b->len) == (ssize_t)b->len);
	snprintf(text, size, "/proc/self/fd/%d", fd);
	return fd;
}

/* Records in the first file; in the second, if there is one, payloads. */
static struct source *open_pair(const struct run *r)
{
	char out[40], dat[40];
	int out_fd = make_file(&r->files[0], out, sizeof(out)), dat_fd = -1;
	struct source *s = NULL;

	if (r->file_count > 1)
		dat_fd = make_file(&r->files[1], dat, sizeof(dat));
	must(!source_2005_open(&s, out, dat_fd < 0 ? NULL : dat, 0));
	close(out_fd);
	if (dat_fd >= 0)
		close(dat_fd);
	return s;
}

static int next_of_stream(void *self, struct event **ev)
{
	return stream_next(self, ev);
}

static int next_of_live(void *self, struct event **ev)
{
	return reorder_next(self, ev);
}

static void add_stream(struct run *r, struct device *dev, uint32_t cpu,
		       struct source *src, const struct hooks *hooks)
{
	struct stream_options o = {
		.name = "fuzz.blktrace",
		.cpu = (int)cpu,
		.batch = r->batch,
		.lane = device_cpu(&r->devices, dev, cpu),
	};
	struct stream *s = stream_new(src, &o, hooks);

	must(o.lane && s);
	r->streams[cpu] = s;
	must(!merge_add(r->merge, (struct player){ next_of_stream, s,
						   stream_batch(s) }));
	stream_prime(s);
}

/* One device with a file per CPU, as run/input adds them. */
static void add_files(struct run *r, const struct hooks *hooks)
{
	struct device *dev = device_add(&r->devices, "fuzz", 0, 0);

	must(dev != NULL);
	if (r->mode & OLD_FILES) {
		add_stream(r, dev, 0, open_pair(r), hooks);
		return;
	}
	for (unsigned int i = 0; i < r->file_count; i++)
		add_stream(r, dev, i, open_bytes(r, &r->files[i]), hooks);
}

static void add_pipe(struct run *r, const struct hooks *hooks)
{
	struct reorder_options o = {
		.name = "fuzz pipe",
		.events = r->batch == STREAM_BATCH ? 0 : r->batch,
	};

	r->live = reorder_new(open_bytes(r, &r->files[0]), &r->devices, &o,
			      hooks);
	must(r->live != NULL);
	must(!devices_add_label(&r->devices, "label"));
	must(!merge_add(r->merge,
			(struct player){ next_of_live, r->live, NULL }));
}

/* --- the run ------------------------------------------------------------- */

/* Reads all of the payload, which the lines alone may not. */
static void take_in(struct run *r, const struct event *ev)
{
	must(ev->lane && ev->cpu < BLK_CPU_MAX);
	for (unsigned int i = 0; i < ev->pdu_len; i++)
		r->payloads += ev->payload[i];
}

/* Earlier than the one before, and nobody has said so? */
static void check_order(struct run *r, const struct event *ev)
{
	uint64_t late = reorder_late(r->live);

	must(ev->time >= r->last || late > r->late);
	r->late = late;
	r->last = ev->time;
}

/* Behind the window's end, as blkparse.c judges it. */
static int finished(const struct run *r, enum show_result shown)
{
	uint64_t time = r->live ? reorder_watermark(r->live) : UINT64_MAX;

	return shown == SHOW_STOP ||
	       (shown == SHOW_BEHIND && show_is_behind(r->show, time));
}

/* In rows, but every other time one by one, with a look at each payload. */
static struct batch *row_of(const struct run *r, struct batch *none)
{
	return r->piece % 2 ? none : merge_batch(r->merge);
}

static void run_events(struct run *r)
{
	struct batch none = { .raw = NULL };
	struct event *ev;
	int got;

	while ((got = merge_next(r->merge, &ev))) {
		enum show_result shown;

		if (got == -EAGAIN || got == -EINTR)
			continue;
		must(got == 1);
		take_in(r, ev);
		if (r->live)
			check_order(r, ev);
		shown = show_events(r->show, ev, row_of(r, &none));
		if (shown != SHOW_ON && finished(r, shown))
			return;
	}
}

static void free_run(struct run *r)
{
	for (unsigned int i = 0; i < FILES; i++)
		stream_free(r->streams[i]);
	reorder_free(r->live);
	merge_free(r->merge);
	devices_free(&r->devices);
	show_free(r->show);
	blkparse_options_free(&r->options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run r = { .mode = 0 };
	const struct hooks hooks = { &r, on_note, must_be_told, hooks_no_added,
				     on_idle };

	if (size < HEADER)
		return 0;
	choose_options(&r, data);
	split_files(&r, data, size);
	/* from here on as in main() */
	r.merge = merge_new();
	must(r.merge != NULL);
	r.show = show_new(&r.options, r.mode & PIPE);
	if (r.mode & PIPE)
		add_pipe(&r, &hooks);
	else
		add_files(&r, &hooks);
	run_events(&r);
	show_end(r.show, &r.devices);
	free_run(&r);
	return 0;
}
