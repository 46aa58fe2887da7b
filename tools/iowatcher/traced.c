/* SPDX-License-Identifier: GPL-2.0-only */
/* One trace, read; see traced.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/traces.h"
#include "record/record.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/named.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/traced.h"

/* --- callers -------------------------------------------------------------- */

/* the number of the one that all are who came too late */
enum { OTHERS = CALLERS_MAX };

enum { LIST_FIRST = 64, NAME_MAX_BYTES = 64 };

static int add(struct callers *p, uint16_t origin, uint32_t pid)
{
	struct caller *list = array_reserve(p->list, p->count, &p->size,
					    LIST_FIRST, sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count] = (struct caller){ .origin = origin, .pid = pid };
	return (int)p->count++;
}

/* the number of a process, from 0; or -ENOMEM */
static int callers_find(struct callers *p, uint16_t origin, uint32_t pid)
{
	uint64_t key = origin_key(origin, pid);
	int64_t known = hash_get_number(&p->by_pid, key);
	int nr;

	if (known >= 0)
		return (int)known;
	if (p->count > OTHERS)
		return OTHERS;
	nr = add(p, origin, pid);
	if (nr >= 0 && nr < OTHERS &&
	    hash_put_number(&p->by_pid, key, (uint32_t)nr))
		return -ENOMEM;
	return nr;
}

/* --- names ---------------------------------------------------------------- */

/* what the kernel has one of for each CPU, or more */
static const char *const families[] = { "kworker", "ksoftirqd" };

/* how much of a name is a family's: "kworker" of "kworker/0:1" */
static size_t family_length(const char *name)
{
	size_t len = strcspn(name, "/");

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strlen(families[i]) == len &&
		    !memcmp(name, families[i], len))
			return len;
	return strlen(name);
}

static void name_of(const struct callers *p, const struct reader *r,
		    uint32_t nr, char text[NAME_MAX_BYTES])
{
	const struct caller *one = &p->list[nr];
	const char *name = reader_process(r, one->origin, one->pid);

	if (nr == OTHERS)
		snprintf(text, NAME_MAX_BYTES, "others");
	else if (name)
		snprintf(text, NAME_MAX_BYTES, "%.*s",
			 (int)family_length(name), name);
	else
		snprintf(text, NAME_MAX_BYTES, "%u", one->pid);
}

/* the number of a name, which is added if it is new; or -ENOMEM */
static int64_t number_of(struct callers *p, struct hash *known,
			 const char *text)
{
	uint64_t key = hash_text(known, text, strlen(text));
	int64_t nr = hash_get_number(known, key);

	if (nr >= 0)
		return nr;
	p->names[p->name_count] = strdup(text);
	if (!p->names[p->name_count] ||
	    hash_put_number(known, key, p->name_count)) {
		free(p->names[p->name_count]);
		return -ENOMEM;
	}
	return p->name_count++;
}

/* No more come: names are asked of the reader.  0, or -ENOMEM. */
static int callers_name(struct callers *p, const struct reader *r)
{
	struct hash known = { .count = 0 };
	int64_t nr = 0;

	p->names = calloc((size_t)p->count + 1, sizeof(*p->names));
	if (!p->names)
		return -ENOMEM;
	for (uint32_t i = 0; nr >= 0 && i < p->count; i++) {
		char text[NAME_MAX_BYTES];

		name_of(p, r, i, text);
		nr = number_of(p, &known, text);
		p->list[i].name = nr < 0 ? 0 : (uint32_t)nr;
	}
	hash_free(&known);
	return nr < 0 ? -ENOMEM : 0;
}

static void callers_free(struct callers *p)
{
	for (uint32_t i = 0; i < p->name_count; i++)
		free(p->names[i]);
	free(p->names);
	free(p->list);
	hash_free(&p->by_pid);
	*p = (struct callers){ .count = 0 };
}

/* --- traced --------------------------------------------------------------- */

enum { DEVICE_NAME = 256 };

