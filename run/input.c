/* SPDX-License-Identifier: GPL-2.0-only */
/* The traces that the user named, in time order; see input.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "file/batch.h"
#include "file/buffers.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/source.h"
#include "file/source_ahead.h"
#include "file/stream.h"
#include "record/record.h"
#include "run/host_clocks.h"
#include "run/input.h"
#include "run/merge.h"
#include "run/read_ahead.h"
#include "run/reorder.h"
#include "run/skip.h"

/* one file or pipe: the merge's player */
struct feed {
	struct stream *stream;	/* one CPU's file; or */
	struct reorder *reorder;	/* a dump or pipe */
	const struct host_clock *clock;	/* of its machine; NULL: times stay */
	char *path;		/* of a plain file, or NULL */
	int cpu;		/* as struct stream_options has it */
};

struct input {
	const struct hooks *hooks;
	struct hooks inner;	/* theirs, or those that settle a thread first */
	struct read_ahead *thread;	/* that reads ahead, or NULL */
	struct batch empty;	/* without records */
	BETWEEN_THREADS(before_slot);
	struct ahead_slot *slot;	/* of the last event, if there is one */
	bool stopped;		/* the thread was */
	BETWEEN_THREADS(after_slot);
	struct input_options options;
	struct devices devices;
	struct locations named;
	struct merge *merge;
	struct stream *as_written;	/* or NULL */
	struct ahead_pool *ahead;
	struct buffers buffers;
	struct feed **feeds;
	size_t feed_count;
	struct reorder *pipe;	/* of the feeds, or NULL */
	struct host_clocks own_clocks;	/* by notes alone */
	/* by origin, of several hosts with comparable times; or NULL */
	const struct host_clocks *clocks;
	struct hooks aligning;	/* align notes, then call the program's */
	uint64_t begin;		/* of the trace, if segments are left out */
};

static void feed_free(struct feed *f)
{
	stream_free(f->stream);
	reorder_free(f->reorder);
	free(f->path);
	free(f);
}

void input_free(struct input *in)
{
	if (!in)
		return;
	read_ahead_free(in->thread);
	for (size_t i = 0; i < in->feed_count; i++)
		feed_free(in->feeds[i]);
	stream_free(in->as_written);
	buffers_free(&in->buffers);
	ahead_pool_free(in->ahead);
	merge_free(in->merge);
	devices_free(&in->devices);
	locations_free(&in->named);
	free(in->feeds);
	host_clocks_free(&in->own_clocks);
	free(in);
}

/* --- several hosts -------------------------------------------------------- */

/* A note's time becomes the time of day, as its host's events have it. */
static void align_note(void *ctx, const struct event *note)
{
	const struct input *in = ctx;
	struct event ev = *note;
	uint64_t wall = epoch_of_note(note);

	ev.time = wall ? wall : host_clock_wall(&in->clocks->list[ev.origin],
						ev.time);
	in->inner.note(in->inner.ctx, &ev);
}

static void pass_damage(void *ctx, const struct damage *d)
{
	const struct input *in = ctx;

	in->inner.damage(in->inner.ctx, d);
}

static void pass_added(void *ctx, const char *file)
{
	const struct input *in = ctx;

	in->inner.added(in->inner.ctx, file);
}

static void pass_idle(void *ctx)
{
	const struct input *in = ctx;

	in->inner.idle(in->inner.ctx);
}

static const struct hooks *hooks_of(const struct input *in)
{
	return in->clocks ? &in->aligning : &in->inner;
}

static uint16_t origin_of(const struct input *in, const struct location *at)
{
	return in->devices.host_count ? (uint16_t)at->host : 0;
}

struct input *input_new(const struct input_options *o,
			const struct hooks *hooks)
{
	struct input *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->hooks = hooks;
	in->inner = *hooks;
	in->aligning = (struct hooks){ in, align_note, pass_damage, pass_added,
				       pass_idle };
	in->options = *o;
	in->merge = merge_new();
	in->ahead = ahead_pool_new();
	if (!in->merge || !in->ahead) {
		input_free(in);
		return NULL;
	}
	return in;
}

