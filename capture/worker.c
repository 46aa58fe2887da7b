/* SPDX-License-Identifier: GPL-2.0-only */
/* The capturing threads; see worker.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/audit.h"
#include "capture/mark_queue.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "capture/tap.h"
#include "capture/worker.h"
#include "record/record.h"

enum { FDS_MAX = 256 };

#define DROPS_NS NS_PER_SECOND	/* between reads of the drops */
/* between seals, as a thread that sleeps for a second may wake early */
#define SEAL_NS (NS_PER_SECOND - 100 * NS_PER_MS)

struct worker {
	struct workers *all;
	unsigned int index;
	uint32_t cpu;
	bool first;		/* of all: checks drops, marks and audit */
	pthread_t thread;
	struct tap *tap;
	struct sink_lane *lanes;	/* by device */
	unsigned int opened;	/* lanes that the sink has open */
	bool moved, reported_moved;	/* its CPU is offline */
	bool reported;		/* the sink has reported what was wrong */
	uint64_t drops_at;	/* ns, when drops were last read */
	struct notes_account *accounts;	/* by device, for seals */
	uint64_t sealed_at;	/* ns, when they were last sealed */
	int error;
};

struct workers {
	struct workers_options o;
	struct worker *list;
	unsigned int count;	/* threads started */
	int stop_fd;		/* readable once they must stop */
	pthread_mutex_t lock;	/* of all below */
	pthread_cond_t changed;
	unsigned int ready, failed;
	unsigned int drained;	/* threads without more records */
	bool go, abandon;
	uint64_t end;		/* ns, when the capture ended; set before stop_fd */
	atomic_bool reported;	/* why reading failed */
	int gone_fd;		/* readable once a thread has ended */
	atomic_ullong events, bytes;
	atomic_ullong *dropped;	/* by device */
	atomic_uint *streams;	/* by device: CPUs that have recorded */
	uint64_t *looked;	/* by device: ns, before dropped was read */
	unsigned int *version;	/* of the records of a device */
	uint32_t *number;	/* of the device, as its records have it */
};

/* --- records ------------------------------------------------------------- */

static int write_lane(struct worker *w, struct sink_lane *l,
		      const void *records, size_t len)
{
	int err = w->all->o.sink->ops->write(w->all->o.sink, l, records, len);

	if (err)
		w->reported = true;
	return err;
}

/* All earlier records are before it.  Seals are not in the sums, which count
 * what the kernel wrote. */
static int put_seal(struct worker *w, struct sink_lane *l,
		    enum blk_seal_kind kind, uint64_t time)
{
	struct workers *all = w->all;
	uint8_t raw[NOTES_SEAL];
	const struct blk_seal rest = {
		.kind = kind,
		.streams = atomic_load(&all->streams[l->device]),
		.dropped = atomic_load(&all->dropped[l->device]),
		.end = kind == BLK_SEAL_END ? all->end : 0,
	};
	size_t len = notes_encode_seal(raw, &w->accounts[l->device], time,
				       &rest);

	return write_lane(w, l, raw, len);
}

/* A CPU without records of a device has an empty file, without seals. */
static int open_stream(struct worker *w, struct sink_lane *l,
		       const uint8_t *records)
{
	struct notes_account *a = &w->accounts[l->device];

	notes_account_begin(a, records);
	atomic_fetch_add(&w->all->streams[l->device], 1);
	return put_seal(w, l, BLK_SEAL_OPEN, get64(FIELD(records, time)));
}

static int put(struct worker *w, struct sink_lane *l, const void *records,
	       size_t len, const struct tap_sums *sums)
{
	struct notes_account *a = &w->accounts[l->device];
	struct audit *audit = w->all->o.audit;
	int err = a->version ? 0 : open_stream(w, l, records);

	if (!err)
		err = write_lane(w, l, records, len);
	if (err)
		return err;
	if (audit)
		audit_count(audit, w->index, l->device, records, len, sums);
	checksum_add(&a->sum, records, len);
	a->records += sums->records;
	l->events += sums->records;
	l->bytes += len;
	atomic_fetch_add(&w->all->events, sums->records);
	atomic_fetch_add(&w->all->bytes, len);
	return 0;
}

