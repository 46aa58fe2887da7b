/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads for blocking calls; see calls.h. */
#include <errno.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/btreplay/calls.h"

/* more were rarely in flight */
enum { THREADS = 16 };

struct calls {
	int fd;
	calls_done *done;
	const atomic_bool *halt;
	pthread_t threads[THREADS];
	unsigned int count;
	pthread_mutex_t lock;	/* of all below */
	pthread_cond_t moved;
	struct call *first, *last;	/* waiting for a thread */
	bool over;		/* no more calls come */
};

static int change(int fd, unsigned long what, const struct call *c)
{
	uint64_t range[2] = { c->sector << 9, c->bytes };

	return ioctl(fd, what, range) ? -errno : 0;
}

static int make(const struct calls *p, const struct call *c)
{
	if (atomic_load(p->halt))
		return -ECANCELED;
	if (c->kind == KIND_DISCARD)
		return change(p->fd, BLKDISCARD, c);
	if (c->kind == KIND_ZEROES)
		return change(p->fd, BLKZEROOUT, c);
	return fdatasync(p->fd) ? -errno : 0;
}

/* Waits for the next call; NULL: no more. */
static struct call *get(struct calls *p)
{
	struct call *c;

	pthread_mutex_lock(&p->lock);
	while (!p->first && !p->over)
		pthread_cond_wait(&p->moved, &p->lock);
	c = p->first;
	if (c)
		p->first = c->next;
	if (!p->first)
		p->last = NULL;
	pthread_mutex_unlock(&p->lock);
	return c;
}

static void *run(void *calls)
{
	struct calls *p = calls;
	struct call *c;

	while ((c = get(p)) != NULL)
		p->done(c, make(p, c));
	return NULL;
}

int calls_start(struct calls **out, int fd, calls_done *done,
		const atomic_bool *halt)
{
	struct calls *p = calloc(1, sizeof(*p));
	int err = p ? 0 : ENOMEM;

	if (!p)
		return -err;
	p->fd = fd;
	p->done = done;
	p->halt = halt;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->moved, NULL);
	while (!err && p->count < THREADS) {
		err = pthread_create(&p->threads[p->count], NULL, run, p);
		p->count += !err;
	}
	/* fewer are enough */
	if (!p->count) {
		calls_stop(p);
		return -err;
	}
	*out = p;
	return 0;
}

void calls_put(struct calls *p, struct call *c)
{
	c->next = NULL;
	pthread_mutex_lock(&p->lock);
	if (p->last)
		p->last->next = c;
	else
		p->first = c;
	p->last = c;
	pthread_cond_signal(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

void calls_stop(struct calls *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->count; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->moved);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