/* --- players of the merge ------------------------------------------------ */

static int next_of_stream(void *self, struct event **ev)
{
	return stream_next(self, ev);
}

static int next_of_reorder(void *self, struct event **ev)
{
	return reorder_next(self, ev);
}

static int next_aligned(void *self, struct event **ev)
{
	struct feed *f = self;
	int got = f->stream ? stream_next(f->stream, ev) :
			      reorder_next(f->reorder, ev);

	if (got == 1)
		(*ev)->time = host_clock_wall(f->clock, (*ev)->time);
	return got;
}

/* A single host's times need no alignment. */
static struct player player_of(struct feed *f)
{
	if (f->clock)
		return (struct player){ next_aligned, f, NULL };
	if (f->stream)
		return (struct player){ next_of_stream, f->stream,
					stream_batch(f->stream) };
	return (struct player){ next_of_reorder, f->reorder, NULL };
}

/* Takes over stream or reorder, whichever is not NULL, also on failure. */
static int add_feed(struct input *in, struct stream *s, struct reorder *r,
		    uint16_t origin)
{
	struct feed **feeds = realloc(in->feeds,
				      (in->feed_count + 1) * sizeof(*feeds));
	struct feed *f = feeds && (s || r) ? malloc(sizeof(*f)) : NULL;
	int err = -ENOMEM;

	if (feeds)
		in->feeds = feeds;
	if (!f) {
		stream_free(s);
		reorder_free(r);
		return err;
	}
	*f = (struct feed){ .stream = s, .reorder = r,
			    .clock = in->clocks ? &in->clocks->list[origin] :
						 NULL };
	err = merge_add(in->merge, player_of(f));
	if (err) {
		feed_free(f);
		return err;
	}
	feeds[in->feed_count++] = f;
	/* notes act in the order in which files are opened */
	return s ? stream_prime(s) : 0;
}

/* --- devices with a file per CPU ----------------------------------------- */

static void report(struct input *in, const char *file, int err)
{
	in->hooks->damage(in->hooks->ctx,
			  &(struct damage){ .file = file,
					    .what = strerror(-err),
					    .error = err });
}

static unsigned int batch_of(const struct input *in)
{
	int batch = in->options.batch;

	/* 1.3.0: takes a negative number for a huge one */
	return batch ? (unsigned int)batch : STREAM_BATCH;
}

static void keep_account(void *ctx, struct lane_end *to,
			 const struct lane_end *now)
{
	const struct input *in = ctx;

	if (in->thread)
		read_ahead_account(in->thread, to, now);
	else
		*to = *now;
}

/* For input_skip(). */
static int keep_path(struct input *in, const struct file_entry *e, int cpu)
{
	struct feed *f = in->feeds[in->feed_count - 1];

	f->cpu = cpu;
	f->path = e->old ? NULL : strdup(e->path);
	return e->old || f->path ? 0 : -ENOMEM;
}

/* Bytes as they are stored. */
static uint64_t size_of(const struct source *src)
{
	uint64_t done = 0, total = 0;

	source_progress(src, &done, &total);
	return total;
}

/* Whether a file is ignored.  If it was opened, err is 0, and its size is
 * known without another look. */
static bool is_empty(const struct file_entry *e, const struct source *src,
		     int err)
{
	if (err || e->old || e->fill != FOLDER_REGULAR)
		return files_is_empty(e);
	return !size_of(src);
}

/* Takes src over.  A file that fits into less need not have all pages of a
 * buffer. */