/* The version and device number of our notes among a device's records. */
static void set_format(struct workers *all, unsigned int device,
		       const uint8_t *raw)
{
	bool is_8 = get32(raw) == (BLK_MAGIC | BLK_VERSION_8);

	all->version[device] = is_8 ? BLK_VERSION_8 : BLK_VERSION_7;
	all->number[device] = get32(is_8 ?
		raw + record_layout(BLK_VERSION_8, 0)->device :
		FIELD(raw, device));
}

static int put_of(void *ctx, unsigned int device, const void *records,
		  size_t len, const struct tap_sums *sums)
{
	struct worker *w = ctx;

	return put(w, &w->lanes[device], records, len, sums);
}

static int deliver(void *ctx, unsigned int device, const void *records,
		   size_t len, const struct tap_sums *sums)
{
	struct worker *w = ctx;
	struct workers *all = w->all;

	if (w->first)
		set_format(all, device, records);
	if (w->first && all->o.marks && mark_queue_waits(all->o.marks))
		return mark_queue_deliver(all->o.marks, all->version[device],
					  device, records, len, sums, put_of,
					  w);
	return put(w, &w->lanes[device], records, len, sums);
}

/* Until when the trace has the CPU's records, after a pass that began then: notes
 * that are later would be before older records. */
static uint64_t reached(const struct worker *w, uint64_t began)
{
	uint64_t until = w->tap->until;

	return until && until < began ? until : began;
}

/* After a pass over the tap; last: the run's last one. */
static int settle_marks(struct worker *w, bool last)
{
	struct workers *all = w->all;

	if (!w->first || !all->o.marks || !mark_queue_waits(all->o.marks))
		return 0;
	return mark_queue_settle(all->o.marks, all->version,
				 reached(w, UINT64_MAX), last, put_of, w);
}

/* --- drops --------------------------------------------------------------- */

/* A message in the stream, for readers of the trace. */
static int write_drops(struct worker *w, unsigned int device, uint64_t n,
		       uint64_t since)
{
	uint8_t raw[NOTES_DROPS];
	struct workers *all = w->all;
	const struct notes_drops d = {
		.device = all->number[device], .cpu = w->cpu,
		.time = reached(w, time_now()), .dropped = n, .since = since,
	};
	size_t len = notes_encode_drops(raw, all->version[device], &d);

	return put(w, &w->lanes[device], raw, len,
		   &(struct tap_sums){ .records = 1 });
}

static int check_device_drops(struct worker *w, unsigned int device)
{
	struct workers *all = w->all;
	uint64_t n, before = atomic_load(&all->dropped[device]);
	uint64_t since = all->looked[device], now = time_now();

	if (all->o.dropped(all->o.ctx, device, &n))
		return 0;
	all->looked[device] = now;
	if (n <= before)
		return 0;
	atomic_store(&all->dropped[device], n);
	reporter_write(all->o.reporter, "%s: %llu events dropped so far: use"
		       " larger (-b) or more (-n) buffers",
		       all->o.names[device], (unsigned long long)n);
	return write_drops(w, device, n, since);
}

static int check_drops(struct worker *w, bool at_once)
{
	uint64_t now = time_now();

	if (!w->first || !w->all->o.dropped ||
	    (!at_once && now - w->drops_at < DROPS_NS))
		return 0;
	w->drops_at = now;
	for (unsigned int d = 0; d < w->all->o.device_count; d++) {
		int err = check_device_drops(w, d);

		if (err)
			return err;
	}
	return 0;
}

/* --- the audit ------------------------------------------------------------ */

static double since_start(const struct audit_result *r, uint64_t time)
{
	return (double)(time - r->start) / NS_PER_SECOND;
}

static void report_missing(const struct worker *w, unsigned int device,
			   const struct audit_result *r, uint64_t lost)
{
	const struct workers_options *o = &w->all->o;
	char more[64] = "";

	if (lost)
		snprintf(more, sizeof(more), ", %llu at most by drops",
			 (unsigned long long)lost);
	reporter_write(o->reporter, "%s: device completed %llu %s, trace has"
		       " %llu: %llu missing between %.1f and %.1f s%s",
		       o->names[device],
		       (unsigned long long)(r->has_ios ? r->completed :
					    r->completed_bytes),
		       r->has_ios ? "I/Os" : "bytes",
		       (unsigned long long)(r->has_ios ? r->recorded :
					    r->recorded_bytes),
		       (unsigned long long)(r->has_ios ? r->missing :
					    r->missing_bytes),
		       since_start(r, r->from), since_start(r, r->to), more);
}

