/* SPDX-License-Identifier: GPL-2.0-only */
/* Packs chunks; see packer.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "base/thread.h"
#include "base/time.h"
#include "capture/to/chunks.h"
#include "capture/to/packer.h"
#include "capture/to/piece.h"

#define PAUSE (100 * NS_PER_MS)

enum { NICE = 10 };

struct packer {
	struct chunks *chunks;
	pthread_t thread;
	pthread_mutex_t lock;	/* of end */
	pthread_cond_t changed;
	bool end;
	z_stream z;
	uint8_t *piece;		/* room for one of a chunk */
};

/* All that can be packed of a lane. */
static void pack_lane(struct packer *p, struct chunk_lane *l)
{
	struct chunks *c = p->chunks;
	struct chunk *k;

	while ((k = chunks_to_pack(c, l))) {
		size_t len = piece_pack(&p->z, k->bytes,
					atomic_load(&k->used),
					atomic_load(&k->last), p->piece,
					c->each);

		chunks_packed(c, l, k, p->piece, len);
	}
}

/* Lanes come, and stay. */
static unsigned int lanes_of(struct chunks *c)
{
	unsigned int count;

	pthread_mutex_lock(&c->lock);
	count = c->lane_count;
	pthread_mutex_unlock(&c->lock);
	return count;
}

/* Whether it is to go on, some time later. */
static bool pause_packing(struct packer *p)
{
	struct timespec until;
	bool end;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until = time_to_timespec(time_of_timespec(&until) + PAUSE);
	pthread_mutex_lock(&p->lock);
	if (!p->end)
		pthread_cond_timedwait(&p->changed, &p->lock, &until);
	end = p->end;
	pthread_mutex_unlock(&p->lock);
	return !end;
}

static void *pack(void *arg)
{
	struct packer *p = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	do
		for (unsigned int i = lanes_of(p->chunks); i--;)
			pack_lane(p, p->chunks->lanes[i]);
	while (pause_packing(p));
	return NULL;
}

/* --- life ----------------------------------------------------------------- */

static void packer_free(struct packer *p)
{
	deflateEnd(&p->z);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p->piece);
	free(p);
}

int packer_start(struct packer **out, struct chunks *c, int level)
{
	struct packer *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->chunks = c;
	pthread_mutex_init(&p->lock, NULL);
	thread_cond_init(&p->changed);
	p->piece = malloc(c->each);
	err = p->piece ? piece_begin(&p->z, level) : -ENOMEM;
	if (!err)
		err = thread_start(&p->thread, pack, p);
	if (err)
		packer_free(p);
	else
		*out = p;
	return err;
}

void packer_end(struct packer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->end = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	packer_free(p);
}
