/* SPDX-License-Identifier: GPL-2.0-only */
/* Listening sockets: where they are, and where they cannot be. */
#include <errno.h>

#include "heard.h"
#include "loopback.h"
#include "server/poller.h"

static int family_of(int fd)
{
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	return a.ss_family;
}

/* one address is one socket, which takes newcomers and waits for none */
static void test_one(void **state)
{
	struct listeners l;
	char port[PORT_TEXT];
	int fd, peer;

	(void)state;
	assert_null(listen_open(&l, "127.0.0.1", "0"));
	assert_int_equal(l.count, 1);
	assert_int_equal(accept(l.fds[0], NULL, NULL), -1);
	port_of(l.fds[0], port);
	fd = connect_here(port);
	assert_true(fd >= 0);
	peer = accept(l.fds[0], NULL, NULL);
	assert_true(peer >= 0);
	assert_true(fcntl(l.fds[0], F_GETFD) & FD_CLOEXEC);
	close(peer);
	close(fd);
	listen_close(&l);
	assert_int_equal(l.count, 0);
}

/* every address is a socket for each family, so that no address is disguised */
static void test_every(void **state)
{
	struct listeners l;
	char port[PORT_TEXT];
	int found = 0;

	(void)state;
	assert_null(listen_open(&l, NULL, "0"));
	assert_in_range(l.count, 1, 2);
	for (unsigned int i = 0; i < l.count; i++) {
		int only = 1;
		socklen_t len = sizeof(only);

		if (family_of(l.fds[i]) == AF_INET6)
			getsockopt(l.fds[i], IPPROTO_IPV6, IPV6_V6ONLY, &only,
				   &len);
		assert_true(only);
		if (family_of(l.fds[i]) != AF_INET)
			continue;
		found++;
		port_of(l.fds[i], port);
		assert_int_equal(close(connect_here(port)), 0);
	}
	assert_int_equal(found, 1);
	listen_close(&l);
}

static void check_refused(const char *address, const char *port,
			  const char *why)
{
	struct listeners l;
	const char *got = listen_open(&l, address, port);

	assert_non_null(got);
	assert_int_equal(fnmatch(why, got, 0), 0);
	assert_int_equal(l.count, 0);
}

/* a port has one server */
static void test_taken(void **state)
{
	struct listeners l;
	char port[PORT_TEXT];

	(void)state;
	assert_null(listen_open(&l, "127.0.0.1", "0"));
	port_of(l.fds[0], port);
	check_refused("127.0.0.1", port, strerror(EADDRINUSE));
	listen_close(&l);
	/* and the next one may have it at once */
	assert_null(listen_open(&l, "127.0.0.1", port));
	listen_close(&l);
}

/* what is no port, or an address of another machine */
static void test_refused(void **state)
{
	(void)state;
	check_refused("127.0.0.1", "no-such-service", "?*");
	check_refused(NULL, "no-such-service", "?*");
	check_refused("192.0.2.1", "0", strerror(EADDRNOTAVAIL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_one),
		IN_SCRATCH(test_every),
		IN_SCRATCH(test_taken),
		IN_SCRATCH(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
