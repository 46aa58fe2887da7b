/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources unpacked by threads; see source_ahead.h. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "file/source.h"
#include "file/source_ahead.h"
#include "file/source_layer.h"

struct buffer {
	struct buffer *next;	/* of those that are free */
	ssize_t len;		/* as source_read() returned it, */
	struct damage damage;	/* and source_damage() */
	uint64_t done;		/* progress when it had been filled */
	uint8_t bytes[AHEAD_SIZE];
};

/*
 * The pool's lock guards what threads and reader share; the one that sets busy
 * owns the source in until it clears that.
 */
struct ahead {
	struct source base;
	struct source *in;
	struct ahead_pool *pool;	/* NULL: read as it is */
	bool joined;		/* in the pool's list */
	struct ahead *next;	/* of that list */
	uint64_t done, total;	/* the reader's progress */

	struct buffer *ready[AHEAD_EACH];	/* a ring */
	unsigned int first, count;
	bool busy;
	bool over;		/* the ring ends with the end or an error that
				 * ends the reading */
	size_t used;		/* bytes of the first; only the reader's */
};

struct ahead_pool {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the threads */
	pthread_cond_t idle;	/* a source is no longer busy */
	pthread_t threads[AHEAD_THREADS];
	unsigned int thread_count;
	bool began;		/* starting threads was tried */
	bool stop;
	struct ahead *sources;
	struct buffer *free;
	unsigned int made;	/* buffers allocated */
};

struct ahead_pool *ahead_pool_new(void)
{
	struct ahead_pool *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->idle, NULL);
	return p;
}

/* --- threads, which hold the lock except while they unpack ---------------- */

/* NULL: none left, or no memory */
static struct buffer *take_buffer(struct ahead_pool *p)
{
	struct buffer *b = p->free;

	if (b) {
		p->free = b->next;
		return b;
	}
	if (p->made == AHEAD_BUFFERS)
		return NULL;
	b = malloc(sizeof(*b));
	p->made += b != NULL;
	return b;
}

static void give_back(struct ahead_pool *p, struct buffer *b)
{
	b->next = p->free;
	p->free = b;
}

/* The source whose reader will have to wait first. */
static struct ahead *neediest(const struct ahead_pool *p)
{
	struct ahead *best = NULL;

	for (struct ahead *a = p->sources; a; a = a->next)
		if (!a->busy && !a->over && a->count < AHEAD_EACH &&
		    (!best || a->count < best->count))
			best = a;
	return best;
}

/* whether a read returned the end, or an error that is one */
static bool ends(ssize_t n)
{
	return n <= 0 && n != -EUCLEAN;
}

static void unpack(struct ahead_pool *p, struct ahead *a, struct buffer *b)
{
	a->busy = true;
	pthread_mutex_unlock(&p->lock);
	b->done = 0;
	b->len = source_read(a->in, b->bytes, sizeof(b->bytes));
	b->damage = a->in->damage;
	source_progress(a->in, &b->done, &(uint64_t){ 0 });
	pthread_mutex_lock(&p->lock);
	a->ready[(a->first + a->count++) % AHEAD_EACH] = b;
	a->over = ends(b->len);
	a->busy = false;
	pthread_cond_broadcast(&p->idle);
}

/* Fills one buffer of the neediest source; false: nothing to do now. */
static bool unpack_one(struct ahead_pool *p)
{
	struct ahead *a = neediest(p);
	struct buffer *b = a ? take_buffer(p) : NULL;

	if (b)
		unpack(p, a, b);
	return b != NULL;
}

