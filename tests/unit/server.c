/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole server in a process of its own: how it begins and ends.  What
 * clients do to it while it runs: tests/server.t.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "heard.h"
#include "loopback.h"
#include "net.h"
#include "server_reporter.h"
#include "server/server.h"

enum { RECORDS = 3 };

/* --- servers -------------------------------------------------------------- */

static atomic_bool stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

struct host {
	char port[PORT_TEXT];
	pid_t pid;
	struct server_options o;
};

/* the child's side: lines go to "lines", complaints to "errors" */
static void serve(const struct server_options *o)
{
	struct sigaction sa = { .sa_handler = on_signal };
	int status;

	sigaction(SIGTERM, &sa, NULL);
	if (!freopen("errors", "w", stderr) ||
	    (access("lines", F_OK) && !freopen("lines", "w", stdout)) ||
	    !freopen("lines", "a", stdout))
		_exit(99);
	status = server_run(o);
	fflush(NULL);
	_exit(status);
}

/* the options are what a test has changed in h->o */
static void host_start(struct host *h)
{
	h->o.directory = "store";
	h->o.port = h->port;
	h->o.stop = &stop;
	h->o.reporter = &server_reporter;
	fflush(NULL);
	h->pid = fork();
	if (!h->pid)
		serve(&h->o);
}

static void host_init(struct host *h)
{
	memset(h, 0, sizeof(*h));
	free_port(h->port);
	h->o.bind = "127.0.0.1";
}

/* its exit status */
static int host_wait(struct host *h)
{
	int status;

	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int host_stop(struct host *h)
{
	kill(h->pid, SIGTERM);
	return host_wait(h);
}

/* --- a client ------------------------------------------------------------- */

/* once the server is there */
static int connect_to(const struct host *h)
{
	for (int i = 0; i < 500; i++) {
		int fd = connect_here(h->port);

		if (fd >= 0)
			return fd;
		usleep(20000);
	}
	fail_msg("no server");
	return -1;
}

static void add_header(struct bytes *b, uint32_t len)
{
	struct net_header h = { .name = "sda", .max_cpus = 1, .len = len,
				.run = 1 };
	uint8_t raw[NET_HEADER];

	net_encode(&h, raw);
	add_bytes(b, raw, sizeof(raw));
}

/* at once, so that all of it has arrived afterwards */
static void send_all(int fd, const struct bytes *b)
{
	assert_int_equal(send(fd, b->data, b->len, MSG_NOSIGNAL), b->len);
}

/* an open or a close, and whether it is answered: else that is the end */
static bool ask(int fd, uint32_t kind)
{
	struct bytes *b = bytes_new();
	uint8_t raw[NET_HEADER];

	add_header(b, kind);
	send_all(fd, b);
	free(b);
	return recv(fd, raw, sizeof(raw), MSG_WAITALL) == sizeof(raw);
}

static bool is_closed(int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0) <= 0;
}

/* opens CPU 0 of sda and sends some records */
static void send_some(int fd)
{
	struct bytes *b = bytes_new();

	assert_true(ask(fd, NET_OPEN));
	add_header(b, RECORDS * BLK_HEADER_7);
	for (uint32_t i = 0; i < RECORDS; i++)
		add_simple(b, i);
	send_all(fd, b);
	free(b);
}

/* a server that somebody is sending to: the connection */
static int start_a_run(struct host *h)
{
	int fd;

	host_init(h);
	host_start(h);
	fd = connect_to(h);
	send_some(fd);
	return fd;
}

/* --- the tests ------------------------------------------------------------ */

static const char unclosed[] = "server: 127.0.0.1:sda: CPU 0 ended without a"
			       " close; received data is kept\n";

static const char said[] =
	"server: waiting for connections...\n"
	"server: connection from 127.0.0.1\n"
	"server: end of run for 127.0.0.1:sda\n"
	"=== sda ===\n"
	"  CPU  0:                    3 events,        1 KiB data\n"
	"  Total:                     3 events (dropped 0),        1 KiB data\n";

