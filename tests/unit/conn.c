/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Both ends of connections in one thread, plain and by TLS with shared keys.
 * Certificates and other people's TLS: tests/tls.t.
 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "scratch.h"
#include "transport/conn.h"
#include "transport/conn_tls.h"
#include "transport/tls.h"

#define KEY "000102030405060708090a0b0c0d0e0f"
#define OTHER "ff0102030405060708090a0b0c0d0e0f"

struct ends {
	struct tls *tls[2];
	struct conn *c[2];	/* the client, the server */
};

static void make_sockets(int fds[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0,
				    fds), 0);
}

static void make_plain(struct ends *e)
{
	int fds[2];

	memset(e, 0, sizeof(*e));
	make_sockets(fds);
	for (int i = 0; i < 2; i++)
		e->c[i] = conn_plain_new(fds[i]);
}

static struct tls *make_tls(bool server, const char *file, const char *keys,
			    const char *identity)
{
	struct tls_options o = { .server = server, .psk = file,
				 .identity = identity };
	char why[TLS_WHY];
	struct tls *t;

	put(file, keys);
	assert_int_equal(chmod(file, 0600), 0);
	assert_int_equal(tls_new(&t, &o, why), 0);
	return t;
}

/* the client has the key of identity in its file, the server has two */
static void make_ends(struct ends *e, const char *keys, const char *identity)
{
	int fds[2];

	make_sockets(fds);
	e->tls[0] = make_tls(false, "client", keys, identity);
	e->tls[1] = make_tls(true, "server", "web1:" KEY "\nweb2:" OTHER "\n",
			     NULL);
	assert_int_equal(tls_keys(e->tls[1]), 2);
	for (int i = 0; i < 2; i++)
		e->c[i] = conn_tls_new(e->tls[i], fds[i], i ? NULL : "host");
}

static void free_ends(struct ends *e)
{
	for (int i = 0; i < 2; i++) {
		if (e->c[i])
			e->c[i]->ops->free(e->c[i]);
		tls_free(e->tls[i]);
	}
}

/* both, a step each, until neither has to wait; their results */
static void shake(struct ends *e, int result[2])
{
	result[0] = result[1] = -EAGAIN;
	for (int i = 0; i < 100 && (result[0] == -EAGAIN ||
				    result[1] == -EAGAIN); i++) {
		struct conn *c = e->c[i % 2];

		if (result[i % 2] == -EAGAIN)
			result[i % 2] = c->ops->handshake(c);
	}
}

static void shake_well(struct ends *e)
{
	int result[2];

	shake(e, result);
	assert_int_equal(result[0], 0);
	assert_int_equal(result[1], 0);
}

/* --- bytes ---------------------------------------------------------------- */

enum { HEAD = 64, BODY = 1 << 20, PART = 65536 };

/* a header and data, as sink_net sends them, through whatever room there is */
static void check_bytes(struct ends *e)
{
	static uint8_t sent[HEAD + BODY], got[HEAD + BODY + PART];
	size_t out = 0, in = 0;

	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (uint8_t)(i * 7 + i / 251);
	while (in < sizeof(sent)) {
		size_t head = out < HEAD ? HEAD - out : 0;
		struct iovec iov[] = {
			{ sent + out, head },
			{ sent + out + head, sizeof(sent) - out - head },
		};
		ssize_t n = out == sizeof(sent) ? 0 :
			e->c[0]->ops->write(e->c[0], iov, 2);

		assert_true(n >= 0 || n == -EAGAIN);
		out += n > 0 ? (size_t)n : 0;
		n = e->c[1]->ops->read(e->c[1], got + in, PART);
		assert_true(n > 0 || n == -EAGAIN);
		in += n > 0 ? (size_t)n : 0;
	}
	assert_memory_equal(sent, got, sizeof(sent));
}

/* what was not read can be polled for */
static void check_poll(struct ends *e)
{
	static uint8_t bytes[5 * CONN_READ_MIN];
	struct iovec iov = { bytes, sizeof(bytes) };
	struct pollfd p = { .fd = e->c[1]->fd, .events = POLLIN };
	size_t sum = 0;

	assert_int_equal(e->c[0]->ops->write(e->c[0], &iov, 1), sizeof(bytes));
	while (sum < sizeof(bytes)) {
		ssize_t n;

		assert_int_equal(poll(&p, 1, 0), 1);
		n = e->c[1]->ops->read(e->c[1], bytes, CONN_READ_MIN);
		assert_true(n > 0);
		sum += (size_t)n;
	}
	assert_int_equal(sum, sizeof(bytes));
	assert_int_equal(e->c[1]->ops->read(e->c[1], bytes, CONN_READ_MIN),
			 -EAGAIN);
	assert_int_equal(e->c[1]->wants, POLLIN);
}

static void check_end(struct ends *e)
{
	uint8_t bytes[CONN_READ_MIN];

	assert_int_equal(e->c[0]->ops->probe(e->c[0]), 0);
	assert_int_equal(e->c[1]->ops->probe(e->c[1]), 0);
	e->c[1]->ops->end(e->c[1]);
	assert_int_equal(e->c[0]->ops->probe(e->c[0]), -ECONNRESET);
	for (int i = 0; i < 2; i++)
		assert_int_equal(e->c[0]->ops->read(e->c[0], bytes,
						    sizeof(bytes)), 0);
}

