/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending to a server; see sink_net.h. */
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/thread.h"
#include "base/time.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/sink.h"
#include "capture/to/sink_net.h"
#include "capture/to/wire.h"
#include "machine/card.h"
#include "net.h"

/* --- resolve -------------------------------------------------------------- */

enum { STEP_NS = 100 * NS_PER_MS };	/* between checks of *stop */

/* A look-up, shared by two threads; the last one frees it. */
struct job {
	pthread_mutex_t lock;
	pthread_cond_t done_now;
	bool done, left;
	char *host, *port;
	struct addrinfo *list;
	int error;		/* of getaddrinfo() */
};

static int look_up(const char *host, const char *port, int flags,
		   struct addrinfo **list)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_CANONNAME | flags };

	return getaddrinfo(host, port, &hints, list);
}

static void job_free(struct job *j)
{
	pthread_mutex_destroy(&j->lock);
	pthread_cond_destroy(&j->done_now);
	free(j->host);
	free(j->port);
	free(j);
}

static struct job *job_new(const char *host, const char *port)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->done_now, NULL);
	j->host = strdup(host);
	j->port = strdup(port);
	if (j->host && j->port)
		return j;
	job_free(j);
	return NULL;
}

static void *job_run(void *arg)
{
	struct job *j = arg;
	bool left;

	j->error = look_up(j->host, j->port, 0, &j->list);
	pthread_mutex_lock(&j->lock);
	j->done = true;
	left = j->left;
	pthread_cond_signal(&j->done_now);
	pthread_mutex_unlock(&j->lock);
	if (left) {
		if (!j->error)
			freeaddrinfo(j->list);
		job_free(j);
	}
	return NULL;
}

static int job_start(struct job *j)
{
	pthread_t thread;
	int err = thread_start(&thread, job_run, j);

	if (!err)
		pthread_detach(thread);
	return err;
}

static struct timespec in_a_moment(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return time_to_timespec(time_of_timespec(&t) + STEP_NS);
}

/* Whether the job is done; if not, its thread frees it. */
static bool job_wait(struct job *j, const atomic_bool *stop)
{
	bool done;

	pthread_mutex_lock(&j->lock);
	while (!j->done && !*stop) {
		struct timespec t = in_a_moment();

		pthread_cond_timedwait(&j->done_now, &j->lock, &t);
	}
	done = j->done;
	j->left = !done;
	pthread_mutex_unlock(&j->lock);
	return done;
}

/* Returns the job's result, and frees it. */
static int job_end(struct job *j, struct addrinfo **list)
{
	int error = j->error;

	*list = j->list;
	job_free(j);
	return error;
}

struct addrinfo *resolve_host(const char *host, const char *port,
			      const atomic_bool *stop, const char **why)
{
	struct addrinfo *list = NULL;
	struct job *j;
	int error;

	*why = NULL;
	/* addresses need no name server */
	if (!look_up(host, port, AI_NUMERICHOST, &list))
		return list;
	j = job_new(host, port);
	if (!j || job_start(j)) {
		if (j)
			job_free(j);
		*why = "out of memory";
		return NULL;
	}
	if (!job_wait(j, stop))
		return NULL;
	error = job_end(j, &list);
	if (!error)
		return list;
	*why = gai_strerror(error);
	return NULL;
}

/* --- sink net ------------------------------------------------------------- */

enum { BLOCK_MIN = 4096 };	/* whatever -b says */

/* A connection and its lanes; only one thread ever uses it. */
struct link {
	struct wire *wire;
	unsigned int lanes;	/* open on it */
	int error;		/* 0; -errno: sends no more */
};

struct sink_net {
	struct sink sink;
	struct sink_net_options o;
	struct addrinfo *list;
	struct wire_options wire;
	atomic_flag reported;	/* one line for all CPUs */
	struct link **links;	/* by CPU, unless per device */
};

static const char *host_of(const struct sink_net *s)
{
	return s->list->ai_canonname ? s->list->ai_canonname : s->o.host;
}

/* Only the first thread to fail reports why. */
static bool is_first(struct sink_net *s)
{
	return !atomic_flag_test_and_set(&s->reported);
}

/* --- reports -------------------------------------------------------------- */

static void report_unconnected(struct sink_net *s, int err, const char *why)
{
	if (err == -EINTR || !is_first(s))
		return;
	if (err == -ECONNREFUSED)
		reporter_write(s->o.reporter, "Connection to %s refused,"
			       " perhaps the server is not started?",
			       host_of(s));
	else
		reporter_write(s->o.reporter, "cannot connect to %s: %s",
			       host_of(s), *why ? why : strerror(-err));
}

static void report_lost(const struct sink_net *s, int err, const char *why)
{
	const char *host = host_of(s);

	if (*why)
		reporter_write(s->o.reporter, "%s: connection lost: %s", host,
			       why);
	else if (err == -ETIMEDOUT)
		reporter_write(s->o.reporter, "%s: the server does not answer",
			       host);
	else if (err == -EPROTO)
		reporter_write(s->o.reporter, "%s: not a blktrace server",
			       host);
	else
		reporter_write(s->o.reporter, "%s: connection lost: %s", host,
			       strerror(-err));
}

