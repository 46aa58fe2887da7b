/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os in flight; see channel.h. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/time.h"
#include "replay/bunch.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/fault.h"

/* --- memory --------------------------------------------------------------- */

enum {
	PAGE = 4096,
	PLACE_MAX = 1 << 20,
	/* bytes touched before the first I/O, as that takes time */
	READY = 8 << 20,
};

/* NULL: no bytes, or no memory. */
static uint8_t *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void make_ready(uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i += PAGE)
		((volatile uint8_t *)p)[i] = 0;
}

/*
 * The kernel splits a long I/O whose memory has many pieces.  Zeros that are
 * only read still cost no memory.
 */
static void use_large_pages(uint8_t *p, size_t size)
{
	if (size > PLACE_MAX)
		madvise(p, size, MADV_HUGEPAGE);
}

static size_t pages(uint32_t bytes)
{
	return ((size_t)bytes + PAGE - 1) / PAGE * PAGE;
}

/* For count I/Os at once, of at most these bytes; 0 or -ENOMEM. */
static int memory_init(struct memory *m, unsigned int count,
		       uint32_t longest_read, uint32_t longest_write)
{
	size_t places, longest = pages(longest_read);

	*m = (struct memory){ .count = count };
	m->place = longest < PLACE_MAX ? longest : PLACE_MAX;
	if (!m->place)
		m->place = PAGE;
	places = count * m->place;
	m->longest_size = longest > PLACE_MAX ? longest : 0;
	m->zeros_size = pages(longest_write);
	m->places = map(places);
	m->longest = m->longest_size ? map(m->longest_size) : NULL;
	m->zeros = m->zeros_size ? map(m->zeros_size) : NULL;
	if (!m->places || (m->longest_size && !m->longest) ||
	    (m->zeros_size && !m->zeros)) {
		memory_free(m);
		return -ENOMEM;
	}
	make_ready(m->places, places < READY ? places : READY);
	use_large_pages(m->longest, m->longest_size);
	use_large_pages(m->zeros, m->zeros_size);
	return 0;
}

static void unmap(uint8_t *p, size_t size)
{
	if (p)
		munmap(p, size);
}

void memory_free(struct memory *m)
{
	unmap(m->places, m->count * m->place);
	unmap(m->longest, m->longest_size);
	unmap(m->zeros, m->zeros_size);
	*m = (struct memory){ 0 };
}

/* --- channel -------------------------------------------------------------- */

/* until the kernel has room for an I/O again */
enum { RETRY_US = 50 };

/* RWF_DSYNC, missing in some C libraries: a write and its flush */
enum { WRITE_THROUGH = 2 };

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

/* Only one thread pops, so the slot below the top does not change. */
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

/* False: stopped.  POSIX waits by the time of day, so the next check is late if
 * that is set back. */
static bool wait_for_room(struct channel *c)
{
	while (!atomic_load(c->o.stop)) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t = time_to_timespec(time_of_timespec(&t) + CHANNEL_LOOK);
		if (!sem_timedwait(&c->room, &t))
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

static void prepare_iocb(struct channel *c, struct slot *s, enum kind as)
{
	long long at = (long long)(s->sector << 9);

	if (as == KIND_READ)
		io_prep_pread(&s->iocb, c->o.fd,
			      memory_get(&c->memory, s->number, s->bytes),
			      s->bytes, at);
	else
		io_prep_pwrite(&s->iocb, c->o.fd, c->memory.zeros, s->bytes,
			       at);
	if (as == KIND_FUA)
		s->iocb.aio_rw_flags = WRITE_THROUGH;
	s->iocb.data = s;
}

void channel_prepare(struct channel *c, struct slot *s, const struct packet *p,
		     const struct order_item *place)
{
	enum kind as;

	s->kind = kind_of(p);
	s->sector = p->sector;
	s->bytes = p->bytes;
	s->ordered = place;
	if (place)
		s->place = *place;
	as = c->o.sent_as[s->kind];
	if (kind_is_call(as))
		s->call = (struct call){ .kind = as, .sector = p->sector,
					 .bytes = p->bytes };
	else
		prepare_iocb(c, s, as);
}

static bool is_call(const struct slot *s)
{
	return kind_is_call(s->channel->o.sent_as[s->kind]);
}

bool channel_admit(struct channel *c, struct slot *s, bool *held)
{
	*held = s->ordered && !order_enter(c->o.order, &s->place);
	if (*held)
		return false;
	if (!is_call(s))
		return true;
	calls_put(c->o.calls, &s->call);
	return false;
}

/* --- back from the kernel ------------------------------------------------ */

/* Counts before freeing the slot, else too many would seem in flight. */
static void give_back(struct channel *c, struct slot *s)
{
	atomic_fetch_add(&c->back, 1);
	channel_put(c, s);
}

void channel_back(struct channel *c, struct slot *s, long result, long result2)
{
	struct channel_sums *sums = &c->sums[s->kind];

	if (result == (long)s->bytes && !result2) {
		atomic_fetch_add(&sums->ios, 1);
		atomic_fetch_add(&sums->bytes, s->bytes);
	} else {
		atomic_fetch_add(&sums->failed, 1);
		fault_add(c->o.fault, result, result2, s->sector, s->bytes);
	}
	if (s->ordered)
		order_leave(c->o.order, &s->place);
	give_back(c, s);
}

static struct slot *slot_of_place(struct order_item *place)
{
	return (struct slot *)((char *)place - offsetof(struct slot, place));
}

static void drop(struct order_item *place)
{
	struct slot *s = slot_of_place(place);

	give_back(s->channel, s);
}

void channel_abandon(struct channel *c)
{
	if (c->o.order)
		order_abandon(c->o.order, drop);
}

/* In any thread, so it must not wait long. */
static void submit_alone(struct channel *c, struct slot *s)
{
	struct iocb *iocb = &s->iocb;
	int got;

	/* orders our use of the slot before the reaper's */
	atomic_fetch_add(&c->sent, 0);
	while ((got = io_submit(c->context, 1, &iocb)) == -EINTR ||
	       (got == -EAGAIN && !atomic_load(c->o.stop)))
		usleep(RETRY_US);
	if (got != 1)
		channel_back(c, s, got, 0);
}

void channel_release(struct order_item *place)
{
	struct slot *s = slot_of_place(place);

	if (atomic_load(s->channel->o.stop))
		drop(place);
	else if (is_call(s))
		calls_put(s->channel->o.calls, &s->call);
	else
		submit_alone(s->channel, s);
}

void channel_called(struct call *call, int result)
{
	struct slot *s = (struct slot *)((char *)call -
					 offsetof(struct slot, call));

	if (result == -ECANCELED)
		give_back(s->channel, s);
	else
		channel_back(s->channel, s, result ? result : (long)s->bytes,
			     0);
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
		c->slots[i].channel = c;
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
	/* a write of no bytes needs an address, too */
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
