/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending over the loopback: to our own server, and to bad ones. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/run_cards.h"
#include "capture/sink.h"
#include "capture/to/sink_net.h"
#include "capture_reports.h"
#include "loopback.h"
#include "net.h"
#include "server/server.h"
#include "server_reporter.h"
#include "transport/tls.h"

enum { CPUS = 4, DEVICES = 2, PATIENCE = 3 };

/* --- servers -------------------------------------------------------------- */

static atomic_bool stop_server;

static void on_signal(int sig)
{
	(void)sig;
	stop_server = 1;
}

/* keys of one end, in a file that is gone again */
static struct tls *make_tls(bool server)
{
	char path[] = "/tmp/unit.XXXXXX", why[TLS_WHY];
	struct tls_options o = { .server = server, .psk = path };
	int fd = mkstemp(path);
	struct tls *t = NULL;

	assert_true(dprintf(fd, "web1:%032d\n", 7) > 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(tls_new(&t, &o, why), 0);
	unlink(path);
	return t;
}

/* the child's side: our own server, silent */
static void serve(const char *directory, const char *port, struct tls *tls)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct server_options o = { .directory = directory, .port = port,
				    .bind = "127.0.0.1", .stop = &stop_server,
				    .reporter = &server_reporter,
				    .access.tls = tls };

	sigaction(SIGTERM, &sa, NULL);
	if (!freopen("/dev/null", "w", stdout) ||
	    dup2(fileno(stdout), STDERR_FILENO) < 0)
		_exit(9);
	_exit(server_run(&o));
}

struct host {
	char dir[32], port[PORT_TEXT];
	pid_t pid;
};

/* whether somebody takes connections at that port */
static bool answers(const char *port)
{
	int fd = connect_here(port);

	return fd >= 0 && !close(fd);
}

