/* SPDX-License-Identifier: GPL-2.0-only */
/* The conveyor: numbers come in order, however fast either end is; the filling end
 * may wait until all is taken; and either end may stop. */
#include <pthread.h>
#include <unistd.h>

#include "base/conveyor.h"
#include "base/thread.h"
#include "make.h"

enum { PARCELS = 4, NUMBERS = 1000, SENT = 3000 };

struct parcel {
	unsigned int count;
	unsigned int numbers[NUMBERS];
};

struct ends {
	struct conveyor *c;
	unsigned int settle_every;	/* parcels; 0: never */
	unsigned int sent;		/* numbers */
	unsigned int seen;		/* the taker's, plain: settling orders it */
	unsigned int unsettled;		/* how often seen was not sent then */
	unsigned int nap_fill, nap_take;	/* us for each parcel */
	bool refused;			/* the taker takes no more */
};

static void nap(unsigned int us)
{
	if (us)
		usleep(us);
}

static void settle(struct ends *e)
{
	if (!conveyor_settle(e->c))
		e->refused = true;
	else if (e->seen != e->sent)
		e->unsettled++;
}

static void *fill(void *arg)
{
	struct ends *e = arg;

	for (unsigned int i = 0; i < SENT && !e->refused; i++) {
		struct parcel *p = conveyor_fill(e->c);

		e->refused = !p;
		if (!p)
			break;
		p->count = i % NUMBERS;
		for (unsigned int n = 0; n < p->count; n++)
			p->numbers[n] = e->sent++;
		conveyor_send(e->c);
		nap(e->nap_fill);
		if (e->settle_every && i % e->settle_every == 0)
			settle(e);
	}
	conveyor_end(e->c);
	return NULL;
}

/* how many parcels, up to most */
static unsigned int take(struct ends *e, unsigned int most)
{
	unsigned int parcels = 0;
	struct parcel *p;

	while (parcels < most && (p = conveyor_take(e->c))) {
		for (unsigned int n = 0; n < p->count; n++)
			assert_int_equal(p->numbers[n], e->seen++);
		parcels++;
		nap(e->nap_take);
	}
	return parcels;
}

static pthread_t begin(struct ends *e)
{
	pthread_t thread;

	assert_int_equal(conveyor_new(&e->c, PARCELS, sizeof(struct parcel)), 0);
	assert_int_equal(thread_start(&thread, fill, e), 0);
	return thread;
}

static void end(struct ends *e, pthread_t thread)
{
	pthread_join(thread, NULL);
	conveyor_free(e->c);
}

static void all_come(struct ends e)
{
	pthread_t thread = begin(&e);

	assert_int_equal(take(&e, SENT + 1), SENT);
	assert_null(conveyor_take(e.c));
	end(&e, thread);
	assert_int_equal(e.seen, e.sent);
	assert_int_equal(e.unsettled, 0);
	assert_false(e.refused);
}

static void test_order(void **state)
{
	(void)state;
	all_come((struct ends){ .settle_every = 0 });
	all_come((struct ends){ .nap_fill = 20 });
	all_come((struct ends){ .nap_take = 20 });
}

static void test_settling(void **state)
{
	(void)state;
	all_come((struct ends){ .settle_every = 1 });
	all_come((struct ends){ .settle_every = 7, .nap_take = 10 });
	all_come((struct ends){ .settle_every = 3, .nap_fill = 10 });
}

/* while it fills, waits for room, or settles */
static void closes_after(unsigned int parcels, struct ends e)
{
	pthread_t thread = begin(&e);

	take(&e, parcels);
	conveyor_close(e.c);
	end(&e, thread);
	assert_true(e.refused);
}

static void test_closing(void **state)
{
	(void)state;
	closes_after(0, (struct ends){ .settle_every = 0 });
	closes_after(1, (struct ends){ .settle_every = 1 });
	closes_after(50, (struct ends){ .nap_fill = 10 });
	closes_after(50, (struct ends){ .nap_take = 10, .settle_every = 60 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_settling),
		cmocka_unit_test(test_closing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
