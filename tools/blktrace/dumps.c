/* SPDX-License-Identifier: GPL-2.0-only */
/* The dumps of a flight recorder; see dumps.h. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/thread.h"
#include "base/time.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/sink.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_packed.h"
#include "capture/to/sink_ring.h"
#include "capture/to/sweeper.h"
#include "file/segments.h"
#include "request/io.h"
#include "stat/trigger.h"
#include "tools/blktrace/dumps.h"
#include "tools/blktrace/watch.h"

/* --- cause ---------------------------------------------------------------- */

enum {
	CAUSE_TRIGGER = 256,	/* bytes of a trigger's text, at most */
	CAUSE_NAME = 64,
	CAUSE_ALSO = 100,	/* further ones listed */
	CAUSE_TEXT = 512,
};

/* a match */
struct cause_event {
	char trigger[CAUSE_TRIGGER];
	char value[TRIGGER_VALUE];
	uint64_t time;		/* ns, trace time */
};

struct cause {
	struct cause_event event;
	bool has_io;
	struct io io;
	char device[CAUSE_NAME], process[CAUSE_NAME];	/* of io; or "" */
	uint64_t wall;		/* ns since 1970, of event.time */
	uint64_t from, to;	/* ns, trace time, of the dump */
	uint64_t whole;		/* ns: complete from this time on */
	uint64_t reach;		/* ns that the ring reached back; 0: to the
				 * start */
	struct cause_event also[CAUSE_ALSO];	/* in the same window */
	uint64_t also_count;	/* all, listed or not */
	uint64_t suppressed;	/* triggers counted since the last dump */
	uint64_t blind;		/* ns of the run not watched */
	uint64_t dropped;	/* events that the kernel dropped so far */
	const char *incomplete;	/* why it is incomplete, or NULL */
};

enum { SCHEMA = 1, ROOM = 65536, WALL = 40, ROOM_AGAIN = 4096,
       ROOM_WHOLE = 1 << 20 };	/* that no cause fills */

/* --- parts ---------------------------------------------------------------- */

static void wall_text(uint64_t ns, char text[WALL])
{
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	struct tm tm = { .tm_mday = 1 };
	size_t len;

	localtime_r(&seconds, &tm);
	len = strftime(text, WALL, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + len, WALL - len, ".%06u",
		 (unsigned int)(ns % NS_PER_SECOND / NS_PER_US));
}

/* "error: errno 5 at 2026-11-20 06:07:10.123456", cut to CAUSE_TEXT */
static void cause_text(const struct cause *c, char text[CAUSE_TEXT])
{
	const struct cause_event *e = &c->event;
	char wall[WALL];

	wall_text(c->wall, wall);
	snprintf(text, CAUSE_TEXT, "%s%s%s at %s", e->trigger,
		 *e->value ? ": " : "", e->value, wall);
}

static void write_time(struct json *j, const char *name, uint64_t ns)
{
	if (ns == IO_NONE)
		json_put_null(j, name);
	else
		json_put_number(j, name, ns);
}

static void write_phases(struct json *j, const struct io *io)
{
	json_put_object(j, "phases");
	for (unsigned int p = 0; p < IO_PHASES; p++)
		if (io->has >> p & 1)
			json_put_number(j, io_phase_name(p), io->phase[p]);
	json_put_object_end(j);
}

static void write_io(struct json *j, const struct cause *c)
{
	const struct io *io = &c->io;
	char flags[RWBS_MAX];

	if (!c->has_io) {
		json_put_null(j, "io");
		return;
	}
	io_flags(io, flags);
	json_put_object(j, "io");
	json_put_string(j, "device", *c->device ? c->device : NULL);
	json_put_string(j, "process", *c->process ? c->process : NULL);
	json_put_number(j, "pid", io->pid);
	json_put_number(j, "cpu", io->cpu);
	json_put_string(j, "kind", io_kind_name(io->kind));
	json_put_string(j, "op", io_op_name(io->op));
	json_put_string(j, "flags", flags);
	json_put_string(j, "ended", io_ended_name(io->ended));
	write_time(j, "sector", io->sector);
	json_put_number(j, "bytes", io->bytes);
	json_put_number(j, "errno", io->error);
	json_put_number(j, "time", io->time);
	write_time(j, "total", io->total);
	write_phases(j, io);
	json_put_object_end(j);
}