static int add_stream(struct input *in, struct device *dev, struct lane *lane,
		      const struct file_entry *e, struct source *src)
{
	struct stream_options o = {
		.name = e->path,
		.cpu = in->options.any_cpu ? STREAM_ANY_CPU : (int)e->cpu,
		.batch = batch_of(in),
		.lane = lane,
		.seals = in->options.checked,
		.timed = in->options.checked,
		.origin = dev->origin,
		.end = &lane->end,
		.buffers = size_of(src) < BUFFERS_SIZE ? NULL : &in->buffers,
	};
	struct stream *s;
	int err;

	in->hooks->added(in->hooks->ctx, e->path);
	s = stream_new(src, &o, hooks_of(in));
	if (s)
		stream_keep_end(s, keep_account, in);
	err = add_feed(in, s, NULL, o.origin);
	return err ? err : keep_path(in, e, o.cpu);
}

static int add_file(struct input *in, struct device *dev,
		    const struct file_entry *e)
{
	struct source *src = NULL;
	int err = files_open(e, &src);
	struct lane *lane;

	if (is_empty(e, src, err)) {
		source_close(src);
		return 0;
	}
	lane = device_cpu(&in->devices, dev, e->cpu);
	if (!lane) {
		source_close(src);
		return -ENOMEM;
	}
	lane->player = (uint32_t)in->feed_count;
	if (!err)
		err = source_ahead(&src, src, in->ahead);
	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
		return err;
	if (!err)
		return add_stream(in, dev, lane, e, src);
	report(in, e->path, err);
	return 0;
}

static int add_device(struct input *in, const struct location *at)
{
	struct files files;
	struct device *dev;
	int err = location_files(at, &files);

	if (err)
		return err;
	dev = device_add(&in->devices, at->name, 0, origin_of(in, at));
	err = dev ? 0 : -ENOMEM;
	if (dev)
		dev->card = at->card;
	buffers_expect(&in->buffers, files.count);
	for (size_t i = 0; !err && i < files.count; i++) {
		struct file_entry *e = &files.list[i];

		if (in->begin)
			err = skip_segments(e, in->begin + in->options.from);
		if (!err)
			err = add_file(in, dev, e);
	}
	files_free(&files);
	return err;
}

/* --- segments that follow -------------------------------------------------- */

static struct device *device_named(const struct input *in, const char *name)
{
	for (uint32_t i = 0; i < in->devices.count; i++)
		if (in->devices.list[i]->label &&
		    !strcmp(in->devices.list[i]->label, name))
			return in->devices.list[i];
	return NULL;
}

static int continue_file(struct input *in, struct device *dev,
			 const struct file_entry *e, unsigned int before)
{
	struct lane *lane = e->cpu < dev->cpus ? dev->lanes[e->cpu] : NULL;
	struct source *src;
	int err;

	if (!lane)
		return add_file(in, dev, e);
	err = files_continue(e, before, &src);
	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
		return err;
	if (err) {
		report(in, e->path, err);
		return 0;
	}
	stream_continue(in->feeds[lane->player]->stream, src);
	return 0;
}

static int continue_device(struct input *in, const struct location *at,
			   unsigned int before)
{
	struct device *dev = at->name ? device_named(in, at->name) : NULL;
	struct files files;
	int err = dev ? location_files(at, &files) : -ENODEV;

	if (err)
		return err;
	for (size_t i = 0; !err && i < files.count; i++)
		err = files.list[i].links ?
			continue_file(in, dev, &files.list[i], before) :
			-EINVAL;
	files_free(&files);
	return err;
}

int input_continue(struct input *in, const struct locations *l,
		   unsigned int before)
{
	int err = 0;

	merge_continue(in->merge);
	for (size_t i = 0; !err && i < l->count; i++)
		err = continue_device(in, &l->list[i], before);
	return err;
}

/* --- dumps --------------------------------------------------------------- */