static void test_plain(void **state)
{
	struct ends e;

	(void)state;
	make_plain(&e);
	shake_well(&e);
	assert_null(e.c[1]->identity);
	check_bytes(&e);
	check_poll(&e);
	check_end(&e);
	free_ends(&e);
}

static void test_tls(void **state)
{
	struct ends e;

	(void)state;
	make_ends(&e, "x:" KEY "\nweb2:" OTHER "\n", "web2");
	shake_well(&e);
	assert_string_equal(e.c[1]->identity, "web2");
	assert_null(e.c[0]->identity);
	check_bytes(&e);
	check_poll(&e);
	check_end(&e);
	free_ends(&e);
}

static void test_first_identity(void **state)
{
	struct ends e;

	(void)state;
	make_ends(&e, "web1:" KEY "\nweb2:" OTHER "\n", NULL);
	shake_well(&e);
	assert_string_equal(e.c[1]->identity, "web1");
	free_ends(&e);
}

/* --- strangers ------------------------------------------------------------ */

/* neither end goes on, and nothing can be sent or read */
static void check_refused(struct ends *e, const char *client,
			  const char *server)
{
	struct iovec iov = { (void *)"secret", 6 };
	uint8_t bytes[CONN_READ_MIN];
	int result[2];

	shake(e, result);
	for (int i = 0; i < 2; i++) {
		struct conn *c = e->c[i];

		assert_int_equal(result[i], -EPROTO);
		assert_int_equal(c->ops->handshake(c), -EPROTO);
		assert_true(c->ops->write(c, &iov, 1) < 0);
		assert_true(c->ops->read(c, bytes, sizeof(bytes)) < 0);
		assert_true(c->ops->probe(c) < 0);
		assert_null(c->identity);
	}
	assert_string_equal(e->c[0]->why, client);
	assert_string_equal(e->c[1]->why, server);
	free_ends(e);
}

static void test_strangers(void **state)
{
	struct ends e;

	(void)state;
	make_ends(&e, "web1:" OTHER "\n", NULL);
	check_refused(&e, "TLS: it refuses us: Illegal parameter",
		      "TLS: its key is a different one");
	make_ends(&e, "web3:" KEY "\n", NULL);
	/* the same for the peer */
	check_refused(&e, "TLS: it refuses us: Illegal parameter",
		      "TLS: it has an unknown identity");
}

/* before the handshake nothing is taken either */
static void test_too_early(void **state)
{
	struct iovec iov = { (void *)"secret", 6 };
	uint8_t bytes[CONN_READ_MIN];
	struct ends e;

	(void)state;
	make_ends(&e, "web1:" KEY "\n", NULL);
	assert_int_equal(e.c[0]->ops->write(e.c[0], &iov, 1), -EPROTO);
	assert_int_equal(e.c[1]->ops->read(e.c[1], bytes, sizeof(bytes)),
			 -EPROTO);
	free_ends(&e);
}

/* what begins like a plain client's */
static void test_no_tls(void **state)
{
	static const uint8_t open[64] = { 0, 0x74, 0x61, 0x65, 's', 'd', 'a' };
	struct ends e;

	(void)state;
	make_ends(&e, "web1:" KEY "\n", NULL);
	assert_int_equal(send(e.c[0]->fd, open, sizeof(open), 0), 64);
	assert_int_equal(e.c[1]->ops->handshake(e.c[1]), -EPROTO);
	assert_string_equal(e.c[1]->why, "TLS: it does not speak TLS");
	free_ends(&e);
}

static void test_no_keys(void **state)
{
	struct tls_options o = { .psk = "client", .identity = "me" };
	char why[TLS_WHY];
	struct tls *t;

	(void)state;
	put("client", "web1:" KEY "\n");
	assert_true(tls_new(&t, &o, why) < 0);
	assert_int_equal(chmod("client", 0600), 0);
	assert_int_equal(tls_new(&t, &o, why), -ENOENT);
	assert_string_equal(why, "client: no key of me");
	o = (struct tls_options){ .cert = "none", .key = "none", .ca = "none" };
	assert_true(tls_new(&t, &o, why) < 0);
	assert_string_equal(why, "none: No such file or directory");
}

/* --- without GnuTLS ------------------------------------------------------- */

static void test_not_built(void **state)
{
	struct tls_options o = { .psk = "client" };
	char why[TLS_WHY];
	struct tls *t;

	(void)state;
	assert_int_equal(tls_new(&t, &o, why), -ENOSYS);
	assert_string_equal(why, "built without TLS");
}

int main(void)
{
	const struct CMUnitTest with[] = {
		IN_SCRATCH(test_tls), IN_SCRATCH(test_first_identity),
		IN_SCRATCH(test_strangers), IN_SCRATCH(test_too_early),
		IN_SCRATCH(test_no_tls), IN_SCRATCH(test_no_keys),
		cmocka_unit_test(test_plain),
	};
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_not_built),
	};

	return tls_built() ? cmocka_run_group_tests(with, NULL, NULL) :
			     cmocka_run_group_tests(without, NULL, NULL);
}
