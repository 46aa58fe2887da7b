/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture audits itself; see audit.h. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/time.h"
#include "blktrace.h"
#include "capture/audit.h"
#include "capture/disk_counters.h"
#include "capture/span.h"
#include "capture/tap.h"

enum {
	SECTOR = 512,
	READINGS = 16,		/* pending at once, for slow threads */
	FIRST = 4,		/* readings at the start; the highest counts, as
				 * a request traced before the start may be
				 * counted after a reading */
	BETWEEN = 2,		/* requests per CPU that may be traced and not
				 * counted at all of these, as a loaded machine
				 * may not run their threads */
	LAST = 3,		/* readings at the end, for the same reason */
	APART_MS = 4,		/* between these readings */
	TRIES = 8,		/* at an uninterrupted reading */
	UNCOUNTED = 2048,	/* sectors traced, not yet counted, at most */
	EVENTS_PER_IO = 6,	/* if unknown: Q G P D C and some spare */
	AGAIN = 10,		/* readings between reports while loss grows */
};

/* per device: I/O completed during a reading may be on either side of it */
#define SWIFT_NS (100 * 1000)
#define READING_NS (NS_PER_SECOND - 100 * NS_PER_MS)

/* a device's state at a reading */
struct mark {
	struct disk_counters counted;
	bool known;
	atomic_ullong records, ios, bytes;	/* recorded before it */
};

enum moment { AT_START, ON, AT_END };

struct reading {
	uint64_t time;		/* its border */
	enum moment moment;
	struct mark *marks;	/* by device */
	atomic_uint closed;	/* lanes summed up */
};

/* what a CPU has recorded of a device; only its thread uses it */
struct lane {
	uint64_t records, ios, bytes;
	unsigned int closed;	/* readings it has been summed up for */
};

struct disk {
	const char *flaw;	/* why it is not compared, or NULL */
	bool begun;		/* it has a first reading: */
	uint64_t first;		/* sectors counted */
	int64_t base;		/* sectors counted minus sectors recorded */
	struct disk_counters counted;	/* and recorded: */
	uint64_t records, ios, bytes;
	int64_t sectors;	/* missing at the last reading, or the most at
				 * those of the end; negative: more recorded
				 * than counted */
	bool ending;		/* that was a reading of the end */
	uint64_t looked;	/* ns: its border */
	unsigned int grown;	/* consecutive readings that missed more */
	uint64_t told;		/* missing bytes reported */
	struct audit_result r;
};

struct audit {
	struct audit_options o;
	pthread_mutex_t lock;	/* of results, not of counting */
	struct reading readings[READINGS];
	struct mark *marks;
	struct lane *lanes;	/* by CPU and device */
	atomic_ullong *lost_until;	/* ns, by CPU */
	struct disk *disks;
	atomic_uint taken;	/* readings */
	unsigned int settled;	/* readings with all lanes closed */
	uint64_t start, last;	/* ns, of the first and the last reading */
	bool running;		/* between the first readings and the last */
	bool whole;		/* all were made */
};

/* --- what is recorded ----------------------------------------------------- */

static struct lane *lane_of(struct audit *a, unsigned int n,
			    unsigned int device)
{
	return &a->lanes[(size_t)n * a->o.count + device];
}

/* Adds the lane's sums, and more, to its next reading. */
static void close_lane(struct audit *a, struct lane *l, unsigned int device,
		       const struct tap_sums *more)
{
	struct reading *r = &a->readings[l->closed % READINGS];
	struct mark *m = &r->marks[device];

	atomic_fetch_add(&m->records, l->records + more->records);
	atomic_fetch_add(&m->ios, l->ios + more->completions);
	atomic_fetch_add(&m->bytes, l->bytes + more->completed);
	l->closed++;
	atomic_fetch_add(&r->closed, 1);
}

/* Closes the lane for readings with borders among or before these records. */
static void close_before(struct audit *a, struct lane *l, unsigned int device,
			 const void *records, size_t len)
{
	unsigned int taken = atomic_load(&a->taken);

	while (l->closed != taken) {
		uint64_t border = a->readings[l->closed % READINGS].time;
		struct passage p = passage_of(records, len, border, NULL,
					      NULL);
		struct span s;

		if (p.len == len)
			return;
		s = span_of(records, p.len);
		close_lane(a, l, device, &s.sums);
	}
}