struct reading_of {
	struct traced *t;
	const struct watch_options *o;
	struct traces in;
	bool ios;		/* some have come */
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static void init(struct traced *t, const struct watch_options *o,
		 const char *label)
{
	unsigned int bins = watch_options_bins(o);

	*t = (struct traced){ .label = label ? label : "" };
	for (int i = 0; i < TRACED_SOURCES; i++)
		check(rates_init(&t->rates[i], o->time.low, BIN_NS, bins));
	for (int i = 0; i < TRACED_DEPTHS; i++)
		check(depth_bins_init(&t->depth[i], o->time.low, BIN_NS, bins));
}

void traced_free(struct traced *t)
{
	for (int i = 0; i < TRACED_SOURCES; i++)
		rates_free(&t->rates[i]);
	for (int i = 0; i < TRACED_DEPTHS; i++)
		depth_bins_free(&t->depth[i]);
	for (size_t i = 0; i < t->device_count; i++) {
		raster_free(&t->devices[i].raster);
		touches_free(&t->devices[i].touches);
		free(t->devices[i].name);
	}
	free(t->devices);
	free(t->host);
	callers_free(&t->callers);
	cpu_times_free(&t->cpus);
}

enum traced_source traced_source(const struct traced *t)
{
	int i = 0;

	while (i < TRACED_SOURCES && !t->any[i])
		i++;
	return (enum traced_source)i;
}

/* --- what the device did -------------------------------------------------- */

static enum rate_class class_of(const struct io *io)
{
	static const enum rate_class classes[IO_OPS] = {
		[IO_READ] = RATE_READ,
		[IO_WRITE] = RATE_WRITE,
		[IO_DISCARD] = RATE_OTHER,
		[IO_ZEROES] = RATE_OTHER,
		[IO_FLUSH_OP] = RATE_OTHER,
		[IO_APPEND] = RATE_WRITE,
		[IO_RESET] = RATE_OTHER,
		[IO_RESET_ALL] = RATE_OTHER,
		[IO_FINISH] = RATE_OTHER,
		[IO_OPEN_ZONE] = RATE_OTHER,
		[IO_CLOSE_ZONE] = RATE_OTHER,
	};

	return io->kind == IO_PASS ? RATE_OTHER : classes[io->op];
}

/* something at a time, and how long it had taken, or IO_NONE */
struct moment {
	uint64_t time, bytes, span;
};

static void add_rate(struct reading_of *r, enum traced_source source,
		     enum rate_class class, const struct moment *m)
{
	if (m->time > r->o->time.high)
		return;
	check(rates_add(&r->t->rates[source], m->time, class, m->bytes,
			m->span));
	r->t->any[source] = true;
	r->t->ios += m->time >= r->o->time.low;
}

/* what a device had to do at once; end IO_NONE: it never ended */
static void add_depth(struct reading_of *r, enum traced_source source,
		      uint64_t from, uint64_t end)
{
	const struct watched_span *time = &r->o->time;

	if (from >= time->high)
		return;
	check(depth_bins_add(&r->t->depth[source], from,
			     end < time->high ? end : IO_NONE));
}

static uint64_t end_of(const struct io *io)
{
	return io_completed(io) ? io->time + io->total : IO_NONE;
}

/* its request's bytes, as the lead has them */
static uint64_t request_bytes(const struct io *io)
{
	return io->rq_bytes ? io->rq_bytes : io->bytes;
}

static void add_request(struct reading_of *r, const struct io *io)
{
	bool issued = io->issued != IO_NONE;
	uint64_t end = io->served != IO_NONE ? io->served : end_of(io);
	uint64_t from = issued ? io->issued : io->time;
	struct moment m = { .bytes = request_bytes(io), .span = IO_NONE };

	if (issued) {
		m.time = io->issued;
		add_rate(r, TRACED_ISSUES, class_of(io), &m);
	}
	/* a request of which events are missing was not as long as it seems */
	if (issued || end != IO_NONE)
		add_depth(r, TRACED_REQUESTS, from, end);
	if (end == IO_NONE)
		return;
	m.time = end;
	m.span = io->gap ? IO_NONE : end - from;
	add_rate(r, TRACED_REQUESTS, class_of(io), &m);
}

/* of a device that makes no requests; what is below it does the same again */
static void add_bio(struct reading_of *r, const struct io *io)
{
	struct moment m = { .bytes = io->bytes, .span = io->total,
			    .time = end_of(io) };

	if (io->children || io->link == IO_SPLIT || m.time == IO_NONE)
		return;
	if (io->gap)
		m.span = IO_NONE;
	add_depth(r, TRACED_IOS, io->time, m.time);
	add_rate(r, TRACED_IOS, class_of(io), &m);
}

static void add_queue(struct reading_of *r, const struct io *io)
{
	const struct moment m = { .bytes = io->bytes, .span = IO_NONE,
				  .time = io->time };

	if (io->birth == 'Q')
		add_rate(r, TRACED_QUEUES, class_of(io), &m);
}

static void add_lines(struct reading_of *r, const struct io *io)
{
	/* the kernel's own flushes, and others, move no data */
	if (!io->bytes && !io->rq_bytes)
		return;
	if (io_leads(io))
		add_request(r, io);
	else if (!io->rq)
		add_bio(r, io);
	add_queue(r, io);
}

/* --- offsets -------------------------------------------------------------- */

/* The more devices there are the fewer rows has each: all of them are one
 * picture. */
static void share_rows(struct traced *t)
{
	unsigned int rows = TOUCHES_ROWS;

	while (rows > TOUCHES_ROWS_MIN && rows * t->device_count > TOUCHES_ROWS)
		rows /= 2;
	for (size_t i = 0; i < t->device_count; i++)
		check(touches_limit(&t->devices[i].touches, rows));
}

static struct traced_device *device_of(struct reading_of *r, uint32_t id)
{
	struct traced *t = r->t;
	struct traced_device *list;

