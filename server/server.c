/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop of the server; see server.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/time.h"
#include "server/clients.h"
#include "server/poller.h"
#include "server/report.h"
#include "server/rights.h"
#include "server/runs.h"
#include "server/server.h"
#include "server/status.h"
#include "server/store.h"
#include "server/syncer.h"
#include "server/tokens.h"
#include "transport/tls.h"

enum {
	/* ms without accepting, out of descriptors or memory */
	PAUSE_MS = 200,

	ACCEPT_MAX = 64,	/* connections of a listener at a time */

	LAST_MS = 1000,		/* reading data that came before the stop */
	FILES_MAX = 1 << 16,	/* kept open for writing */
	FDS_MAX = 1 << 20,	/* if the limit is higher */
	RESERVED_FDS = 32,	/* for anything else */
};

struct server {
	const struct server_options *o;
	struct server_access access;
	struct poller poller;
	struct report report;
	struct store *store;
	struct tokens *tokens;
	struct runs *runs;
	struct syncer syncer;	/* with durable */
	struct listeners listeners;
	struct clients clients;
	struct retention *retention;	/* NULL: all runs are kept */
	int64_t paused_until;	/* the listeners; 0: not paused */
	int64_t status_at;	/* when the status is due, in ms */
	int status_error;	/* of the last writing */
	int output;		/* watched for writing, or -1 */
};

/* --- new connections ------------------------------------------------------ */

/* Watches listeners, or not; the poller reports their addresses in *s. */
static int watch_listeners(struct server *s, bool on)
{
	int err = 0;

	for (unsigned int i = 0; i < s->listeners.count; i++) {
		int *fd = &s->listeners.fds[i];

		if (on && !err)
			err = poller_add(&s->poller, *fd, fd);
		else
			poller_remove(&s->poller, *fd);
	}
	return err;
}

static void pause_listeners(struct server *s)
{
	s->paused_until = time_now_ms() + PAUSE_MS;
	watch_listeners(s, false);
}

/* Tries again later if it fails. */
static void resume_listeners(struct server *s)
{
	if (!s->paused_until || time_now_ms() < s->paused_until)
		return;
	s->paused_until = 0;
	if (watch_listeners(s, true))
		pause_listeners(s);
}

/* Why the peer is refused, or NULL. */
static const char *refusal(struct server *s, const struct sockaddr *peer,
			   const char *sender)
{
	if (!server_net_match(s->access.allow, s->access.allow_count, peer))
		return "not allowed to send";
	if (!clients_make_room(&s->clients, sender))
		return "too many connections";
	return NULL;
}

/* A socket of the service manager may be for both families: an IPv4 address is
 * mapped into IPv6 then, which no network of --allow has. */
