/* SPDX-License-Identifier: GPL-2.0-only */
/* Who may send: networks of both families, to the bit. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>

#include "make.h"
#include "server/senders.h"

/* whether addr is within one of the networks */
static bool allowed(const char *addr, const char *const *nets,
		    unsigned int count)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };
	struct server_net list[4];

	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(server_net_parse(&list[i], nets[i]), 0);
	if (inet_pton(AF_INET6, addr, &six.sin6_addr) == 1)
		return server_net_match(list, count, (void *)&six);
	assert_int_equal(inet_pton(AF_INET, addr, &four.sin_addr), 1);
	return server_net_match(list, count, (void *)&four);
}

static bool in_net(const char *addr, const char *net)
{
	return allowed(addr, &net, 1);
}

static void test_bits(void **state)
{
	(void)state;
	assert_true(in_net("192.0.2.1", "192.0.2.1"));
	assert_false(in_net("192.0.2.2", "192.0.2.1"));
	assert_true(in_net("192.0.2.255", "192.0.2.0/24"));
	assert_false(in_net("192.0.3.0", "192.0.2.0/24"));
	assert_true(in_net("192.0.2.127", "192.0.2.0/25"));
	assert_false(in_net("192.0.2.128", "192.0.2.0/25"));
	assert_true(in_net("192.0.2.3", "192.0.2.2/31"));
	assert_false(in_net("192.0.2.4", "192.0.2.2/31"));
	assert_true(in_net("255.0.0.1", "1.2.3.4/0"));
	assert_true(in_net("2001:db8::1", "2001:db8::/32"));
	assert_false(in_net("2001:db9::1", "2001:db8::/32"));
	assert_true(in_net("::1", "::1"));
	assert_false(in_net("::2", "::1/128"));
	assert_true(in_net("::2", "::1/126"));
}

/* the other family is never meant, not even by zero bits */
static void test_families(void **state)
{
	static const char *const both[] = { "192.0.2.0/24", "::1" };

	(void)state;
	assert_false(in_net("::1", "0.0.0.0/0"));
	assert_false(in_net("127.0.0.1", "::/0"));
	assert_true(allowed("::1", both, 2));
	assert_true(allowed("192.0.2.9", both, 2));
	assert_false(allowed("192.0.1.9", both, 2));
	assert_true(allowed("192.0.1.9", NULL, 0));
}

static void test_bad(void **state)
{
	static const char *const bad[] = {
		"", "/", "/8", "host", "192.0.2", "192.0.2.1/", "192.0.2.1/33",
		"192.0.2.1/-1", "192.0.2.1/+8", "192.0.2.1/8x", "::1/129",
		"192.0.2.1/99999999999", "1.2.3.4.5", "[::1]", "::1%lo",
		"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001",
	};
	struct server_net n;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(server_net_parse(&n, bad[i]), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