void audit_count(struct audit *a, unsigned int n, unsigned int device,
		 const void *records, size_t len, const struct tap_sums *sums)
{
	struct lane *l = lane_of(a, n, device);

	if (l->closed != atomic_load(&a->taken))
		close_before(a, l, device, records, len);
	l->records += sums->records;
	l->ios += sums->completions;
	l->bytes += sums->completed;
}

void audit_counted(struct audit *a, unsigned int n, uint64_t time)
{
	static const struct tap_sums none;
	unsigned int taken = atomic_load(&a->taken);

	for (unsigned int d = 0; d < a->o.count; d++) {
		struct lane *l = lane_of(a, n, d);

		while (l->closed != taken &&
		       a->readings[l->closed % READINGS].time <= time)
			close_lane(a, l, d, &none);
	}
}

void audit_lost_until(struct audit *a, unsigned int n, uint64_t time)
{
	atomic_store(&a->lost_until[n], time);
}

/* --- what is counted ------------------------------------------------------ */

static void read_all(struct audit *a, struct reading *r)
{
	for (unsigned int d = 0; d < a->o.count; d++)
		r->marks[d].known = !disk_counters_read(&r->marks[d].counted,
							a->o.sysfs,
							a->o.devices[d]);
}

/* Reads all devices; returns the reading's border. */
static uint64_t read_swiftly(struct audit *a, struct reading *r)
{
	uint64_t before, after;
	int tries = 0;

	do {
		before = time_now();
		read_all(a, r);
		after = time_now();
	} while (after - before > SWIFT_NS * a->o.count && ++tries < TRIES);
	return r->moment == AT_START ? before : after;
}

/* The caller has made sure that the slot was settled: no thread uses it. */
static void take_reading(struct audit *a, enum moment moment)
{
	unsigned int taken = atomic_load(&a->taken);
	struct reading *r = &a->readings[taken % READINGS];

	for (unsigned int d = 0; d < a->o.count; d++) {
		atomic_store(&r->marks[d].records, 0);
		atomic_store(&r->marks[d].ios, 0);
		atomic_store(&r->marks[d].bytes, 0);
	}
	atomic_store(&r->closed, 0);
	r->moment = moment;
	r->time = read_swiftly(a, r);
	a->last = r->time;
	atomic_store(&a->taken, taken + 1);
}

/* --- what is missing ------------------------------------------------------ */

/* Of the first readings, the highest counts: it hides the least. */
static void begin_disk(struct disk *d, const struct mark *m, int64_t ahead,
		       uint64_t time, unsigned int tolerance)
{
	if (!d->begun)
		d->first = m->counted.sectors;
	if (atomic_load(&m->ios) || m->counted.sectors != d->first)
		d->r.tolerance = tolerance;
	if (d->begun && ahead <= d->base)
		return;
	d->begun = true;
	d->base = ahead;
	d->counted = m->counted;
	d->records = atomic_load(&m->records);
	d->ios = atomic_load(&m->ios);
	d->bytes = atomic_load(&m->bytes);
	d->looked = time;
}

/* Flushes complete without being I/Os; old kernels do not count them. */
static void compare_ios(struct disk *d, const struct mark *m)
{
	struct audit_result *r = &d->r;

	r->completed = m->counted.ios - d->counted.ios;
	r->recorded = atomic_load(&m->ios) - d->ios;
	r->completed_bytes = (m->counted.sectors - d->counted.sectors) * SECTOR;
	r->recorded_bytes = atomic_load(&m->bytes) - d->bytes;
	r->has_ios = m->counted.has_flushes &&
		     m->counted.flushes == d->counted.flushes;
}

