/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os that are under way; see channel.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/time.h"
#include "replay/bunch.h"
#include "tools/btreplay/channel.h"

/* the end of the stack */
#define NO_SLOT UINT32_MAX

/* --- the stack of free slots --------------------------------------------- */

static void push(struct channel *c, struct slot *s)
{
	uint32_t top = atomic_load_explicit(&c->top, memory_order_relaxed);

	do
		atomic_store_explicit(&s->below, top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&c->top, &top, s->number, memory_order_release,
		memory_order_relaxed));
}

/* Only one thread pops, so that the slot below the top stays that. */
static struct slot *pop(struct channel *c)
{
	uint32_t top = atomic_load_explicit(&c->top, memory_order_acquire);

	while (!atomic_compare_exchange_weak_explicit(
		&c->top, &top, atomic_load(&c->slots[top].below),
		memory_order_acquire, memory_order_acquire))
		;
	return &c->slots[top];
}

void channel_put(struct channel *c, struct slot *s)
{
	push(c, s);
	sem_post(&c->room);
}

/* False if it was stopped before there was one. */
static bool wait_for_room(struct channel *c)
{
	while (!atomic_load(c->o.stop)) {
		struct timespec t =
			time_to_timespec(time_now() + CHANNEL_LOOK);

		if (!sem_clockwait(&c->room, CLOCK_MONOTONIC, &t))
			return true;
	}
	return false;
}

unsigned int channel_get(struct channel *c, struct slot **slots,
			 unsigned int count)
{
	unsigned int n = 0;

	if (sem_trywait(&c->room) && !wait_for_room(c))
		return 0;
	do
		slots[n++] = pop(c);
	while (n < count && !sem_trywait(&c->room));
	return n;
}

/* --- an I/O -------------------------------------------------------------- */

void channel_prepare(struct channel *c, struct slot *s, const struct packet *p)
{
	int fd = c->o.fd;

	s->sector = p->sector;
	s->bytes = p->bytes;
	if (p->read || !c->o.write)
		io_prep_pread(&s->iocb, fd,
			      memory_get(&c->memory, s->number, p->bytes),
			      p->bytes, (long long)(p->sector << 9));
	else
		io_prep_pwrite(&s->iocb, fd, c->memory.zeros, p->bytes,
			       (long long)(p->sector << 9));
	s->iocb.data = s;
}

/* --- setting up ---------------------------------------------------------- */

static int init_slots(struct channel *c)
{
	c->slots = calloc(c->o.depth, sizeof(*c->slots));
	if (!c->slots)
		return -ENOMEM;
	atomic_init(&c->top, NO_SLOT);
	for (unsigned int i = c->o.depth; i-- > 0;) {
		c->slots[i].number = i;
		push(c, &c->slots[i]);
	}
	return 0;
}

static int init_memory(struct channel *c)
{
	uint32_t read = c->o.longest_read, write = c->o.longest_write;

	if (!c->o.write) {
		read = write > read ? write : read;
		write = 0;
	}
	/* a write of no bytes wants an address, too */
	return memory_init(&c->memory, c->o.depth, read,
			   c->o.write && !write ? 1 : write);
}

int channel_init(struct channel *c, const struct channel_options *o)
{
	int err;

	*c = (struct channel){ .o = *o, .threads = 2 };
	sem_init(&c->room, 0, o->depth);
	err = init_slots(c);
	if (!err)
		err = init_memory(c);
	if (!err)
		err = io_setup((int)o->depth, &c->context);
	if (err)
		channel_free(c);
	return err;
}

static void destroy_context(struct channel *c)
{
	if (c->context)
		io_destroy(c->context);
	c->context = NULL;
}

void channel_close(struct channel *c)
{
	if (atomic_fetch_sub(&c->threads, 1) == 1)
		destroy_context(c);
}

void channel_free(struct channel *c)
{
	destroy_context(c);
	memory_free(&c->memory);
	free(c->slots);
	c->slots = NULL;
	sem_destroy(&c->room);
}