static void write_event(struct json *j, const struct cause_event *e)
{
	json_put_string(j, "trigger", e->trigger);
	json_put_string(j, "value", e->value);
	json_put_number(j, "time", e->time);
}

static void write_also(struct json *j, const struct cause *c)
{
	uint64_t listed = c->also_count < CAUSE_ALSO ? c->also_count :
						       CAUSE_ALSO;

	json_put_array(j, "also");
	for (uint64_t i = 0; i < listed; i++) {
		json_put_object(j, NULL);
		write_event(j, &c->also[i]);
		json_put_object_end(j);
	}
	json_put_array_end(j);
	json_put_number(j, "also_count", c->also_count);
}

/* The text comes first, for readers that need no more. */
static void write_all(struct json *j, const struct cause *c)
{
	char text[CAUSE_TEXT], wall[WALL];

	cause_text(c, text);
	wall_text(c->wall, wall);
	json_put_object(j, NULL);
	json_put_string(j, "text", text);
	json_put_number(j, "schema", SCHEMA);
	write_event(j, &c->event);
	json_put_string(j, "wall", wall);
	json_put_number(j, "wall_ns", c->wall);
	write_io(j, c);
	json_put_number(j, "from", c->from);
	json_put_number(j, "to", c->to);
	json_put_number(j, "whole_from", c->whole);
	write_time(j, "ring_reach", c->reach ? c->reach : IO_NONE);
	write_also(j, c);
	json_put_number(j, "suppressed", c->suppressed);
	json_put_number(j, "blind_ms", c->blind / NS_PER_MS);
	json_put_number(j, "dropped", c->dropped);
	json_put_string(j, "incomplete", c->incomplete);
	json_put_object_end(j);
}

/* --- the file ------------------------------------------------------------- */

static int write_to(const struct cause *c, int fd)
{
	struct buf b;
	struct json j = { .b = &b };
	int err = buf_init(&b, fd, ROOM);

	if (err)
		return err;
	write_all(&j, c);
	buf_append(&b, "\n", 1);
	err = buf_flush(&b);
	if (!err && ftruncate(fd, lseek(fd, 0, SEEK_CUR)))
		err = -errno;
	/* reserves space to write it again on a full disk, if possible */
	if (!err && c->incomplete)
		fallocate(fd, FALLOC_FL_KEEP_SIZE, 0,
			  lseek(fd, 0, SEEK_CUR) + ROOM_AGAIN);
	buf_free(&b);
	return err;
}

/* Overwrites cause.json, so that even after a kill there is one; 0 or -errno.
 * */
static int cause_write(const struct cause *c, const char *directory)
{
	char *path;
	int fd, err;

	if (asprintf(&path, "%s/cause.json", directory) < 0)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : write_to(c, fd);
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	free(path);
	return err;
}

/* The same in a packed file. */
static int cause_write_aside(const struct cause *c, struct sink *s)
{
	struct buf b;
	struct json j = { .b = &b };
	int err = buf_init(&b, -1, ROOM_WHOLE);

	if (err)
		return err;
	write_all(&j, c);
	buf_append(&b, "\n", 1);
	err = b.error ? -EFBIG :
			s->ops->aside(s, "cause.json", b.data, b.len);
	buf_free(&b);
	return err;
}

/* --- dumps ---------------------------------------------------------------- */

enum { WAITING_MAX = 2, SLOTS = WAITING_MAX + 1 };

struct dump {
	struct chunk_window window;
	struct cause cause;
	unsigned int number;
};