/* A message in the stream, without the losses reported otherwise. */
static int write_missing(struct worker *w, unsigned int device,
			 const struct audit_result *r, uint64_t lost)
{
	uint8_t raw[NOTES_MISSING];
	struct workers *all = w->all;
	const struct notes_missing m = {
		.device = r->device, .cpu = w->cpu,
		.time = reached(w, time_now()),
		.events = r->events / r->missing * (r->missing - lost),
		.since = r->from, .until = r->to,
		.ios = r->missing - lost, .completed = r->completed,
	};
	size_t len = notes_encode_missing(raw, all->version[device], &m);

	return put(w, &w->lanes[device], raw, len,
		   &(struct tap_sums){ .records = 1 });
}

/* Some ways know only the sum of all devices. */
static uint64_t lost_so_far(struct workers *all)
{
	uint64_t sum = 0;

	for (unsigned int d = 0; d < all->o.device_count; d++)
		sum += all->o.lost ? all->o.lost(all->o.ctx, d) :
				     atomic_load(&all->dropped[d]);
	return sum;
}

static int check_audit(struct worker *w, bool last)
{
	struct workers_options *o = &w->all->o;
	uint64_t lost;
	int err = 0;

	if (!w->first || !o->audit)
		return 0;
	audit_look(o->audit);
	/* drops are read once a second: missing events may be new drops */
	if (audit_has_news(o->audit, lost_so_far(w->all), last))
		err = check_drops(w, true);
	lost = lost_so_far(w->all);
	for (unsigned int d = 0; !err && d < o->device_count; d++) {
		struct audit_result r;

		if (!audit_take(o->audit, d, lost, last, &r))
			continue;
		report_missing(w, d, &r, lost);
		err = write_missing(w, d, &r, lost);
	}
	return err;
}

/* After a pass over the tap that began then. */
static int audit_pass(struct worker *w, uint64_t began)
{
	struct audit *a = w->all->o.audit;

	if (a && w->tap->lost_until)
		audit_lost_until(a, w->index, w->tap->lost_until);
	if (a)
		audit_counted(a, w->index, reached(w, began));
	return check_audit(w, false);
}

/* --- seals ---------------------------------------------------------------- */

static int seal_all(struct worker *w, enum blk_seal_kind kind, uint64_t time)
{
	int err = 0;

	for (unsigned int d = 0; !err && d < w->all->o.device_count; d++)
		if (w->accounts[d].version)
			err = put_seal(w, &w->lanes[d], kind, time);
	return err;
}

/* After a pass over the tap that began then. */
static int seal_on(struct worker *w, uint64_t began)
{
	if (began - w->sealed_at < SEAL_NS)
		return 0;
	w->sealed_at = began;
	return seal_all(w, BLK_SEAL_ON, reached(w, began));
}

/* No more records come from this CPU: it has drained its tap, or failed. */
static void count_drained(struct workers *all)
{
	pthread_mutex_lock(&all->lock);
	all->drained++;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

/* The last seals contain the number of CPUs with records. */
static int seal_end(struct worker *w)
{
	struct workers *all = w->all;
	int err;

	if (all->o.audit) {
		audit_lost_until(all->o.audit, w->index, UINT64_MAX);
		audit_counted(all->o.audit, w->index, UINT64_MAX);
	}
	count_drained(all);
	pthread_mutex_lock(&all->lock);
	while (all->drained < all->o.cpu_count)
		pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
	err = check_audit(w, true);
	return err ? err : seal_all(w, BLK_SEAL_END, all->end);
}

/* --- one thread ---------------------------------------------------------- */

/* Only reading on the CPU that writes orders the two. */
static int pin(uint32_t cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	int err = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set))
		err = -errno;
	CPU_FREE(set);
	return err;
}

static int open_all(struct worker *w)
{
	struct workers_options *o = &w->all->o;
	int err = pin(w->cpu);

	if (err) {
		reporter_write(o->reporter, "cannot run on CPU %u: %s", w->cpu,
			       strerror(-err));
		return err;
	}
	err = o->open_tap(o->ctx, w->cpu, &w->tap);
	for (; !err && w->opened < o->device_count; w->opened++)
		err = o->sink->ops->open(o->sink, &w->lanes[w->opened]);
	if (err && w->opened)
		w->opened--;
	return err;
}

