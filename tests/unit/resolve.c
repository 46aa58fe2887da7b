/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host names to addresses, by a make-believe resolver that is as slow as a
 * test wants it.
 */
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "capture/to/sink_net.h"
#include "make.h"

/* --- the make-believe resolver -------------------------------------------- */

static struct {
	pthread_mutex_t slow;	/* held: names take as long as it is */
	atomic_int asked, given, freed;
	int flags;		/* of the last question about a name */
} resolver = { .slow = PTHREAD_MUTEX_INITIALIZER };

static struct addrinfo *answer(const char *name)
{
	struct addrinfo *a = calloc(1, sizeof(*a));

	assert_non_null(a);
	a->ai_canonname = strdup(name);
	atomic_fetch_add(&resolver.given, 1);
	return a;
}

/* digits are addresses; "here" is a name; there are no others */
int getaddrinfo(const char *host, const char *port,
		const struct addrinfo *hints, struct addrinfo **list)
{
	bool digits = *host >= '0' && *host <= '9';

	assert_string_equal(port, "8462");
	assert_int_equal(hints->ai_socktype, SOCK_STREAM);
	if (hints->ai_flags & AI_NUMERICHOST) {
		*list = digits ? answer(host) : NULL;
		return digits ? 0 : EAI_NONAME;
	}
	resolver.flags = hints->ai_flags;
	atomic_fetch_add(&resolver.asked, 1);
	pthread_mutex_lock(&resolver.slow);
	pthread_mutex_unlock(&resolver.slow);
	if (strcmp(host, "here"))
		return EAI_NONAME;
	*list = answer("here.example");
	return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
	free(a->ai_canonname);
	free(a);
	atomic_fetch_add(&resolver.freed, 1);
}

static int setup(void **state)
{
	(void)state;
	resolver.asked = resolver.given = resolver.freed = 0;
	return 0;
}

/* until it is so, or a test's patience ends */
static void wait_for(atomic_int *n, int value)
{
	for (int i = 0; i < 1000 && atomic_load(n) < value; i++)
		usleep(10000);
	assert_int_equal(atomic_load(n), value);
}

/* --- the tests ------------------------------------------------------------ */

/* addresses are nobody's to resolve: at once, even when it is time to stop */
static void test_address(void **state)
{
	atomic_bool stop = 1;
	const char *why = "";
	struct addrinfo *a = resolve_host("192.0.2.1", "8462", &stop, &why);

	(void)state;
	assert_non_null(a);
	assert_null(why);
	assert_int_equal(resolver.asked, 0);
	freeaddrinfo(a);
}

/* a name is, and comes with what the host is really called */
static void test_name(void **state)
{
	atomic_bool stop = 0;
	const char *why = "";
	struct addrinfo *a = resolve_host("here", "8462", &stop, &why);

	(void)state;
	assert_non_null(a);
	assert_null(why);
	assert_true(resolver.flags & AI_CANONNAME);
	assert_string_equal(a->ai_canonname, "here.example");
	freeaddrinfo(a);
}

/* one that nobody knows: the resolver's own reason */
static void test_unknown(void **state)
{
	atomic_bool stop = 0;
	const char *why = NULL;

	(void)state;
	assert_null(resolve_host("nowhere", "8462", &stop, &why));
	assert_non_null(why);
	assert_string_equal(why, gai_strerror(EAI_NONAME));
	assert_int_equal(resolver.given, 0);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* one that takes for ever is left behind, and cleans up after itself */
static void check_left(const char *host, int freed)
{
	atomic_bool stop = 1;
	const char *why = "";
	double begun;

	setup(NULL);
	pthread_mutex_lock(&resolver.slow);
	begun = seconds();
	assert_null(resolve_host(host, "8462", &stop, &why));
	assert_true(seconds() - begun < 2);
	assert_null(why);
	pthread_mutex_unlock(&resolver.slow);
	wait_for(&resolver.asked, 1);
	wait_for(&resolver.freed, freed);
	assert_int_equal(resolver.given, freed);
}

static void test_left(void **state)
{
	(void)state;
	check_left("here", 1);
	check_left("nowhere", 0);
}

static void *stop_later(void *stop)
{
	wait_for(&resolver.asked, 1);
	*(atomic_bool *)stop = true;
	return NULL;
}

/* the same when it is time to stop while the name is waited for */
static void test_stopped(void **state)
{
	atomic_bool stop = 0;
	const char *why = "";
	pthread_t thread;

	(void)state;
	pthread_mutex_lock(&resolver.slow);
	assert_int_equal(pthread_create(&thread, NULL, stop_later,
					(void *)&stop), 0);
	assert_null(resolve_host("here", "8462", &stop, &why));
	assert_null(why);
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&resolver.slow);
	wait_for(&resolver.freed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_address, setup),
		cmocka_unit_test_setup(test_name, setup),
		cmocka_unit_test_setup(test_unknown, setup),
		cmocka_unit_test_setup(test_left, setup),
		cmocka_unit_test_setup(test_stopped, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