/* Estimates the missing I/Os and events. */
static void estimate(struct disk *d, const struct mark *m)
{
	uint64_t ios = atomic_load(&m->ios), records = atomic_load(&m->records);
	struct audit_result *r = &d->r;

	r->missing_bytes = (uint64_t)d->sectors * SECTOR;
	if (r->has_ios && r->completed > r->recorded)
		r->missing = r->completed - r->recorded;
	else
		r->missing = (uint64_t)((double)r->missing_bytes *
					(double)r->completed /
					(double)r->completed_bytes + 0.5);
	r->missing += !r->missing;
	r->events = r->missing * (ios ? (records + ios - 1) / ios :
					EVENTS_PER_IO);
}

static void compare(struct disk *d, const struct mark *m, int64_t ahead,
		    const struct reading *r)
{
	uint64_t before = d->r.missing_bytes / SECTOR;
	int64_t sectors = ahead - d->base;

	if (d->ending && sectors <= d->sectors)
		return;
	d->ending = r->moment == AT_END;
	d->sectors = sectors;
	compare_ios(d, m);
	if (sectors > (int64_t)before) {
		if (!before)
			d->r.from = d->looked;
		d->r.to = r->time;
		d->grown++;
		estimate(d, m);
	} else {
		d->grown = 0;
	}
	d->looked = r->time;
}

static void settle_disk(struct audit *a, unsigned int device,
			const struct reading *r)
{
	const struct mark *m = &r->marks[device];
	struct disk *d = &a->disks[device];
	int64_t ahead = (int64_t)m->counted.sectors -
			(int64_t)(atomic_load(&m->bytes) / SECTOR);

	if (d->flaw)
		return;
	if (!m->known)
		d->flaw = "the device is gone";
	else if (r->moment == AT_START)
		begin_disk(d, m, ahead, r->time, BETWEEN * a->o.cpus);
	else
		compare(d, m, ahead, r);
}

/* Whether every thread has summed up for it, and knows what it lost. */
static bool is_whole(const struct audit *a, const struct reading *r)
{
	for (unsigned int n = 0; n < a->o.cpus; n++)
		if (atomic_load(&a->lost_until[n]) < r->time)
			return false;
	return atomic_load(&r->closed) == a->o.cpus * a->o.count;
}

static void settle(struct audit *a)
{
	while (a->settled != atomic_load(&a->taken)) {
		const struct reading *r =
			&a->readings[a->settled % READINGS];

		if (!is_whole(a, r))
			return;
		for (unsigned int d = 0; d < a->o.count; d++)
			settle_disk(a, d, r);
		a->settled++;
	}
}

static bool has_room(const struct audit *a)
{
	return atomic_load(&a->taken) - a->settled < READINGS;
}

/* --- when ------------------------------------------------------------------
 * */

/* Takes n readings, without stopping threads; false: no room. */
static bool read_some(struct audit *a, enum moment moment, int n)
{
	const struct timespec apart = { .tv_nsec = APART_MS * NS_PER_MS };
	bool room = true;

	for (int i = 0; i < n; i++) {
		if (i)
			nanosleep(&apart, NULL);
		pthread_mutex_lock(&a->lock);
		settle(a);
		room = has_room(a);
		if (room)
			take_reading(a, moment);
		pthread_mutex_unlock(&a->lock);
	}
	return room;
}

static void set_running(struct audit *a, bool running)
{
	pthread_mutex_lock(&a->lock);
	a->running = running;
	pthread_mutex_unlock(&a->lock);
}

void audit_start(struct audit *a)
{
	a->start = time_now();
	read_some(a, AT_START, FIRST);
	set_running(a, true);
}

void audit_look(struct audit *a)
{
	pthread_mutex_lock(&a->lock);
	settle(a);
	if (a->running && has_room(a) && time_now() - a->last >= READING_NS)
		take_reading(a, ON);
	pthread_mutex_unlock(&a->lock);
}

/* Without a start or room for the last reading, nothing is compared. */
void audit_stop(struct audit *a)
{
	bool running = a->running;

	set_running(a, false);
	a->whole = running && read_some(a, AT_END, LAST);
}

/* --- what becomes of it ----------------------------------------------------
 * */

static bool is_missing(const struct disk *d)
{
	return d->r.missing_bytes && d->r.missing > d->r.tolerance;
}