	if (id < t->device_count)
		return &t->devices[id];
	list = array_resize(t->devices, id + 1, sizeof(*list));
	if (!list)
		msg_die("out of memory");
	t->devices = list;
	for (; t->device_count <= id; t->device_count++) {
		list[t->device_count].name = NULL;
		raster_init(&list[t->device_count].raster, r->o->time.low);
		touches_init(&list[t->device_count].touches, r->o->time.low);
	}
	share_rows(t);
	return &list[id];
}

/* when an io is where it is, or IO_NONE: not at all */
static uint64_t when(const struct reading_of *r, const struct io *io)
{
	uint64_t queued = io->birth == 'Q' ? io->time : IO_NONE;

	if (r->o->action == 'Q')
		return queued;
	if (r->o->action == 'D')
		return io->issued;
	if (r->o->action == 'C')
		return end_of(io);
	if (queued != IO_NONE)
		return queued;
	return io->issued != IO_NONE ? io->issued : end_of(io);
}

/* A whole is queued and completes; its parts are issued. */
static bool has_place(const struct reading_of *r, const struct io *io)
{
	if (io->kind == IO_BIO)
		return true;
	return io->kind == IO_PART && r->o->action == 'D';
}

/* what its cells are counted by */
static unsigned int raster_class(struct reading_of *r, const struct io *io)
{
	enum rate_class class = class_of(io);
	int nr;

	if (!r->o->per_process)
		return class;
	nr = callers_find(&r->t->callers, io->origin, io->pid);
	check(nr < 0);
	return (unsigned int)nr * RATE_CLASSES + class;
}

static void add_mark(struct reading_of *r, const struct io *io,
		     struct raster_mark *m)
{
	struct traced_device *d = device_of(r, io->disk->id);

	m->class = raster_class(r, io);
	check(raster_add(&d->raster, m));
	m->class = class_of(io);
	if (r->o->movie)
		check(touches_add(&d->touches, m));
	r->t->ios++;
}

static void add_place(struct reading_of *r, const struct io *io)
{
	const struct watched_span *s = &r->o->sectors;
	struct raster_mark m = { .sector = io->sector, .time = when(r, io) };

	if (!io->bytes || !io->disk || !has_place(r, io) ||
	    m.time == IO_NONE || m.time > r->o->time.high ||
	    m.time < r->o->time.low)
		return;
	if (__builtin_add_overflow(m.sector, (io->bytes + 511) / 512, &m.end))
		m.end = UINT64_MAX;
	if (m.sector < s->low)
		m.sector = s->low;
	if (m.end > s->high)
		m.end = s->high;
	if (m.sector < m.end)
		add_mark(r, io, &m);
}

/* --- completions of which nothing else is known ---------------------------- */

static enum io_op op_of(uint32_t categories)
{
	if (categories & BLK_TC_BIT(BLK_TC_DISCARD))
		return IO_DISCARD;
	return categories & BLK_TC_BIT(BLK_TC_WRITE) ? IO_WRITE : IO_READ;
}

/* An io that only its end is known of. */
static struct io end_alone(const struct event *ev)
{
	uint32_t categories = event_categories(ev);