struct dumps {
	struct dumps_options o;
	struct sweeper *sweeper;
	pthread_t thread;
	atomic_ullong deadline;	/* ns; UINT64_MAX: none */
	pthread_mutex_t lock;	/* of all below */
	pthread_cond_t changed;
	struct dump *slots[SLOTS];	/* oldest first */
	unsigned int count;	/* of these */
	bool writing;		/* the first of them */
	uint64_t seen;		/* ns */
	uint64_t last;		/* ns, of the last dump's trigger; 0: none */
	unsigned int number;	/* of the last dump */
	unsigned int made;
	bool said_most, said_reach, end;
	uint64_t suppressed, suppressed_all;
	int error;
};

static struct chunks *chunks_of(const struct dumps *d)
{
	return sink_ring_chunks(d->o.ring);
}

static const char *directory_of(const struct dumps *d)
{
	return d->o.directory ? d->o.directory : ".";
}

/* ns since 1970 of a trace time */
static uint64_t wall_of(const struct dumps *d, uint64_t time)
{
	struct notes_stamp now = d->o.now();

	return now.seconds * NS_PER_SECOND + now.nanoseconds + time - now.time;
}

/* --- triggers ------------------------------------------------------------- */

static void set_event(struct cause_event *c, const struct watch_event *e)
{
	snprintf(c->trigger, sizeof(c->trigger), "%s", e->trigger);
	snprintf(c->value, sizeof(c->value), "%s", e->value);
	c->time = e->time;
}

static void set_io(struct cause *c, const struct watch_event *e)
{
	c->has_io = true;
	c->io = *e->io;
	snprintf(c->device, sizeof(c->device), "%s", e->device ? e->device :
								 "");
	snprintf(c->process, sizeof(c->process), "%s",
		 e->process ? e->process : "");
}

/* Reports a ring that reaches back less than requested. */
static void look_at_reach(struct dumps *d, struct dump *made)
{
	uint64_t gone = atomic_load(&chunks_of(d)->gone);
	uint64_t at = made->cause.event.time;

	made->cause.reach = gone && gone < at ? at - gone : 0;
	if (made->window.from <= at - d->o.before || !gone || d->said_reach)
		return;
	d->said_reach = true;
	reporter_write(d->o.reporter, "the ring reaches back only %llu.%llu s,"
		       " less than --before: use a larger one (--ring)",
		       (unsigned long long)(made->cause.reach / NS_PER_SECOND),
		       (unsigned long long)(made->cause.reach / NS_PER_MS %
					    1000 / 100));
}

static void begin_dump(struct dumps *d, const struct watch_event *e)
{
	struct dump *made = calloc(1, sizeof(*made));

	if (!made) {
		reporter_write(d->o.reporter, "no memory for a dump");
		d->error = d->error ? d->error : -ENOMEM;
		return;
	}
	set_event(&made->cause.event, e);
	if (e->io)
		set_io(&made->cause, e);
	made->cause.wall = wall_of(d, e->time);
	made->window.from = e->time > d->o.before ? e->time - d->o.before : 0;
	made->window.to = e->time + d->o.after;
	chunks_keep(chunks_of(d), &made->window);
	look_at_reach(d, made);
	made->cause.suppressed = d->suppressed;
	made->number = ++d->number;
	d->suppressed = 0;
	d->last = e->time;
	d->made++;
	d->slots[d->count++] = made;
	pthread_cond_broadcast(&d->changed);
}

/* The last dump with that time in its window, or NULL. */
static struct dump *joined(struct dumps *d, uint64_t time)
{
	struct dump *last = d->count ? d->slots[d->count - 1] : NULL;

	if (!last || (d->count == 1 && d->writing) ||
	    time < last->window.from || time > last->window.to)
		return NULL;
	return last;
}

static void join(struct dump *to, const struct watch_event *e)
{
	struct cause *c = &to->cause;

	if (c->also_count < CAUSE_ALSO)
		set_event(&c->also[c->also_count], e);
	c->also_count++;
}

static bool too_many(struct dumps *d)
{
	if (!d->o.most || d->made < d->o.most)
		return false;
	if (!d->said_most)
		reporter_write(d->o.reporter, "no more dumps: there are %u"
			       " (--max-dumps)", d->made);
	d->said_most = true;
	return true;
}