static void close_all(struct worker *w)
{
	struct workers_options *o = &w->all->o;

	if (w->tap)
		w->tap->ops->close(w->tap);
	w->tap = NULL;
	for (unsigned int d = 0; d < w->opened; d++) {
		int err = o->sink->ops->close(
			o->sink, &w->lanes[d],
			atomic_load(&w->all->dropped[d]));

		if (err && !w->error)
			w->error = err;
	}
	w->opened = 0;
}

static int flush_all(struct worker *w)
{
	struct workers_options *o = &w->all->o;
	int err = 0;

	for (unsigned int d = 0; !err && d < w->opened; d++)
		err = o->sink->ops->flush(o->sink, &w->lanes[d]);
	return err;
}

/*
 * The kernel moves our thread off an offline CPU, and keeps the data.  Once the
 * CPU is back, we must be, too.
 */
static void watch_cpu(struct worker *w)
{
	int cpu;

	if (w->moved)
		w->moved = pin(w->cpu) != 0;
	cpu = sched_getcpu();
	if (w->moved || cpu < 0 || (uint32_t)cpu == w->cpu)
		return;
	w->moved = true;
	if (!w->reported_moved)
		reporter_write(w->all->o.reporter, "CPU %u has gone offline;"
			       " its records are read from another", w->cpu);
	w->reported_moved = true;
}

/* Sleeps until records or a mark come, time is up, or the stop; true: stop. */
static bool sleep_a_while(struct worker *w, struct pollfd *fds, int ms)
{
	unsigned int n = w->tap->ops->fds(w->tap, fds + 2, FDS_MAX - 2);
	struct mark_queue *marks = w->first ? w->all->o.marks : NULL;

	fds[0] = (struct pollfd){ .fd = w->all->stop_fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = marks ? mark_queue_fd(marks) : -1,
				  .events = POLLIN };
	poll(fds, n + 2, ms);
	return fds[0].revents;
}

/*
 * Reports a failure that no sink has reported.  When a device goes away, only
 * the first CPU to notice reports it.
 */
static int read_failed(struct worker *w, int err)
{
	const struct capture_reporter *r = w->all->o.reporter;
	const char *name = w->all->o.names[w->tap->device];

	if (w->reported || err == -EPIPE ||
	    atomic_exchange(&w->all->reported, true))
		return err;
	if (err == -EIO)
		reporter_write(r, "%s: its trace has ended: the device is gone,"
			       " or another process has torn the trace down",
			       name);
	else
		reporter_write(r, "Thread %u failed read of %s: %d/%s", w->cpu,
			       name, -err, strerror(-err));
	return err;
}

/* Until the stop, and then until a whole pass has found nothing. */
static int move_records(struct worker *w)
{
	struct pollfd fds[FDS_MAX];
	bool stopping = false;
	int got, err = 0;

	while (!err) {
		uint64_t now;

		if (!stopping)
			stopping = sleep_a_while(w, fds, w->all->o.idle_ms);
		watch_cpu(w);
		now = time_now();
		got = w->tap->ops->drain(w->tap, deliver, w);
		if (got < 0)
			return read_failed(w, got);
		err = check_drops(w, stopping && !got);
		if (!err)
			err = settle_marks(w, stopping && !got);
		if (!err)
			err = audit_pass(w, now);
		if (!err && !got && stopping)
			return 0;
		if (!err && !stopping)
			err = seal_on(w, now);
		if (!err && !stopping)
			err = flush_all(w);
	}
	return err;
}

/* Counts itself ready or failed, and waits for the others. */
static bool wait_for_go(struct worker *w)
{
	struct workers *all = w->all;
	bool go;

	pthread_mutex_lock(&all->lock);
	if (w->error)
		all->failed++;
	else
		all->ready++;
	pthread_cond_broadcast(&all->changed);
	while (!all->go && !all->abandon)
		pthread_cond_wait(&all->changed, &all->lock);
	go = all->go;
	pthread_mutex_unlock(&all->lock);
	return go && !w->error;
}

/* For good: every thread that polls it sees it. */
static void make_readable(const struct workers *w, int fd)
{
	const uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) < 0)
		reporter_write(w->o.reporter, "cannot reach the other threads:"
			       " %s", strerror(errno));
}

static void *work(void *arg)
{
	struct worker *w = arg;

	w->error = open_all(w);
	if (wait_for_go(w)) {
		w->error = move_records(w);
		if (w->error)
			count_drained(w->all);
		else
			w->error = seal_end(w);
		if (!w->error)
			w->error = flush_all(w);
	}
	close_all(w);
	make_readable(w->all, w->all->gone_fd);
	return NULL;
}