	return (struct io){
		.kind = categories & BLK_TC_BIT(BLK_TC_PC) ? IO_PASS : IO_BIO,
		.birth = 'C', .op = op_of(categories), .ended = IO_ENDED_C,
		.time = ev->time, .issued = IO_NONE, .sector = ev->sector,
		.bytes = ev->bytes, .disk = ev->lane->device,
		.origin = ev->origin, .pid = ev->pid,
	};
}

/* What has FS or PC is a request's.  Its place counts where those of ends are
 * asked for, or nothing else has had a place. */
static void on_ghost(void *reading, const struct event *ev)
{
	const uint32_t request = BLK_TC_BIT(BLK_TC_FS) | BLK_TC_BIT(BLK_TC_PC);
	struct reading_of *r = reading;
	const struct io io = end_alone(ev);
	const struct moment m = { .time = ev->time, .bytes = ev->bytes,
				  .span = IO_NONE };

	add_rate(r, event_categories(ev) & request ? TRACED_REQUEST_ENDS :
						     TRACED_ENDS,
		 class_of(&io), &m);
	if (r->o->action == 'C' || !r->ios)
		add_place(r, &io);
}

/* --- a trace -------------------------------------------------------------- */

static void read_ios(struct reading_of *r)
{
	const struct io *io;
	int got;

	while ((got = traces_next_io(&r->in, &io))) {
		if (LIKELY(got == 1)) {
			r->ios = true;
			add_lines(r, io);
			add_place(r, io);
		} else if (got != -EAGAIN && got != -EINTR) {
			r->t->damaged = true;
			return;
		}
	}
}

static void name_devices(struct reading_of *r)
{
	const struct devices *all = reader_devices(r->in.reader);

	for (size_t i = 0; i < r->t->device_count; i++) {
		char text[DEVICE_NAME];

		device_text(all->list[i], text, sizeof(text));
		r->t->devices[i].name = strdup(text);
		check(!r->t->devices[i].name);
	}
}

/* Of several hosts, devices have their names. */
static void name_host(struct reading_of *r)
{
	const char *host = reader_host(r->in.reader, 0);
	struct timespec wall;

	r->t->host = strdup(host && !reader_clock(r->in.reader, 1) ? host : "");
	check(!r->t->host);
	if (!reader_wall(r->in.reader, 0, &wall) && wall.tv_sec > 0)
		r->t->began = time_of_timespec(&wall);
}

static void end(struct reading_of *r)
{
	struct traced *t = r->t;
	struct loss loss;

	t->end = ios_time(r->in.ios);
	if (t->end > r->o->time.high || reader_goes_on(r->in.reader))
		t->end = r->o->time.high;
	for (int i = 0; i < TRACED_DEPTHS; i++)
		depth_bins_end(&t->depth[i], t->end);
	name_devices(r);
	check(callers_name(&t->callers, r->in.reader));
	reader_loss(r->in.reader, READER_ALL, &loss);
	t->missing = loss.missing;
	t->damaged |= r->in.damaged;
}

void traced_read(struct traced *t, const struct watch_options *o,
		 const struct watched_name *name)
{
	struct reading_of r = { .t = t, .o = o };
	char *found = named_find(name->path);
	const char *const names[] = { found };
	const struct traces_options reading = {
		.names = names,
		.count = 1,
		/* what is before the start has to be read, too */
		.window = { 0, o->time.high },
		.progress = !o->no_progress,
		.unmarked = true,
	};

	init(t, o, name->label);
	if (!traces_open(&r.in, &reading))
		exit(1);
	ios_watch_ghosts(r.in.ios, on_ghost, &r);
	read_ios(&r);
	end(&r);
	name_host(&r);
	traces_close(&r.in);
	t->damaged |= !cpu_file_read(&t->cpus, name->path);
	free(found);
}