static void unmap(struct sockaddr_storage *peer, socklen_t *len)
{
	const struct sockaddr_in6 six = *(const struct sockaddr_in6 *)peer;
	struct sockaddr_in *four = (struct sockaddr_in *)peer;

	if (six.sin6_family != AF_INET6 ||
	    !IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
		return;
	*four = (struct sockaddr_in){ .sin_family = AF_INET,
				      .sin_port = six.sin6_port };
	memcpy(&four->sin_addr, six.sin6_addr.s6_addr + 12,
	       sizeof(four->sin_addr));
	*len = sizeof(*four);
}

/* Accepts the next connection of a listener; false: none. */
static bool accept_one(struct server *s, int listener)
{
	struct sockaddr_storage peer;
	struct sockaddr *addr = (struct sockaddr *)&peer;
	socklen_t len = sizeof(peer);
	char host[SENDER_NAME] = "", sender[SENDER_NAME];
	const char *why;
	int fd = accept4(listener, addr, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) {
		/* no descriptors or memory: wait a while */
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			pause_listeners(s);
		return errno == ECONNABORTED || errno == EINTR;
	}
	unmap(&peer, &len);
	if (getnameinfo(addr, len, host, sizeof(host), NULL, 0,
			NI_NUMERICHOST))
		strcpy(host, "unknown");
	sender_of_peer(sender, addr, host);
	why = refusal(s, addr, sender);
	if (!why) {
		clients_add(&s->clients, fd, sender, host);
		return true;
	}
	s->clients.refused++;
	report_warn(&s->report, "%s: %s; connection dropped", host, why);
	close(fd);
	return true;
}

static void accept_some(struct server *s, int listener)
{
	int n = 0;

	while (n < ACCEPT_MAX && accept_one(s, listener))
		n++;
}

/* --- the loop ------------------------------------------------------------- */

/* Watches standard output only while lines wait.  A file cannot be watched, and
 * takes all. */
static void watch_output(struct server *s)
{
	int fd = spool_fd(&s->report.out);

	if (fd == s->output)
		return;
	if (s->output >= 0)
		poller_remove(&s->poller, s->output);
	s->output = fd >= 0 && poller_add_output(&s->poller, fd, &s->output) ?
		    -1 : fd;
}

/* Runs that are no longer kept; true: there is more to do at once. */
static bool tidy_up(struct server *s)
{
	time_t steady = (time_t)(time_now() / NS_PER_SECOND);

	tokens_tidy(s->tokens, steady);
	return s->retention && retention_step(s->retention, time(NULL), steady);
}

/* Reports a failure once, not each time. */
static void write_status(struct server *s)
{
	struct status now = {
		.connections = s->clients.count, .runs = runs_count(s->runs),
		.refused = s->clients.refused,
		.senders = &s->clients.senders, .now = time_now_ms(),
	};
	int err;

	if (!s->o->status || now.now < s->status_at)
		return;
	s->status_at = now.now + STATUS_MS;
	if (s->retention)
		now.removed_runs = retention_removed(s->retention,
						     &now.removed_bytes);
	err = status_write(&now, s->o->opener, s->o->status);
	if (err && err != s->status_error)
		report_warn(&s->report, "server: %s: %s", s->o->status,
			    strerror(-err));
	s->status_error = err;
}

/* ms to the first deadline; -1: none. */
static int64_t time_left(const struct server *s)
{
	int64_t due = clients_deadline(&s->clients), left;

	if (due > runs_deadline(s->runs))
		due = runs_deadline(s->runs);
	if (s->retention && due > time_now_ms() + 1000)
		due = time_now_ms() + 1000;
	if (s->o->status && due > s->status_at)
		due = s->status_at;
	if (s->o->alive && due > time_now_ms() + s->o->alive_ms)
		due = time_now_ms() + s->o->alive_ms;
	if (s->paused_until && s->paused_until < due)
		due = s->paused_until;
	if (s->report.left_out && due == INT64_MAX)
		return 1000;
	if (due == INT64_MAX)
		return -1;
	left = due - time_now_ms();
	return left > 0 ? left : 0;
}

static bool is_listener(const struct server *s, const void *what)
{
	const int *fds = s->listeners.fds;

	for (unsigned int i = 0; i < s->listeners.count; i++)
		if (what == fds + i)
			return true;
	return false;
}

/* Reads ready connections, another one first each time, as the first ones may
 * use up all of their sender's turn; returns a bit for each ready listener. */
static unsigned int read_ready(struct server *s, int n)
{
	unsigned int listeners = 0;

	clients_round(&s->clients);
	for (int i = 0; i < n; i++) {
		int at = (int)((s->clients.round + (uint64_t)i) % (uint64_t)n);
		void *what = poller_ready(&s->poller, at);

		if (is_listener(s, what))
			listeners |= 1u << ((int *)what - s->listeners.fds);
		else if (what == &s->syncer)
			clients_synced(&s->clients);
		else if (what != &s->output)
			clients_serve(&s->clients, what);
	}
	clients_sync(&s->clients);
	return listeners;
}

/* Accepts last, as a new connection may drop one that is ready. */
static void serve(struct server *s, int n)
{
	unsigned int ready = read_ready(s, n);

	for (unsigned int i = 0; i < s->listeners.count; i++)
		if (ready >> i & 1)
			accept_some(s, s->listeners.fds[i]);
}

/* Lets signals that are pending set *stop: where sockets are always ready, the
 * poller returns them and never a signal. */
static void take_signals(const sigset_t *mask)
{
	sigset_t held;

	sigprocmask(SIG_SETMASK, mask, &held);
	sigprocmask(SIG_SETMASK, &held, NULL);
}

/* Reads who may send anew; a mistake in a file changes nothing. */
static void renew_access(struct server *s)
{
	struct server_access new = { 0 };
	char why[SERVER_WHY];

	if (s->o->read_access(s->o->ctx, &new, why)) {
		report_warn(&s->report, "server: SIGHUP: %s; what was read"
			    " before stays in force", why);
		return;
	}
	clients_use(&s->clients, new.tls);
	server_access_free(&s->access);
	s->access = new;
	report_warn(&s->report, "server: SIGHUP: keys and networks have been"
		    " read anew");
}

/* Unblocks signals only while it sleeps and once in a round, so that none comes
 * between the test of *stop and the sleep. */
static void serve_until_stopped(struct server *s, const sigset_t *mask)
{
	while (!*s->o->stop) {
		bool more = tidy_up(s);
		int n;

		if (s->o->alive)
			s->o->alive(s->o->ctx);
		write_status(s);
		watch_output(s);
		n = poller_wait(&s->poller, more ? 0 : time_left(s), mask);
		resume_listeners(s);
		if (n > 0)
			serve(s, n);
		else
			clients_round(&s->clients);
		runs_put_due(s->runs);
		clients_end_overdue(&s->clients);
		clients_sync(&s->clients);
		if (s->report.left_out && n == 0)
			report_flush(&s->report);
		spool_write(&s->report.out);
		if (n > 0)
			take_signals(mask);
		if (s->o->renew && atomic_exchange(s->o->renew, false))
			renew_access(s);
	}
}

/* Data that arrived before the stop is stored; a sender that never pauses has its
 * share of LAST_MS. */
static void read_the_rest(struct server *s)
{
	int64_t until = time_now_ms() + LAST_MS;
	int n;

	watch_listeners(s, false);
	while (time_now_ms() < until &&
	       (n = poller_wait(&s->poller, 0, NULL)) > 0)
		read_ready(s, n);
}

/* --- begin and end -------------------------------------------------------- */

/* Limits connections, runs and files. */
static unsigned int descriptors(void)
{
	unsigned long limit = limit_open_files();

	if (limit < 2 * RESERVED_FDS)
		return RESERVED_FDS;
	if (limit > FDS_MAX)
		return FDS_MAX;
	return (unsigned int)limit - RESERVED_FDS;
}

static int open_clients(struct server *s, size_t max)
{
	const struct clients_options o = {
		.poller = &s->poller, .report = &s->report, .runs = s->runs,
		.tls = s->access.tls,
		.syncer = s->o->durable ? &s->syncer : NULL,
		.max = max, .idle = s->o->idle,
	};

	return clients_open(&s->clients, &o);
}

/* An eighth of the descriptors is for files, a quarter for directories. */
static int open_store(struct server *s)
{
	unsigned int fds = descriptors(), runs = fds / 4;
	unsigned int files = fds / 8 < FILES_MAX ? fds / 8 : FILES_MAX;
	struct store_options so = { s->o->directory, s->o->max_bytes, files };
	struct sender_limits each = s->o->each;
	int err = store_new(&s->store, &so);

	if (err) {
		report_warn(&s->report, "server: %s: %s", s->o->directory,
			    strerror(-err));
		return -1;
	}
	/* where no limit was set, no sender has all of what there is */
	if (!each.runs && !s->o->max_clients)
		each.runs = runs - runs / 4;
	if (s->o->max_clients && s->o->max_clients < runs)
		runs = s->o->max_clients;
	s->runs = runs_new(s->store, &s->report, runs);
	if (s->runs)
		runs_limit(s->runs, s->o->max_files, &each);
	if (s->runs && s->o->pack)
		runs_pack(s->runs);
	if (s->runs && !open_clients(s, fds - files - fds / 4))
		return 0;
	report_warn(&s->report, "server: out of memory");
	return -1;
}

/* What lets runs be resumed. */
static int open_tokens(struct server *s)
{
	int dir = store_directory(s->store);
	int err = tokens_open(&s->tokens, dir,
			      (time_t)(time_now() / NS_PER_SECOND));

	if (!err && s->o->durable)
		err = syncer_open(&s->syncer, dir);
	if (!err && s->o->durable)
		err = poller_add(&s->poller, s->syncer.fd, &s->syncer);
	runs_use_tokens(s->runs, s->tokens);
	if (err)
		report_warn(&s->report, "server: %s: %s", s->o->directory,
			    strerror(-err));
	return err;
}

/* Its sender's limits no longer count a run that was removed. */
static void count_removed(void *ctx, const char *host, uint64_t bytes,
			  uint64_t files)
{
	struct server *s = ctx;
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	char name[SENDER_NAME];
	struct sender *sender;

	snprintf(name, sizeof(name), "%s", host);
	if (inet_pton(AF_INET6, host, &six.sin6_addr) == 1)
		sender_of_peer(name, (const struct sockaddr *)&six, host);
	sender = sender_find(&s->clients.senders, name);
	runs_forget(s->runs, sender, bytes, files);
}

static int open_retention(struct server *s)
{
	const struct retention_limits *l = &s->o->keep;
	const struct retention_options o = {
		.store = s->store, .tokens = s->tokens, .report = &s->report,
		.limits = *l, .removed = count_removed, .ctx = s,
	};

	if (!l->age && !l->bytes && !l->free)
		return 0;
	s->retention = retention_new(&o);
	if (s->retention)
		return 0;
	report_warn(&s->report, "server: out of memory");
	return -1;
}

static int open_poller(struct server *s)
{
	int err = poller_open(&s->poller);

	if (err)
		report_warn(&s->report, "server: cannot wait for connections:"
			    " %s", strerror(-err));
	return err;
}

/* Binds, if the service manager has not. */
static const char *get_listeners(struct server *s)
{
	if (!s->o->socket_count)
		return listen_open(&s->listeners, s->o->bind, s->o->port);
	while (s->listeners.count < s->o->socket_count) {
		s->listeners.fds[s->listeners.count] =
			s->o->sockets[s->listeners.count];
		s->listeners.count++;
	}
	return NULL;
}

static int open_listeners(struct server *s)
{
	const char *why = get_listeners(s);
	int err = why ? 0 : watch_listeners(s, true);

	if (!why && !err)
		return 0;
	report_warn(&s->report, "server: cannot listen on %s, port %s: %s",
		    s->o->bind ? s->o->bind : "every address", s->o->port,
		    why ? why : strerror(-err));
	return -1;
}

static int give_up_rights(struct server *s)
{
	const struct rights kept = { s->store, s->tokens, s->retention };
	char why[RIGHTS_WHY];

	/* before the call is given up */
	if (s->o->tell_root && !s->o->user && !geteuid())
		report_warn(&s->report, "server: runs as root, which it need"
			    " not; see --user");
	if (!rights_give_up(&kept, s->o->user, why))
		return 0;
	report_warn(&s->report, "server: %s: %s", s->o->directory, why);
	return -1;
}

static int server_open(struct server *s)
{
	struct buf *out;

	if (report_open(&s->report, STDOUT_FILENO, s->o->reporter,
			s->o->verbose)) {
		report_warn(&s->report, "server: out of memory");
		return -1;
	}
	if (open_poller(s) || open_store(s) || open_tokens(s) ||
	    open_retention(s) || open_listeners(s) || give_up_rights(s))
		return -1;
	if (!s->access.tls && !s->o->bind && !s->access.allow_count)
		report_warn(&s->report, "server: anybody who can connect may"
			    " send; see --psk, --allow, --bind");
	out = report_lines(&s->report, 1);
	if (out)
		buf_printf(out, "server: waiting for connections...\n");
	spool_write(&s->report.out);
	return 0;
}

static int server_close(struct server *s)
{
	listen_close(&s->listeners);
	clients_close(&s->clients);
	syncer_close(&s->syncer);
	retention_free(s->retention);
	runs_free(s->runs);
	tokens_free(s->tokens);
	store_free(s->store);
	poller_close(&s->poller);
	server_access_free(&s->access);
	return report_close(&s->report);
}

void server_access_free(struct server_access *a)
{
	tls_free(a->tls);
	free(a->allow);
	*a = (struct server_access){ 0 };
}

static void report_state(const struct server *s, bool serving)
{
	if (s->o->state)
		s->o->state(s->o->ctx, serving);
}

/* Blocks the signals that set *stop; *before: the old mask. */
static void hold_signals(sigset_t *before)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&held, signals[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

int server_run(const struct server_options *o)
{
	struct server s = { .o = o, .access = o->access, .poller.fd = -1,
			    .syncer.fd = -1, .output = -1 };
	sigset_t mask;
	int failed;

	hold_signals(&mask);
	failed = server_open(&s);
	if (!failed) {
		report_state(&s, true);
		serve_until_stopped(&s, &mask);
		report_state(&s, false);
		read_the_rest(&s);
	}
	if (server_close(&s))
		failed = 1;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return failed ? 1 : 0;
}