/* 0: the file, unpacked, starts with a record's magic; -ENODATA; or -errno. */
static int check_trace(const char *path)
{
	struct source *src;
	uint8_t head[4];
	unsigned int version;
	bool swapped, whole;
	int err = source_open(&src, path);

	if (err)
		return err;
	whole = source_fill(src, head, sizeof(head)) == sizeof(head);
	source_close(src);
	return whole && record_magic(head, &version, &swapped) ? 0 : -ENODATA;
}

static int add_dump(struct input *in, const struct location *at)
{
	struct reorder_options o = { .name = at->path, .filtered = true,
				     .origin = origin_of(in, at),
				     .player = (uint32_t)in->feed_count,
				     .timed = in->options.checked };
	struct source *src;
	int err = check_trace(at->path);

	if (!err)
		err = source_open(&src, at->path);
	if (!err)
		err = source_ahead(&src, src, in->ahead);
	if (err)
		return err;
	in->hooks->added(in->hooks->ctx, at->path);
	return add_feed(in, NULL,
			reorder_new(src, &in->devices, &o, hooks_of(in)),
			o.origin);
}

int input_add_as_written(struct input *in, const char *path,
			 struct stream **s)
{
	struct stream_options o = {
		.name = path,
		.cpu = STREAM_ANY_CPU,
		.batch = STREAM_BATCH,
		.notes_stay = true,
	};
	struct source *src;
	int err = source_open(&src, path);

	if (!err)
		err = source_ahead(&src, src, in->ahead);
	if (err)
		return err;
	in->hooks->added(in->hooks->ctx, path);
	*s = in->as_written = stream_new(src, &o, &in->inner);
	return *s ? 0 : -ENOMEM;
}

/* --- pipes --------------------------------------------------------------- */

static int add_pipe(struct input *in, const char *name, uint16_t origin)
{
	bool is_stdin = !strcmp(name, "-");
	struct reorder_options o = {
		.name = is_stdin ? "standard input" : name,
		.origin = origin,
		.player = (uint32_t)in->feed_count,
		.events = in->options.batch < 1 ? 0 :
						  (uint32_t)in->options.batch,
		.quiet_ms = in->options.quiet_ms,
		.wait_ms = in->options.wait_ms,
		.timed = in->options.checked,
	};
	struct source *src;
	int err = is_stdin ? source_fd(&src, STDIN_FILENO) :
			     source_open(&src, name);

	if (!err)
		err = source_ahead(&src, src, in->ahead);
	if (err)
		return err;
	in->pipe = reorder_new(src, &in->devices, &o, &in->inner);
	err = add_feed(in, NULL, in->pipe, origin);
	if (err)
		in->pipe = NULL;
	return err;
}

int input_add_pipe(struct input *in, const char *name)
{
	return add_pipe(in, name, 0);
}

int input_add_label(struct input *in, const char *label)
{
	return devices_add_label(&in->devices, label);
}

int input_use_labels(struct input *in)
{
	return devices_use_labels(&in->devices);
}

/* --- names --------------------------------------------------------------- */

int input_add_location(struct input *in, const struct location *at)
{
	if (at->name)
		return add_device(in, at);
	if (location_is_pipe(at->path))
		return add_pipe(in, at->path, origin_of(in, at));
	return add_dump(in, at);
}

void input_use_clocks(struct input *in, const struct host_clocks *c)
{
	in->clocks = c;
}

/* If one host's clock is unknown, all keep their own times. */
static int align_clocks(struct input *in, const struct locations *l)
{
	size_t which;
	int err = 0;

	if (!in->clocks) {
		err = host_clocks_find(&in->own_clocks, l, NULL, &which);
		in->clocks = &in->own_clocks;
	}
	if (err || !in->clocks->aligned)
		in->clocks = NULL;
	return err;
}

static int add_hosts(struct input *in, const struct locations *l)
{
	int err = 0;

	if (l->host_count < 2) {
		in->clocks = NULL;
		return 0;
	}
	for (unsigned int i = 0; err >= 0 && i < l->host_count; i++)
		err = devices_add_origin(&in->devices, l->hosts[i]);
	return err < 0 ? err : align_clocks(in, l);
}