/* Keeps the error, so that the connection sends no more. */
static int fail(struct sink_net *s, struct link *k, int err)
{
	if (!err)
		return 0;
	k->error = err;
	if (is_first(s))
		report_lost(s, err, wire_why(k->wire));
	return err;
}

/* --- links ---------------------------------------------------------------- */

/* Where a lane's shared link is kept, or NULL. */
static struct link **shared_link(struct sink_net *s, const struct sink_lane *l)
{
	return s->o.per_device ? NULL : &s->links[l->cpu];
}

static int link_new(struct sink_net *s, struct link **out)
{
	struct link *k = calloc(1, sizeof(*k));
	char why[CONN_WHY];
	int err;

	if (!k)
		return -ENOMEM;
	err = wire_new(&k->wire, &s->wire, why);
	if (err) {
		report_unconnected(s, err, why);
		free(k);
		return err;
	}
	*out = k;
	return 0;
}

static void link_free(struct link *k)
{
	wire_free(k->wire);
	free(k);
}

/* Frees the lane's link if it is the last lane. */
static void link_leave(struct sink_net *s, struct sink_lane *l)
{
	struct link *k = l->out, **place = shared_link(s, l);

	l->out = NULL;
	if (--k->lanes)
		return;
	if (place)
		*place = NULL;
	link_free(k);
}

/* Joins the CPU's link, or makes a new one. */
static int link_join(struct sink_net *s, struct sink_lane *l)
{
	struct link **place = shared_link(s, l), *k = place ? *place : NULL;
	int err = k ? k->error : link_new(s, &k);

	if (err)
		return err;
	if (place)
		*place = k;
	k->lanes++;
	l->out = k;
	return 0;
}

/* --- the sink ------------------------------------------------------------- */

bool sink_net_can_send(const struct sink_net_options *o,
		       const struct sink_lane *l)
{
	if (l->cpu < o->max_cpus && strlen(l->name) < NET_NAME &&
	    net_name_valid(l->name))
		return true;
	reporter_write(o->reporter, "%s, CPU %u: cannot be sent over the"
		       " network", l->name, l->cpu);
	return false;
}

/* A header about a device, with cpu and len 0. */
static void sink_net_header(const struct sink *base, const char *name,
			    struct net_header *h)
{
	const struct sink_net *s = (const struct sink_net *)base;

	*h = (struct net_header){
		.max_cpus = s->o.max_cpus, .run = (uint32_t)getpid(),
		.buf_size = s->o.buf_size, .buf_nr = s->o.buf_nr,
		.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
	};
	/* sink_net_can_send() has checked the length */
	memcpy(h->name, name, strnlen(name, NET_NAME - 1));
}

static struct net_header header_of(const struct sink_net *s,
				   const struct sink_lane *l)
{
	struct net_header h;

	sink_net_header(&s->sink, l->name, &h);
	h.cpu = l->cpu;
	return h;
}

static int net_open(struct sink *base, struct sink_lane *l)
{
	struct sink_net *s = (struct sink_net *)base;
	struct net_header h;
	struct link *k;
	int err;

	if (!sink_net_can_send(&s->o, l))
		return -EINVAL;
	err = link_join(s, l);
	if (err)
		return err;
	h = header_of(s, l);
	h.len = NET_OPEN;
	k = l->out;
	err = fail(s, k, wire_ask(k->wire, &h));
	if (err)
		link_leave(s, l);
	return err;
}

static int net_write(struct sink *base, struct sink_lane *l,
		     const void *records, size_t len)
{
	struct sink_net *s = (struct sink_net *)base;
	size_t max = s->o.buf_size > BLOCK_MIN ? s->o.buf_size : BLOCK_MIN;
	struct net_header h = header_of(s, l);
	const uint8_t *p = records;
	struct link *k = l->out;

	while (len && !k->error) {
		size_t n = net_chunk(len, max);

		fail(s, k, wire_send(k->wire, &h, p, n));
		p += n;
		len -= n;
	}
	return k->error;
}

/* Holds nothing back, but notices a server that has gone. */
static int net_flush(struct sink *base, struct sink_lane *l)
{
	struct sink_net *s = (struct sink_net *)base;
	struct link *k = l->out;

	return k->error ? k->error : fail(s, k, wire_probe(k->wire));
}

static int net_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct sink_net *s = (struct sink_net *)base;
	struct net_header h = header_of(s, l);
	struct link *k = l->out;
	int err = k->error;

	h.len = NET_CLOSE;
	h.cpu = drops < UINT32_MAX ? (uint32_t)drops : UINT32_MAX;
	if (!err)
		err = fail(s, k, wire_ask(k->wire, &h));
	link_leave(s, l);
	return err;
}