/* a run from its beginning to its end, and the server's own */
static void test_run(void **state)
{
	struct host h;
	int fd = start_a_run(&h);

	(void)state;
	assert_true(ask(fd, NET_CLOSE));
	close(fd);
	assert_int_equal(host_stop(&h), 0);
	check_text("lines", said);
	check_text("errors", "");
}

/* told to stop, it ends what still goes on as if it had been closed */
static void test_stop(void **state)
{
	struct host h;
	int fd = start_a_run(&h);

	(void)state;
	assert_int_equal(host_stop(&h), 0);
	assert_true(is_closed(fd));
	close(fd);
	check_text("lines", said);
	check_text("errors", unclosed);
}

/* who may not send is not heard */
static void test_allow(void **state)
{
	struct server_net net;
	struct host h;
	int fd;

	(void)state;
	host_init(&h);
	assert_int_equal(server_net_parse(&net, "192.0.2.0/24"), 0);
	h.o.access.allow = malloc(sizeof(net));
	assert_non_null(h.o.access.allow);
	*h.o.access.allow = net;
	h.o.access.allow_count = 1;
	host_start(&h);
	free(h.o.access.allow);
	fd = connect_to(&h);
	assert_true(is_closed(fd));
	close(fd);
	assert_int_equal(host_stop(&h), 0);
	check_text("errors", "server: 127.0.0.1: not allowed to send; connection"
		   " dropped\n");
	check_text("lines", "server: waiting for connections...\n");
}

static void check_errors(const char *fmt, const char *port)
{
	char text[128];

	snprintf(text, sizeof(text), fmt, port);
	check_text("errors", text);
}

/* one that cannot begin reports it and fails */
static void test_no_port(void **state)
{
	struct host h, second;
	char text[128];
	int fd;

	(void)state;
	host_init(&h);
	host_start(&h);
	fd = connect_to(&h);
	close(fd);
	second = h;
	host_start(&second);
	assert_int_equal(host_wait(&second), 1);
	/* the first one has reported nothing, and its file is the second's */
	snprintf(text, sizeof(text), "server: server: cannot listen on"
		 " 127.0.0.1, port %%s: %s\n", strerror(EADDRINUSE));
	check_errors(text, h.port);
	assert_int_equal(host_stop(&h), 0);
}

/* a service of that name is on no address */
static void test_no_service(void **state)
{
	struct host h;

	(void)state;
	host_init(&h);
	strcpy(h.port, "nosuch");
	h.o.bind = NULL;
	host_start(&h);
	assert_int_equal(host_wait(&h), 1);
	assert_int_equal(system("grep -q '^server: server: cannot listen on"
				" every address, port nosuch: .' errors"), 0);
}

static void test_no_directory(void **state)
{
	struct host h;

	(void)state;
	put("store", "a file");
	host_init(&h);
	host_start(&h);
	assert_int_equal(host_wait(&h), 1);
	check_text("errors", "server: server: store: Not a directory\n");
}

/* one whose lines nobody could read has failed, but its files are there */
static void test_full(void **state)
{
	struct host h;
	int fd;

	(void)state;
	assert_int_equal(symlink("/dev/full", "lines"), 0);
	fd = start_a_run(&h);
	assert_true(ask(fd, NET_CLOSE));
	close(fd);
	assert_int_equal(host_stop(&h), 1);
	check_text("errors", "server: server: cannot write to standard output:"
		   " No space left on device\n");
	assert_int_equal(system("test $(cat store/*/sda.blktrace.0 | wc -c)"
				" = 144"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_run),
		IN_SCRATCH(test_stop),
		IN_SCRATCH(test_allow),
		IN_SCRATCH(test_no_port),
		IN_SCRATCH(test_no_service),
		IN_SCRATCH(test_no_directory),
		IN_SCRATCH(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