static void *work(void *arg)
{
	struct ahead_pool *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->stop)
		if (!unpack_one(p))
			pthread_cond_wait(&p->work, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* --- the pool ------------------------------------------------------------- */

static void begin_threads(struct ahead_pool *p)
{
	unsigned int wanted = thread_spare_cpus(AHEAD_THREADS);

	p->began = true;
	while (p->thread_count < wanted &&
	       !thread_start(&p->threads[p->thread_count], work, p))
		p->thread_count++;
}

void ahead_pool_free(struct ahead_pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->thread_count; i++)
		pthread_join(p->threads[i], NULL);
	for (struct buffer *b = p->free, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	pthread_cond_destroy(&p->idle);
	pthread_cond_destroy(&p->work);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* --- the reader ----------------------------------------------------------- */

static void note_progress(struct ahead *a)
{
	a->done = a->total = 0;
	source_progress(a->in, &a->done, &a->total);
}

static ssize_t read_itself(struct ahead *a, void *buf, size_t len)
{
	ssize_t n = source_read(a->in, buf, len);

	note_progress(a);
	return source_pass(&a->base, a->in, n);
}

/* After the first read, which shows whether the source is packed. */
static void join(struct ahead *a)
{
	struct ahead_pool *p = a->pool;

	if (!a->in->packed || a->total < AHEAD_LONG) {
		a->pool = NULL;
		return;
	}
	pthread_mutex_lock(&p->lock);
	if (!p->began)
		begin_threads(p);
	a->joined = p->thread_count > 0;
	if (a->joined) {
		a->next = p->sources;
		p->sources = a;
		pthread_cond_signal(&p->work);
	} else {
		a->pool = NULL;
	}
	pthread_mutex_unlock(&p->lock);
}

/*
 * The first buffer; while a thread fills it, the reader fills others'.  NULL:
 * none, and the reader owns the source (busy).
 */
static struct buffer *first_ready(struct ahead *a)
{
	struct ahead_pool *p = a->pool;
	struct buffer *b;

	pthread_mutex_lock(&p->lock);
	while (!a->count && a->busy)
		if (!unpack_one(p))
			pthread_cond_wait(&p->idle, &p->lock);
	b = a->count ? a->ready[a->first] : NULL;
	a->busy |= !b;
	pthread_mutex_unlock(&p->lock);
	return b;
}

static void drop_first(struct ahead *a)
{
	struct ahead_pool *p = a->pool;

	pthread_mutex_lock(&p->lock);
	give_back(p, a->ready[a->first]);
	a->first = (a->first + 1) % AHEAD_EACH;
	a->count--;
	a->used = 0;
	pthread_cond_signal(&p->work);
	pthread_mutex_unlock(&p->lock);
}

static ssize_t read_beside(struct ahead *a, void *buf, size_t len)
{
	struct ahead_pool *p = a->pool;
	ssize_t n = read_itself(a, buf, len);

	pthread_mutex_lock(&p->lock);
	a->busy = false;
	a->over = ends(n);
	pthread_cond_signal(&p->work);
	pthread_mutex_unlock(&p->lock);
	return n;
}

static ssize_t take(struct ahead *a, const struct buffer *b, void *buf,
		    size_t len)
{
	size_t left = (size_t)b->len - a->used;

	len = len < left ? len : left;
	memcpy(buf, b->bytes + a->used, len);
	a->used += len;
	a->done = b->done;
	if (len == left)
		drop_first(a);
	return (ssize_t)len;
}

static void give_back_all(struct ahead *a)
{
	for (; a->count; a->count--, a->first++)
		give_back(a->pool, a->ready[a->first % AHEAD_EACH]);
	a->first = 0;
}

static void leave(struct ahead *a)
{
	struct ahead_pool *p = a->pool;
	struct ahead **at = &p->sources;

	pthread_mutex_lock(&p->lock);
	while (a->busy)
		pthread_cond_wait(&p->idle, &p->lock);
	while (*at != a)
		at = &(*at)->next;
	*at = a->next;
	give_back_all(a);
	pthread_mutex_unlock(&p->lock);
	a->joined = false;
	a->pool = NULL;
}

/* After the end or an error, the source is read directly. */
static ssize_t take_end(struct ahead *a, const struct buffer *b)
{
	ssize_t n = b->len;

	leave(a);
	note_progress(a);
	return n;
}

static ssize_t take_damage(struct ahead *a, const struct buffer *b)
{
	a->base.damage = b->damage;
	drop_first(a);
	return -EUCLEAN;
}

static ssize_t ahead_read(struct source *s, void *buf, size_t len)
{
	struct ahead *a = (struct ahead *)s;
	struct buffer *b;
	ssize_t n;

	if (!a->joined) {
		n = read_itself(a, buf, len);
		if (a->pool && n > 0)
			join(a);
		return n;
	}
	b = first_ready(a);
	if (!b)
		return read_beside(a, buf, len);
	if (b->len == -EUCLEAN)
		return take_damage(a, b);
	return b->len > 0 ? take(a, b, buf, len) : take_end(a, b);
}

static int ahead_wait(struct source *s, int ms)
{
	(void)s, (void)ms;
	return 1;
}

static int ahead_seek(struct source *s, uint64_t at)
{
	struct ahead *a = (struct ahead *)s;

	struct ahead_pool *p = a->pool;
	int err;

	if (!a->joined)
		return source_seek(a->in, at);
	pthread_mutex_lock(&p->lock);
	while (a->busy)
		pthread_cond_wait(&p->idle, &p->lock);
	err = source_seek(a->in, at);
	if (!err) {
		give_back_all(a);
		a->over = false;
		a->used = 0;
		pthread_cond_signal(&p->work);
	}
	pthread_mutex_unlock(&p->lock);
	return err;
}

static void ahead_progress(const struct source *s, uint64_t *done,
			   uint64_t *total)
{
	const struct ahead *a = (const struct ahead *)s;

	*done += a->done;
	*total += a->total;
}

static void ahead_close(struct source *s)
{
	struct ahead *a = (struct ahead *)s;

	if (a->joined)
		leave(a);
	source_close(a->in);
	free(a);
}

static const struct source_ops ahead_ops = { ahead_read, ahead_wait, ahead_seek,
					      ahead_progress, ahead_close };

int source_ahead(struct source **out, struct source *in,
		 struct ahead_pool *pool)
{
	struct ahead *a;

	*out = in;
	if (in->live)
		return 0;
	a = calloc(1, sizeof(*a));
	if (!a) {
		source_close(in);
		return -ENOMEM;
	}
	a->base = (struct source){ .ops = &ahead_ops };
	a->in = in;
	a->pool = pool;
	note_progress(a);
	*out = &a->base;
	return 0;
}