uint64_t input_begin(const struct input *in)
{
	return in->begin;
}

/* Times count from the first event, which may be in a segment left out. */
static int find_begin(struct input *in, const struct locations *l)
{
	int err = in->options.from ? skip_first(l, &in->begin) : -ENODATA;

	if (err)
		in->begin = 0;
	return err == -ENODATA ? 0 : err;
}

int input_add_locations(struct input *in, const struct locations *l, int *bad)
{
	int err = add_hosts(in, l);

	if (!err)
		err = find_begin(in, l);
	if (err)
		*bad = 0;
	for (size_t i = 0; !err && i < l->count; i++) {
		err = input_add_location(in, &l->list[i]);
		if (err)
			*bad = l->list[i].operand;
	}
	return err;
}

/* 1.3.0: opens the names before an unknown one. */
int input_add(struct input *in, const char *const *names, int count, int *bad)
{
	struct locations *l = &in->named;
	int found = 0, err;

	for (*bad = 0; !found && *bad < count; *bad += !found)
		found = locations_add(l, in->options.directory, names[*bad]);
	err = locations_unpack(l, bad);
	if (!err)
		err = input_add_locations(in, l, bad);
	return err ? err : found;
}

/* --- the feeds ------------------------------------------------------------ */

static INLINED bool front_of(const struct input *in, const struct lane *lane,
		     uint32_t *sequence)
{
	const struct feed *f = in->feeds[lane->player];
	const struct event *front =
		f->reorder ? reorder_front(f->reorder, lane) :
			     merge_front(in->merge, lane->player);

	if (!front || event_is_note(front) || front->version < 6)
		return false;
	*sequence = front->sequence;
	return true;
}

static void sum_progress(const struct input *in, uint64_t *done,
			 uint64_t *total)
{
	bool known = true;

	*done = *total = 0;
	if (in->as_written)
		stream_progress(in->as_written, done, total);
	for (size_t i = 0; i < in->feed_count; i++) {
		const struct feed *f = in->feeds[i];
		uint64_t before = *total;

		if (f->stream)
			stream_progress(f->stream, done, total);
		else
			reorder_progress(f->reorder, done, total);
		known = known && *total > before;
	}
	if (!known)
		*total = 0;
}

/* --- a thread that reads ahead --------------------------------------------- */

static void note_ahead(void *ctx, const struct event *note)
{
	const struct input *in = ctx;

	read_ahead_note(in->thread, note);
}

static void damage_ahead(void *ctx, const struct damage *d)
{
	const struct input *in = ctx;

	if (read_ahead_settle(in->thread))
		in->hooks->damage(in->hooks->ctx, d);
}

static void added_ahead(void *ctx, const char *file)
{
	const struct input *in = ctx;

	if (read_ahead_settle(in->thread))
		in->hooks->added(in->hooks->ctx, file);
}

/* files are never silent */
static void idle_ahead(void *ctx)
{
	(void)ctx;
}

static void before_adding(void *ctx)
{
	const struct input *in = ctx;

	read_ahead_settle(in->thread);
}

static int next_to_put(void *ctx, struct event **ev)
{
	const struct input *in = ctx;

	return in->as_written ? stream_next(in->as_written, ev) :
				merge_next(in->merge, ev);
}

static struct batch *batch_to_put(void *ctx)
{
	struct input *in = ctx;

	return in->as_written ? &in->empty : merge_batch(in->merge);
}

static bool front_to_put(void *ctx, const struct lane *lane,
			 uint32_t *sequence)
{
	return front_of(ctx, lane, sequence);
}

static void progress_to_put(void *ctx, uint64_t *done, uint64_t *total)
{
	sum_progress(ctx, done, total);
}

/* All is again as before the thread. */
static void end_thread(struct input *in)
{
	read_ahead_free(in->thread);
	in->thread = NULL;
	in->inner = *in->hooks;
	in->devices.before = NULL;
}