void dumps_fire(struct dumps *d, const struct watch_event *e)
{
	struct dump *to;

	pthread_mutex_lock(&d->lock);
	to = joined(d, e->time);
	if (to) {
		join(to, e);
		to->cause.blind = e->blind;
	} else if ((d->last && e->time < d->last + d->o.every) ||
		   d->count - d->writing >= WAITING_MAX || too_many(d)) {
		d->suppressed++;
		d->suppressed_all++;
	} else {
		begin_dump(d, e);
		if (d->count)
			d->slots[d->count - 1]->cause.blind = e->blind;
	}
	pthread_mutex_unlock(&d->lock);
}

void dumps_seen(struct dumps *d, uint64_t time)
{
	pthread_mutex_lock(&d->lock);
	d->seen = time;
	if (d->count && !d->writing)
		pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
}

/* --- writing -------------------------------------------------------------- */

static bool is_over(void *ctx)
{
	const struct dumps *d = ctx;

	return time_now() > atomic_load(&d->deadline);
}

static const char *why_not_whole(int err)
{
	return err == -ECANCELED ? "the end came before it was written" :
				   strerror(-err);
}

static void report_failed(const struct dumps *d, const char *what, int err)
{
	reporter_write(d->o.reporter, "%s is not whole: %s", what,
		       why_not_whole(err));
}

static int write_cause(struct dumps *d, struct dump *m, const char *path,
		       struct sink *s)
{
	int err = s->ops->aside ? cause_write_aside(&m->cause, s) :
				  cause_write(&m->cause, path);

	if (err)
		reporter_write(d->o.reporter, "cannot write %s/cause.json: %s",
			       path, strerror(-err));
	return err;
}

static int open_directory(const struct dumps *d, struct sink **s,
			  const char *path)
{
	const struct sink_file_options o = { path, NULL, d->o.level,
					     d->o.reporter, NULL };
	int err;

	if (!mkdir(path, 0755))
		return sink_file_new(s, &o);
	err = -errno;
	reporter_write(d->o.reporter, "cannot make %s: %s", path,
		       strerror(-err));
	return err;
}

static int open_sink(const struct dumps *d, struct sink **s, const char *path)
{
	const struct sink_packed_options o = {
		.file = { .path = path, .reporter = d->o.reporter } };

	return d->o.pack ? sink_packed_new(s, &o) : open_directory(d, s, path);
}

static int close_sink(struct sink *s)
{
	int err = s->ops->end ? s->ops->end(s) : 0;

	s->ops->free(s);
	return err;
}

/* Cause and cards first, as the records may fill the disk. */
static int write_files(struct dumps *d, struct dump *m, const char *path)
{
	struct excerpt e = {
		.ring = d->o.ring, .window = &m->window, .now = d->o.now(),
		.gzip = d->o.level, .is_over = is_over, .ctx = d,
	};
	struct cause *c = &m->cause;
	int err = open_sink(d, &e.files, path), failed, ended;

	if (err)
		return err;
	c->from = c->whole = m->window.from;
	c->to = m->window.to;
	c->dropped = d->o.dropped(d->o.ctx);
	c->incomplete = "it is being written";
	failed = write_cause(d, m, path, e.files);
	run_cards_begin(d->o.cards, path, e.files);
	err = excerpt_write(&e);
	c->whole = e.whole;
	c->incomplete = err ? why_not_whole(err) : NULL;
	run_cards_complete(d->o.cards, path, e.files);
	if (!failed)
		failed = write_cause(d, m, path, e.files);
	ended = close_sink(e.files);
	if (!err)
		err = failed;
	return err ? err : ended;
}

static void report_written(const struct dumps *d, const struct dump *m,
			   const char *name)
{
	char text[CAUSE_TEXT];

	cause_text(&m->cause, text);
	reporter_write(d->o.reporter, "%s: %s", name, text);
}