/* Drops connections with open lanes. */
static void net_free(struct sink *base)
{
	struct sink_net *s = (struct sink_net *)base;

	for (uint32_t i = 0; s->links && i < s->o.max_cpus; i++)
		if (s->links[i])
			link_free(s->links[i]);
	free(s->links);
	freeaddrinfo(s->list);
	free(s);
}

static const struct sink_ops net_ops = {
	.open = net_open,
	.write = net_write,
	.flush = net_flush,
	.close = net_close,
	.free = net_free,
};

struct addrinfo *sink_net_resolve(const struct sink_net_options *o)
{
	const char *why;
	struct addrinfo *list = resolve_host(o->host, o->port, o->stop, &why);

	if (why)
		reporter_write(o->reporter, "Host %s not found: %s", o->host,
			       why);
	return list;
}

struct sink *sink_net_new(const struct sink_net_options *o)
{
	struct addrinfo *list = sink_net_resolve(o);
	struct sink_net *s;

	if (!list)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (s)
		s->links = calloc(o->max_cpus, sizeof(struct link *));
	if (!s || !s->links) {
		reporter_write(o->reporter, "out of memory");
		freeaddrinfo(list);
		free(s);
		return NULL;
	}
	s->sink.ops = &net_ops;
	s->o = *o;
	s->list = list;
	s->wire = (struct wire_options){ list, o->host, o->tls, o->stop };
	atomic_flag_clear(&s->reported);
	return &s->sink;
}

const char *sink_net_host(const struct sink *s)
{
	return host_of((const struct sink_net *)s);
}

/* Its connections' options, valid as long as s. */
static const struct wire_options *sink_net_wire(const struct sink *s)
{
	return &((const struct sink_net *)s)->wire;
}

/* --- net cards ------------------------------------------------------------ */

_Static_assert(NET_CARD_MAX == CARD_BYTES, "a server takes all that we write");

struct net_cards {
	struct wire *wire;
	const struct sink *sink;
	const struct run_cards *cards;
	const struct capture_reporter *reporter;
};

static struct net_header net_cards_header_of(const struct net_cards *n,
				   unsigned int device)
{
	struct net_header h;

	sink_net_header(n->sink, run_cards_name(n->cards, device), &h);
	h.cpu = NET_CPU_CARD;
	return h;
}

/* --- one card --------------------------------------------------------------
 * */

static int send_card(struct net_cards *n, unsigned int device, bool complete)
{
	struct net_header h = net_cards_header_of(n, device);
	struct buf b;
	int err = run_cards_text(n->cards, device, complete, &b);

	if (err)
		return err;
	err = wire_send(n->wire, &h, b.data, b.len);
	buf_free(&b);
	return err;
}

static int open_card(struct net_cards *n, unsigned int device)
{
	struct net_header h = net_cards_header_of(n, device);
	int err;

	h.len = NET_OPEN;
	err = wire_ask(n->wire, &h);
	return err ? err : send_card(n, device, false);
}

static int close_card(struct net_cards *n, unsigned int device)
{
	struct net_header h = net_cards_header_of(n, device);
	int err = send_card(n, device, true);

	h.len = NET_CLOSE;
	/* a card has no drops */
	h.cpu = 0;
	return err ? err : wire_ask(n->wire, &h);
}

/* --- all of them -----------------------------------------------------------
 * */

static int each(struct net_cards *n,
		int (*step)(struct net_cards *n, unsigned int device))
{
	int err = 0;

	for (unsigned int i = 0; !err && run_cards_name(n->cards, i); i++)
		err = step(n, i);
	return err;
}

static void report(const struct net_cards *n, int err, const char *why)
{
	if (err != -EINTR)
		reporter_write(n->reporter, "%s does not take the card: %s;"
			       " the trace is sent", sink_net_host(n->sink),
			       *why ? why : strerror(-err));
}

static int start(struct net_cards *n)
{
	char why[CONN_WHY];
	int err = wire_new(&n->wire, sink_net_wire(n->sink), why);

	if (!err) {
		err = each(n, open_card);
		strcpy(why, wire_why(n->wire));
	}
	if (err)
		report(n, err, why);
	return err;
}

struct net_cards *net_cards_begin(const struct sink *s,
				  const struct run_cards *c,
				  const struct capture_reporter *r)
{
	struct net_cards *n = calloc(1, sizeof(*n));

	if (!n) {
		reporter_write(r, "out of memory: no card is sent");
		return NULL;
	}
	*n = (struct net_cards){ .sink = s, .cards = c, .reporter = r };
	if (!start(n))
		return n;
	net_cards_free(n);
	return NULL;
}

void net_cards_end(struct net_cards *n)
{
	int err = n ? each(n, close_card) : 0;

	if (err)
		report(n, err, wire_why(n->wire));
	net_cards_free(n);
}

void net_cards_free(struct net_cards *n)
{
	if (n)
		wire_free(n->wire);
	free(n);
}