int input_read_ahead(struct input *in, const struct lane *last)
{
	const struct ahead_way way = { next_to_put, batch_to_put, front_to_put,
				       progress_to_put, in, last };
	int err;

	if (in->pipe || in->thread)
		return -ENOTSUP;
	in->inner = (struct hooks){ in, note_ahead, damage_ahead, added_ahead,
				    idle_ahead };
	in->devices.before = before_adding;
	in->devices.before_ctx = in;
	in->stopped = false;
	err = read_ahead_new(&in->thread, &way, in->hooks);
	if (err)
		end_thread(in);
	return err;
}

bool input_stop_ahead(struct input *in)
{
	in->stopped = true;
	if (in->thread)
		read_ahead_stop(in->thread);
	return in->thread;
}

/* --- events -------------------------------------------------------------- */

static COLD int after_thread(struct input *in, int got, struct event **ev)
{
	bool stopped = in->stopped;

	end_thread(in);
	if (got != -ECANCELED)
		return got;
	return stopped ? -EINTR : next_to_put(in, ev);
}

static APART int next_ahead(struct input *in, struct event **ev)
{
	int got = read_ahead_next(in->thread, &in->slot);

	if (UNLIKELY(got != 1))
		return after_thread(in, got, ev);
	*ev = &in->slot->ev;
	return 1;
}

int input_next(struct input *in, struct event **ev)
{
	if (in->thread)
		return next_ahead(in, ev);
	return merge_next(in->merge, ev);
}

struct batch *input_batch(struct input *in)
{
	return in->thread ? &in->empty : merge_batch(in->merge);
}

static void fill_skip_file(struct feed *f, struct skip_file *file)
{
	*file = (struct skip_file){
		.path = f->path,
		.cpu = f->cpu,
		.stream = f->stream,
		.player = player_of(f),
		/* by notes alone, so without drift */
		.epoch = f->clock ? f->clock->epoch : 0,
	};
}

int input_skip(struct input *in, uint64_t first, uint64_t time)
{
	struct skip_file *files;
	int err;

	files = calloc(in->feed_count + 1, sizeof(*files));
	if (!files)
		return -ENOMEM;
	for (size_t i = 0; i < in->feed_count; i++)
		fill_skip_file(in->feeds[i], &files[i]);
	err = skip_events(&(struct skip){
			.merge = in->merge,
			.files = files,
			.count = (uint32_t)in->feed_count,
			.batch = batch_of(in),
			.first = first,
			.time = time,
			.opener = in->options.opener });
	free(files);
	return err;
}

bool input_front(const struct input *in, const struct lane *lane,
		 uint32_t *sequence)
{
	if (!in->thread)
		return front_of(in, lane, sequence);
	*sequence = in->slot->sequence;
	return in->slot->counts;
}

void input_stop(struct input *in)
{
	if (in->thread)
		end_thread(in);
	if (in->as_written)
		stream_stop(in->as_written);
	for (size_t i = 0; i < in->feed_count; i++) {
		if (in->feeds[i]->stream)
			stream_stop(in->feeds[i]->stream);
		else
			reorder_stop(in->feeds[i]->reorder);
	}
}

uint64_t input_watermark(const struct input *in)
{
	return in->pipe ? reorder_watermark(in->pipe) : UINT64_MAX;
}

uint64_t input_late(const struct input *in)
{
	uint64_t late = 0;

	for (size_t i = 0; i < in->feed_count; i++)
		if (in->feeds[i]->reorder)
			late += reorder_late(in->feeds[i]->reorder);
	return late;
}

void input_progress(const struct input *in, uint64_t *done, uint64_t *total)
{
	if (in->thread)
		read_ahead_progress(in->thread, done, total);
	else
		sum_progress(in, done, total);
}

const struct devices *input_devices(const struct input *in)
{
	return &in->devices;
}