/* An incomplete dump keeps ".partial", and can be read. */
static int write_dump(struct dumps *d, struct dump *m)
{
	char begin[SEGMENT_NAME], *name = NULL, *partial = NULL;
	uint64_t wall = wall_of(d, m->window.from);
	int err = -ENOMEM;

	segment_name(begin, m->number, (time_t)(wall / NS_PER_SECOND));
	if (asprintf(&name, "%s/%s%s", directory_of(d), begin,
		     d->o.pack ? SEGMENT_PACKED : "") >= 0 &&
	    asprintf(&partial, "%s%s", name, SEGMENT_PARTIAL) >= 0)
		err = write_files(d, m, partial);
	chunks_drop(chunks_of(d), &m->window);
	if (err) {
		report_failed(d, partial ? partial : "a dump", err);
		free(partial);
		free(name);
		return err;
	}
	report_written(d, m, name);
	sweeper_add(d->sweeper, partial, name, 0);
	return 0;
}

/* Waits for the next dump's last event; NULL: no more dumps. */
static struct dump *next_dump(struct dumps *d)
{
	struct dump *m = NULL;

	pthread_mutex_lock(&d->lock);
	while (!(d->count && d->seen > d->slots[0]->window.to) &&
	       !(d->end && !d->count))
		pthread_cond_wait(&d->changed, &d->lock);
	if (d->count) {
		m = d->slots[0];
		d->writing = true;
	}
	pthread_mutex_unlock(&d->lock);
	return m;
}

static void wrote(struct dumps *d, struct dump *m, int err)
{
	pthread_mutex_lock(&d->lock);
	d->count--;
	memmove(d->slots, d->slots + 1, d->count * sizeof(*d->slots));
	d->writing = false;
	if (!d->error)
		d->error = err;
	pthread_mutex_unlock(&d->lock);
	free(m);
}

static void *write_dumps(void *arg)
{
	struct dumps *d = arg;
	struct dump *m;

	while ((m = next_dump(d)))
		wrote(d, m, write_dump(d, m));
	return NULL;
}

/* --- life ----------------------------------------------------------------- */

/* Numbers continue after other runs'. */
static unsigned int last_number(const char *directory)
{
	struct segments s;
	unsigned int last;

	if (segments_find(&s, directory))
		return 0;
	last = s.list[s.count - 1].number;
	segments_free(&s);
	return last;
}

static void dumps_free(struct dumps *d)
{
	sweeper_end(d->sweeper);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->changed);
	free(d);
}

int dumps_start(struct dumps **out, const struct dumps_options *o)
{
	const struct sink_file_options files = {
		.directory = o->directory, .reporter = o->reporter };
	int err = sink_file_directory(&files);
	struct dumps *d;

	if (err)
		return err;
	d = calloc(1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->o = *o;
	atomic_init(&d->deadline, UINT64_MAX);
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	d->number = last_number(directory_of(d));
	err = sweeper_start(&d->sweeper, o->keep, o->reporter);
	if (!err)
		err = thread_start(&d->thread, write_dumps, d);
	if (err)
		dumps_free(d);
	else
		*out = d;
	return err;
}

/* Whether the thread has ended by then. */
static bool wait_for_thread(struct dumps *d, int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until = time_to_timespec(time_of_timespec(&until) +
				 (uint64_t)ms * NS_PER_MS);
	return !pthread_timedjoin_np(d->thread, NULL, &until);
}

int dumps_end(struct dumps *d, int ms)
{
	uint64_t suppressed;
	int err;

	pthread_mutex_lock(&d->lock);
	d->end = true;
	d->seen = UINT64_MAX;
	pthread_cond_broadcast(&d->changed);
	suppressed = d->suppressed_all;
	pthread_mutex_unlock(&d->lock);
	atomic_store(&d->deadline, time_now() + (uint64_t)ms * NS_PER_MS);
	if (suppressed)
		reporter_write(d->o.reporter, "%llu triggers were only"
			       " counted", (unsigned long long)suppressed);
	/* one chunk may still be written after ms */
	if (!wait_for_thread(d, ms + ms / 2)) {
		reporter_write(d->o.reporter, "a dump is not finished: the"
			       " disk does not answer");
		return -ETIMEDOUT;
	}
	err = d->error;
	dumps_free(d);
	return err;
}
