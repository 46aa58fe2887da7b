/* SPDX-License-Identifier: GPL-2.0-only */
/* Who sends: counts that outlive connections, and how long. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#include "scratch.h"
#include "server/senders.h"

static void check_peer(const char *text, const char *name)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };
	char got[SENDER_NAME];

	if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
		sender_of_peer(got, (const struct sockaddr *)&six, text);
	else if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
		sender_of_peer(got, (const struct sockaddr *)&four, text);
	else
		fail();
	assert_string_equal(got, name);
}

/* all addresses that one machine may give itself are one sender */
static void test_peers(void **state)
{
	(void)state;
	check_peer("192.0.2.1", "192.0.2.1");
	check_peer("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64");
	check_peer("2001:db8:1:2::9", "2001:db8:1:2::/64");
	check_peer("2001:db8:1:3::9", "2001:db8:1:3::/64");
	check_peer("fe80::1", "fe80::1");
	check_peer("::1", "::1");
	check_peer("::ffff:192.0.2.1", "::ffff:192.0.2.1");
}

/* two connections of one, and one of another */
static void test_join(void **state)
{
	struct senders s;
	struct sender *a, *b;

	(void)state;
	senders_init(&s);
	a = sender_join(&s, "192.0.2.1");
	b = sender_join(&s, "192.0.2.2");
	assert_ptr_equal(sender_join(&s, "192.0.2.1"), a);
	assert_ptr_not_equal(a, b);
	assert_string_equal(a->name, "192.0.2.1");
	assert_int_equal(a->clients, 2);
	sender_leave(&s, a);
	assert_ptr_equal(sender_find(&s, "192.0.2.1"), a);
	sender_leave(&s, a);
	assert_null(sender_find(&s, "192.0.2.1"));
	sender_leave(&s, b);
	senders_free(&s);
}

/* who has stored something is known again */
static void test_return(void **state)
{
	struct senders s;
	struct sender *a;

	(void)state;
	senders_init(&s);
	a = sender_join(&s, "192.0.2.1");
	a->bytes = 48;
	a->files = 3;
	sender_leave(&s, a);
	a = sender_join(&s, "192.0.2.1");
	assert_int_equal(a->bytes, 48);
	assert_int_equal(a->files, 3);
	assert_int_equal(a->clients, 1);
	sender_leave(&s, a);
	senders_free(&s);
}

/* the stricter of both limits counts, and a day begins at midnight */
static void test_room(void **state)
{
	const struct sender_limits l = { .bytes = 250, .day_bytes = 100 };
	const struct sender_limits none = { 0 };
	struct sender s = { .day = -1 };
	int64_t now = 10 * 86400 + 86399;

	(void)state;
	assert_int_equal(sender_room(&s, &none, 1000, now), 1000);
	assert_int_equal(sender_room(&s, &l, 60, now), 60);
	sender_stored(&s, 60);
	assert_int_equal(sender_room(&s, &l, 60, now), 40);
	sender_stored(&s, 40);
	assert_int_equal(sender_room(&s, &l, 1, now), 0);
	assert_int_equal(sender_room(&s, &l, 1000, now + 1), 100);
	sender_stored(&s, 100);
	assert_int_equal(sender_room(&s, &l, 1000, now + 86401), 50);
	sender_stored(&s, 50);
	assert_int_equal(sender_room(&s, &l, 1, now + 2 * 86401), 0);
	assert_int_equal(s.bytes, 250);
}

/* of too many those who left first are forgotten */
static void test_forget(void **state)
{
	struct senders s;
	char name[SENDER_NAME];

	(void)state;
	senders_init(&s);
	for (int i = 0; i < SENDERS_GONE_MAX + 10; i++) {
		struct sender *a;

		snprintf(name, sizeof(name), "2001:db8::%x", i);
		a = sender_join(&s, name);
		a->files = 1;
		sender_leave(&s, a);
	}
	assert_int_equal(s.gone_count, SENDERS_GONE_MAX);
	assert_null(sender_find(&s, "2001:db8::9"));
	assert_non_null(sender_find(&s, "2001:db8::a"));
	senders_free(&s);
}

/* so much at once, and then what time brings */
static void test_lines(void **state)
{
	struct senders s;
	struct sender *a;
	int printed = 0;

	(void)state;
	senders_init(&s);
	a = sender_join(&s, "192.0.2.1");
	while (sender_may_print(a, 1 << 16) && printed < 1000)
		printed++;
	assert_in_range(printed, SENDER_LINES >> 16, (SENDER_LINES >> 16) + 30);
	a->lines_at -= 1000;
	assert_true(sender_may_print(a, 1));
	sender_leave(&s, a);
	senders_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peers),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_return),
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
