/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks on their way into records; see mark_queue.h. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/mark_queue.h"
#include "capture/span.h"
#include "record/record.h"

struct waiting {
	uint64_t time;
	unsigned int device;	/* of the run's */
	uint32_t pid;
	bool seen;		/* at the end of a pass */
	uint8_t len;
	char text[MARK_BYTES];
};

struct mark_queue {
	uint32_t cpu;
	uint32_t *devices;
	unsigned int device_count;
	int fd;
	atomic_uint waits;	/* count, for threads without the lock */
	pthread_mutex_t lock;	/* of all below */
	unsigned int count;
	struct waiting list[MARK_QUEUE_MAX];	/* by time */
};

int mark_queue_new(struct mark_queue **out, uint32_t cpu,
		   const uint32_t *devices, unsigned int count)
{
	struct mark_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	pthread_mutex_init(&q->lock, NULL);
	q->cpu = cpu;
	q->device_count = count;
	q->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	q->devices = calloc(count, sizeof(*devices));
	if (q->fd < 0 || !q->devices) {
		mark_queue_free(q);
		return -ENOMEM;
	}
	memcpy(q->devices, devices, count * sizeof(*devices));
	*out = q;
	return 0;
}

/* --- coming in ------------------------------------------------------------ */

static void wake(const struct mark_queue *q)
{
	const uint64_t one = 1;

	/* fails only if it is readable already */
	if (write(q->fd, &one, sizeof(one)) < 0)
		return;
}

static int add_locked(struct mark_queue *q, uint32_t device,
		      const struct waiting *new)
{
	unsigned int before = q->count;

	for (unsigned int i = 0; i < q->device_count; i++) {
		if (device && q->devices[i] != device)
			continue;
		if (q->count == MARK_QUEUE_MAX) {
			q->count = before;
			return -EAGAIN;
		}
		q->list[q->count] = *new;
		q->list[q->count++].device = i;
	}
	return (int)(q->count - before);
}

int mark_queue_add(struct mark_queue *q, uint32_t device, uint32_t pid,
		   const char *text, size_t len)
{
	struct waiting new = { .pid = pid, .len = (uint8_t)len };
	int added;

	memcpy(new.text, text, len);
	pthread_mutex_lock(&q->lock);
	new.time = time_now();
	added = add_locked(q, device, &new);
	atomic_store(&q->waits, q->count);
	if (added > 0)
		wake(q);
	pthread_mutex_unlock(&q->lock);
	return added;
}

/* --- going out ------------------------------------------------------------ */

int mark_queue_fd(const struct mark_queue *q)
{
	return q->fd;
}

bool mark_queue_waits(const struct mark_queue *q)
{
	return atomic_load_explicit(&q->waits, memory_order_relaxed);
}

static void remove_locked(struct mark_queue *q, unsigned int i)
{
	uint64_t wakes;

	q->count--;
	memmove(&q->list[i], &q->list[i + 1],
		(q->count - i) * sizeof(*q->list));
	atomic_store(&q->waits, q->count);
	if (!q->count && read(q->fd, &wakes, sizeof(wakes)) < 0)
		return;
}

/* Copies a device's first mark; other threads only append. */
static bool first_of(struct mark_queue *q, unsigned int device,
		     struct waiting *m, unsigned int *i)
{
	bool found = false;

	pthread_mutex_lock(&q->lock);
	for (*i = 0; !found && *i < q->count; *i += !found) {
		found = q->list[*i].device == device;
		if (found)
			*m = q->list[*i];
	}
	pthread_mutex_unlock(&q->lock);
	return found;
}

static int put_mark(const struct mark_queue *q, unsigned int version,
		    const struct waiting *m, tap_deliver *put, void *ctx)
{
	uint8_t raw[BLK_HEADER_MAX + MARK_BYTES];
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = m->time,
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_MESSAGE,
		.pid = m->pid,
		.device = q->devices[m->device],
		.cpu = q->cpu,
		.pdu_len = m->len,
	};
	size_t head = record_encode(&ev, version ? version : BLK_VERSION_7,
				    raw);

	memcpy(raw + head, m->text, m->len);
	return put(ctx, m->device, raw, head + m->len,
		   &(struct tap_sums){ .records = 1 });
}

static void drop(struct mark_queue *q, unsigned int i)
{
	pthread_mutex_lock(&q->lock);
	remove_locked(q, i);
	pthread_mutex_unlock(&q->lock);
}

int mark_queue_deliver(struct mark_queue *q, unsigned int version,
		       unsigned int device, const void *records, size_t len,
		       const struct tap_sums *sums, tap_deliver *put, void *ctx)
{
	const uint8_t *at = records;
	struct tap_sums left = *sums;
	struct waiting m;
	unsigned int i;
	int err = 0;

	while (!err && first_of(q, device, &m, &i)) {
		struct passage p = passage_of(at, len, m.time, NULL, NULL);
		struct tap_sums n = { 0 };

		if (p.len == len)
			break;
		if (p.len)
			n = span_of(at, p.len).sums;
		if (p.len)
			err = put(ctx, device, at, p.len, &n);
		if (!err)
			err = put_mark(q, version, &m, put, ctx);
		drop(q, i);
		at += p.len;
		len -= p.len;
		left.records -= n.records;
		left.completions -= n.completions;
		left.completed -= n.completed;
	}
	return err ? err : put(ctx, device, at, len, &left);
}

/* Takes the first mark that is due, and sets the others' seen. */
static bool take_due(struct mark_queue *q, uint64_t until, bool all,
		     struct waiting *m)
{
	bool found = false;

	pthread_mutex_lock(&q->lock);
	if (q->count && (all || (q->list[0].seen &&
				 q->list[0].time <= until))) {
		found = true;
		*m = q->list[0];
		remove_locked(q, 0);
	}
	for (unsigned int i = 0; !found && i < q->count; i++)
		q->list[i].seen = true;
	pthread_mutex_unlock(&q->lock);
	return found;
}

int mark_queue_settle(struct mark_queue *q, const unsigned int *versions,
		      uint64_t until, bool all, tap_deliver *put, void *ctx)
{
	struct waiting m;
	int err = 0;

	while (!err && mark_queue_waits(q) && take_due(q, until, all, &m))
		err = put_mark(q, versions[m.device], &m, put, ctx);
	return err;
}

void mark_queue_free(struct mark_queue *q)
{
	if (!q)
		return;
	if (q->fd >= 0)
		close(q->fd);
	pthread_mutex_destroy(&q->lock);
	free(q->devices);
	free(q);
}