static void host_start(struct host *h, struct tls *tls)
{
	strcpy(h->dir, "/tmp/unit.XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	free_port(h->port);
	h->pid = fork();
	if (!h->pid)
		serve(h->dir, h->port, tls);
	while (!answers(h->port))
		usleep(10000);
}

static int host_stop(struct host *h, int sig)
{
	int status;

	kill(h->pid, sig);
	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	return status;
}

/* runs a shell line about the server's directory; true if it succeeds */
static bool host_has(const struct host *h, const char *command)
{
	char line[256];

	snprintf(line, sizeof(line), "cd %s && %s", h->dir, command);
	return system(line) == 0;
}

/* --- clients -------------------------------------------------------------- */

static const char *const names[DEVICES] = { "sda", "sdb" };

struct client {
	atomic_bool stop;
	struct sink *sink;
	struct sink_lane lanes[CPUS][DEVICES];
	const struct bytes *data;
	int errors[CPUS];
	pthread_barrier_t opened;
};

static void client_start_by(struct client *c, const char *port,
			    bool per_device, struct tls *tls)
{
	struct sink_net_options o = {
		.host = "127.0.0.1", .port = port, .buf_size = 4096,
		.buf_nr = 4, .max_cpus = CPUS, .per_device = per_device,
		.stop = &c->stop, .reporter = &keeper, .tls = tls,
	};

	memset(c, 0, sizeof(*c));
	forget_reports();
	c->sink = sink_net_new(&o);
	assert_non_null(c->sink);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (unsigned int d = 0; d < DEVICES; d++)
			c->lanes[cpu][d] = (struct sink_lane){
				.name = names[d], .device = d, .cpu = cpu };
}

static void client_start(struct client *c, const char *port, bool per_device)
{
	client_start_by(c, port, per_device, NULL);
}

/* one CPU's thread: opens, waits for the others, writes, closes */
static int run_cpu(struct client *c, unsigned int cpu)
{
	const struct sink_ops *ops = c->sink->ops;
	struct sink_lane *l = c->lanes[cpu];
	int err = 0;

	for (int d = 0; d < DEVICES; d++)
		err |= ops->open(c->sink, &l[d]);
	pthread_barrier_wait(&c->opened);
	for (int d = 0; d < DEVICES && !err; d++) {
		err |= ops->write(c->sink, &l[d], c->data->data, c->data->len);
		err |= ops->flush(c->sink, &l[d]);
	}
	for (int d = 0; d < DEVICES && !err; d++)
		err |= ops->close(c->sink, &l[d], cpu);
	return err;
}

struct thread {
	pthread_t id;
	struct client *client;
	unsigned int cpu;
};

static void *run_thread(void *arg)
{
	struct thread *t = arg;

	t->client->errors[t->cpu] = run_cpu(t->client, t->cpu);
	return NULL;
}

static void run_threads(struct client *c)
{
	struct thread threads[CPUS];

	pthread_barrier_init(&c->opened, NULL, CPUS);
	for (unsigned int i = 0; i < CPUS; i++) {
		threads[i] = (struct thread){ .client = c, .cpu = i };
		assert_int_equal(pthread_create(&threads[i].id, NULL,
						run_thread, &threads[i]), 0);
	}
	for (int i = 0; i < CPUS; i++)
		pthread_join(threads[i].id, NULL);
	pthread_barrier_destroy(&c->opened);
	c->sink->ops->free(c->sink);
}

/* --- good servers --------------------------------------------------------- */

static void check_run_by(bool per_device, struct tls *ours, struct tls *theirs)
{
	struct bytes *data = bytes_new();
	struct client c;
	struct host h;

	for (uint32_t i = 0; i < 2000; i++)
		add_simple(data, i);
	host_start(&h, theirs);
	client_start_by(&c, h.port, per_device, ours);
	c.data = data;
	run_threads(&c);
	for (int i = 0; i < CPUS; i++)
		assert_int_equal(c.errors[i], 0);
	assert_int_equal(host_stop(&h, SIGTERM), 0);
	/* eight files in one directory, all alike and as long as the data */
	assert_true(host_has(&h, "test $(ls */*.blktrace.* | wc -l) = 8"));
	assert_true(host_has(&h, "test $(cat */* | wc -c) = 768000"));
	assert_true(host_has(&h, "test $(sha1sum */* | cut -c-40 | sort -u |"
			     " wc -l) = 1"));
	assert_true(host_has(&h, "rm -r ../${PWD##*/}"));
	free(data);
}

static void check_runs(struct tls *ours, struct tls *theirs)
{
	check_run_by(false, ours, theirs);
	check_run_by(true, ours, theirs);
}

static void test_layouts(void **state)
{
	(void)state;
	check_runs(NULL, NULL);
}

/* a check of a conversation inside TLS */
static void inside_tls(void (*check)(struct tls *ours, struct tls *theirs))
{
	struct tls *ours, *theirs;

	if (!tls_built())
		skip();
	ours = make_tls(false);
	theirs = make_tls(true);
	check(ours, theirs);
	tls_free(ours);
	tls_free(theirs);
}

/* all threads use the same keys at once */
static void test_tls(void **state)
{
	(void)state;
	inside_tls(check_runs);
}

static struct run_cards *make_cards(void)
{
	const struct run_cards_options o = {
		.program = "blktrace test", .via = "relay", .reporter = &keeper,
	};
	struct run_cards *cards;

	assert_int_equal(run_cards_new(&cards, &o), 0);
	/* no machine has them */
	for (unsigned int d = 0; d < DEVICES; d++)
		assert_int_equal(run_cards_add(cards, names[d],
					       makedev(4095, d)), 0);
	return cards;
}

/* a run of one CPU with what has to be done while it lasts */
static void check_cards(struct tls *ours, struct tls *theirs)
{
	struct run_cards *cards = make_cards();
	struct net_cards *sent;
	struct sink_lane *l;
	struct client c;
	struct host h;

	host_start(&h, theirs);
	client_start_by(&c, h.port, false, ours);
	l = &c.lanes[1][0];
	assert_int_equal(c.sink->ops->open(c.sink, l), 0);
	sent = net_cards_begin(c.sink, cards, &keeper);
	assert_true(!sent == !ours);
	check_reports(ours ? "" : "127.0.0.1 does not take the card:"
		      " Connection reset by peer; the trace is sent\n");
	/* an answer of the second says that the first has come */
	assert_true(!ours || host_has(&h, "grep -q '^{.schema.:1,.*}$'"
				      " */sda.blktrace.json"));
	assert_int_equal(c.sink->ops->write(c.sink, l, "records", 7), 0);
	assert_int_equal(c.sink->ops->close(c.sink, l, 0), 0);
	net_cards_end(sent);
	check_reports("");
	c.sink->ops->free(c.sink);
	assert_int_equal(host_stop(&h, SIGTERM), 0);
	assert_true(host_has(&h, "grep -q records */sda.blktrace.1"));
	assert_true(!ours || host_has(&h, "test $(grep -l '\"end\":' */*.json |"
				      " wc -l) = 2"));
	assert_true(ours || host_has(&h, "test $(ls */*.json | wc -l) = 0"));
	assert_true(host_has(&h, "rm -r ../${PWD##*/}"));
	run_cards_free(cards);
}

static void test_cards(void **state)
{
	(void)state;
	inside_tls(check_cards);
}

/* as with one inside TLS that is older than cards: the trace is sent */
static void test_untaken_cards(void **state)
{
	(void)state;
	check_cards(NULL, NULL);
}

/* a server without it is sent nothing: its handshake is no conversation */
static void test_no_tls(void **state)
{
	struct tls *ours;
	struct client c;
	struct host h;

	(void)state;
	if (!tls_built())
		skip();
	ours = make_tls(false);
	host_start(&h, NULL);
	client_start_by(&c, h.port, false, ours);
	assert_true(c.sink->ops->open(c.sink, &c.lanes[0][0]) < 0);
	c.sink->ops->free(c.sink);
	assert_int_equal(host_stop(&h, SIGTERM), 0);
	assert_true(host_has(&h, "test -z \"$(ls)\""));
	assert_true(host_has(&h, "rm -r ../${PWD##*/}"));
	tls_free(ours);
}

static void test_host(void **state)
{
	struct client c;

	(void)state;
	client_start(&c, "1", false);
	assert_string_equal(sink_net_host(c.sink), "127.0.0.1");
	c.sink->ops->free(c.sink);
}

/* --- bad ones ------------------------------------------------------------- */

static void test_refused(void **state)
{
	struct client c;
	char port[PORT_TEXT];

	(void)state;
	free_port(port);
	client_start(&c, port, false);
	assert_int_equal(c.sink->ops->open(c.sink, &c.lanes[0][0]),
			 -ECONNREFUSED);
	check_reports("Connection to 127.0.0.1 refused, perhaps the server is"
		      " not started?\n");
	c.sink->ops->free(c.sink);
}

/* a server that is killed is missed while there is nothing to send, too */
static void test_killed(void **state)
{
	struct sink_lane *l;
	struct client c;
	struct host h;

	(void)state;
	host_start(&h, NULL);
	client_start(&c, h.port, true);
	l = c.lanes[0];
	for (int d = 0; d < DEVICES; d++)
		assert_int_equal(c.sink->ops->open(c.sink, &l[d]), 0);
	assert_int_equal(c.sink->ops->flush(c.sink, &l[0]), 0);
	host_stop(&h, SIGKILL);
	assert_true(c.sink->ops->flush(c.sink, &l[0]) < 0);
	assert_true(c.sink->ops->write(c.sink, &l[0], "x", 1) < 0);
	assert_true(c.sink->ops->close(c.sink, &l[0], 0) < 0);
	assert_true(c.sink->ops->close(c.sink, &l[1], 0) < 0);
	c.sink->ops->free(c.sink);
	assert_true(host_has(&h, "rm -r ../${PWD##*/}"));
}

static time_t seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* who takes connections and never says a word */
static void test_silent(void **state)
{
	time_t begun = seconds();
	struct client c;
	char port[PORT_TEXT];
	int fd = listen_here(port);

	(void)state;
	client_start(&c, port, false);
	assert_int_equal(c.sink->ops->open(c.sink, &c.lanes[0][0]),
			 -ETIMEDOUT);
	assert_true(seconds() - begun <= PATIENCE);
	check_reports("127.0.0.1: the server does not answer\n");
	c.sink->ops->free(c.sink);
	close(fd);
}

/* someone else's server, which takes one connection and one header */
struct other {
	int fd;
	const void *answer;	/* NET_HEADER bytes */
	pthread_t thread;
};

/* after its answer it reads no more, and keeps the connection */
static void *answer_one(void *arg)
{
	struct other *o = arg;
	int peer = accept(o->fd, NULL, NULL);
	uint8_t raw[NET_HEADER];

	if (recv(peer, raw, sizeof(raw), MSG_WAITALL) == sizeof(raw))
		send(peer, o->answer, NET_HEADER, 0);
	return NULL;
}

static void other_start(struct other *o, const void *answer,
			char port[PORT_TEXT])
{
	o->fd = listen_here(port);
	o->answer = answer;
	assert_int_equal(pthread_create(&o->thread, NULL, answer_one, o), 0);
}

static void other_end(struct other *o)
{
	pthread_join(o->thread, NULL);
	close(o->fd);
}

/* after *stop, a server that takes nothing is not waited for long */
static void test_stalled(void **state)
{
	static const uint8_t zeros[1 << 20];
	struct net_header h = { .name = "x", .max_cpus = 1, .len = NET_ANSWER };
	time_t begun = seconds();
	uint8_t raw[NET_HEADER];
	struct client c;
	struct other o;
	char port[PORT_TEXT];
	int err = 0;

	(void)state;
	net_encode(&h, raw);
	other_start(&o, raw, port);
	client_start(&c, port, false);
	assert_int_equal(c.sink->ops->open(c.sink, &c.lanes[0][0]), 0);
	c.stop = 1;
	while (!err)
		err = c.sink->ops->write(c.sink, &c.lanes[0][0], zeros,
					 sizeof(zeros));
	assert_int_equal(err, -ETIMEDOUT);
	assert_int_equal(c.sink->ops->close(c.sink, &c.lanes[0][0], 0),
			 -ETIMEDOUT);
	assert_true(seconds() - begun <= PATIENCE + 1);
	c.sink->ops->free(c.sink);
	other_end(&o);
}

/* what is no blktrace server is not sent a trace */
static void test_nonsense(void **state)
{
	static const char nonsense[NET_HEADER] = "HTTP/1.0 400 Bad Request";
	struct client c;
	struct other o;
	char port[PORT_TEXT];

	(void)state;
	other_start(&o, nonsense, port);
	client_start(&c, port, false);
	assert_int_equal(c.sink->ops->open(c.sink, &c.lanes[0][0]), -EPROTO);
	check_reports("127.0.0.1: not a blktrace server\n");
	c.sink->ops->free(c.sink);
	other_end(&o);
}

/* names that cannot be sent, CPUs that are not */
static void test_bounds(void **state)
{
	struct sink_lane bad[] = {
		{ .name = "a/b" }, { .name = "" },
		{ .name = "sda", .cpu = CPUS },
		{ .name = "0123456789012345678901234567890x" },
	};
	struct client c;

	(void)state;
	client_start(&c, "1", false);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(c.sink->ops->open(c.sink, &bad[i]), -EINVAL);
	c.sink->ops->free(c.sink);
}

/* a name is not waited for when it is time to end */
static void test_no_name(void **state)
{
	atomic_bool stop = 1;
	struct sink_net_options o = { .host = "no-such-host.invalid",
				      .port = "1", .max_cpus = 1,
				      .stop = &stop };
	time_t begun = seconds();

	(void)state;
	assert_null(sink_net_new(&o));
	assert_true(seconds() - begun <= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_tls),
		cmocka_unit_test(test_no_tls),
		cmocka_unit_test(test_cards),
		cmocka_unit_test(test_untaken_cards),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_stalled),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