static bool is_news(const struct disk *d, uint64_t lost, bool last)
{
	if (d->flaw || !is_missing(d) || d->r.missing_bytes <= d->told ||
	    d->r.missing <= lost)
		return false;
	return last || !d->grown || d->grown % AGAIN == 2;
}

bool audit_has_news(struct audit *a, uint64_t lost, bool last)
{
	bool any = false;

	pthread_mutex_lock(&a->lock);
	for (unsigned int d = 0; d < a->o.count; d++)
		any |= is_news(&a->disks[d], lost, last);
	pthread_mutex_unlock(&a->lock);
	return any;
}

bool audit_take(struct audit *a, unsigned int device, uint64_t lost, bool last,
		struct audit_result *r)
{
	struct disk *d = &a->disks[device];
	bool news;

	pthread_mutex_lock(&a->lock);
	news = is_news(d, lost, last);
	if (news) {
		d->told = d->r.missing_bytes;
		*r = d->r;
		r->verdict = AUDIT_MISSING;
		r->start = a->start;
	}
	pthread_mutex_unlock(&a->lock);
	return news;
}

/* Whether it counted so much less than recorded that this may hide losses. */
static bool is_short(const struct disk *d)
{
	uint64_t recorded = d->r.recorded_bytes / SECTOR;

	return d->sectors < -UNCOUNTED && (uint64_t)-d->sectors > recorded / 16;
}

static const char *reason_of(const struct audit *a, const struct disk *d)
{
	if (d->flaw)
		return d->flaw;
	if (!a->whole || !d->begun || a->settled != atomic_load(&a->taken))
		return "not all CPUs were read to the end";
	if (!is_missing(d) && is_short(d))
		return "the device counted less than was recorded";
	return NULL;
}

void audit_get(struct audit *a, unsigned int device, struct audit_result *r)
{
	struct disk *d = &a->disks[device];

	pthread_mutex_lock(&a->lock);
	settle(a);
	*r = d->r;
	r->start = a->start;
	r->reason = reason_of(a, d);
	r->has_ios &= !r->reason;
	r->verdict = r->reason ? AUDIT_NONE : is_missing(d) ?
		     AUDIT_MISSING : AUDIT_COMPLETE;
	pthread_mutex_unlock(&a->lock);
}

/* --- life ------------------------------------------------------------------
 * */

/* The kernel traces a record if the mask has one of its categories. */
static const char *flaw_of(const struct audit_options *o, unsigned int device)
{
	uint32_t both = BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_WRITE);

	if (o->mask && !(o->mask & BLK_TC_BIT(BLK_TC_COMPLETE)) &&
	    (o->mask & both) != both)
		return "not all completions are traced (-a, -A)";
	return disk_counters_flaw(o->sysfs, o->devices[device]);
}

int audit_new(struct audit **out, const struct audit_options *o)
{
	struct audit *a = calloc(1, sizeof(*a));

	*out = a;
	if (!a)
		return -ENOMEM;
	a->o = *o;
	pthread_mutex_init(&a->lock, NULL);
	a->marks = calloc((size_t)READINGS * o->count + 1, sizeof(*a->marks));
	a->lanes = calloc((size_t)o->cpus * o->count + 1, sizeof(*a->lanes));
	a->disks = calloc(o->count + 1, sizeof(*a->disks));
	a->lost_until = calloc(o->cpus + 1, sizeof(*a->lost_until));
	if (!a->marks || !a->lanes || !a->disks || !a->lost_until) {
		audit_free(a);
		*out = NULL;
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < READINGS; i++)
		a->readings[i].marks = a->marks + (size_t)i * o->count;
	for (unsigned int n = 0; n < o->cpus; n++)
		audit_lost_until(a, n, UINT64_MAX);
	for (unsigned int d = 0; d < o->count; d++)
		a->disks[d] = (struct disk){
			.flaw = flaw_of(o, d),
			.r.device = o->devices[d],
		};
	return 0;
}

void audit_free(struct audit *a)
{
	if (!a)
		return;
	pthread_mutex_destroy(&a->lock);
	free(a->marks);
	free(a->lanes);
	free(a->lost_until);
	free(a->disks);
	free(a);
}