/* --- all of them --------------------------------------------------------- */

static struct workers *workers_new(const struct workers_options *o)
{
	struct workers *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->o = *o;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->gone_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->list = calloc(o->cpu_count, sizeof(*w->list));
	w->dropped = calloc(o->device_count, sizeof(*w->dropped));
	w->streams = calloc(o->device_count, sizeof(*w->streams));
	w->version = calloc(o->device_count, sizeof(*w->version));
	w->number = calloc(o->device_count, sizeof(*w->number));
	w->looked = calloc(o->device_count, sizeof(*w->looked));
	if (w->stop_fd < 0 || w->gone_fd < 0 || !w->list || !w->dropped ||
	    !w->streams || !w->version || !w->number || !w->looked) {
		workers_free(w);
		return NULL;
	}
	/* tracing has not started, so nothing is dropped before */
	for (unsigned int d = 0; d < o->device_count; d++)
		w->looked[d] = time_now();
	return w;
}

static int init_worker(struct workers *all, unsigned int i)
{
	struct worker *w = &all->list[i];

	w->all = all;
	w->index = i;
	w->cpu = all->o.cpus[i];
	w->first = i == 0;
	w->lanes = calloc(all->o.device_count, sizeof(*w->lanes));
	w->accounts = calloc(all->o.device_count, sizeof(*w->accounts));
	w->sealed_at = time_now();
	if (!w->lanes || !w->accounts)
		return -ENOMEM;
	for (unsigned int d = 0; d < all->o.device_count; d++)
		w->lanes[d] = (struct sink_lane){
			.name = all->o.names[d], .device = d, .cpu = w->cpu };
	return 0;
}

/* Lets them run, or if one has failed, abandons all. */
static int start_all(struct workers *w, int err)
{
	pthread_mutex_lock(&w->lock);
	while (w->ready + w->failed < w->count)
		pthread_cond_wait(&w->changed, &w->lock);
	w->abandon = err || w->failed;
	w->go = !w->abandon;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return w->abandon ? -ECANCELED : 0;
}

int workers_start(struct workers **out, const struct workers_options *o)
{
	struct workers *w = workers_new(o);
	int err = w ? 0 : -ENOMEM, joined;

	for (unsigned int i = 0; w && !err && i < o->cpu_count; i++) {
		err = init_worker(w, i);
		if (!err)
			err = thread_start(&w->list[i].thread, work, &w->list[i]);
		w->count += !err;
	}
	if (!w)
		return err;
	if (start_all(w, err)) {
		joined = workers_join(w);
		workers_free(w);
		return err ? err : joined ? joined : -ECANCELED;
	}
	*out = w;
	return 0;
}

void workers_stop(struct workers *w, uint64_t end)
{
	pthread_mutex_lock(&w->lock);
	w->end = end;
	pthread_mutex_unlock(&w->lock);
	make_readable(w, w->stop_fd);
}

int workers_gone_fd(const struct workers *w)
{
	return w->gone_fd;
}

int workers_join(struct workers *w)
{
	int err = 0;

	for (unsigned int i = 0; i < w->count; i++) {
		pthread_join(w->list[i].thread, NULL);
		if (!err)
			err = w->list[i].error;
	}
	w->count = 0;
	return err;
}

const struct sink_lane *workers_lane(const struct workers *w,
				     unsigned int device, unsigned int n)
{
	return &w->list[n].lanes[device];
}

void workers_sums(const struct workers *w, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops)
{
	*events = atomic_load(&w->events);
	*bytes = atomic_load(&w->bytes);
	*drops = 0;
	for (unsigned int d = 0; d < w->o.device_count; d++)
		*drops += atomic_load(&w->dropped[d]);
}

uint64_t workers_dropped(const struct workers *w, unsigned int device)
{
	return atomic_load(&w->dropped[device]);
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	for (unsigned int i = 0; w->list && i < w->o.cpu_count; i++) {
		free(w->list[i].lanes);
		free(w->list[i].accounts);
	}
	if (w->stop_fd >= 0)
		close(w->stop_fd);
	if (w->gone_fd >= 0)
		close(w->gone_fd);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->changed);
	free(w->list);
	free(w->dropped);
	free(w->streams);
	free(w->looked);
	free(w->version);
	free(w->number);
	free(w);
}
