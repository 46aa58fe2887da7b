/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkiomon: sizes, latencies and throughput of requests, interval after
 * interval, from the stream of a running blktrace.
 *
 * Takes events from file/stream as they arrive, and puts those that make pairs
 * in order of time (arrivals.h): an event counts for the interval in which it
 * is let go.  One thread does it all: the clock is looked at between reads.
 * Manual: doc/blkiomon.8.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <time.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/set.h"
#include "file/batch.h"
#include "file/hooks.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/record.h"
#include "run/reorder.h"
#include "tools/blkiomon/arrivals.h"
#include "tools/blkiomon/interval.h"
#include "tools/blkiomon/pairs.h"

/* --- options -------------------------------------------------------------- */

/*
 * blkiomon's command line.
 */

/* files to write: "-" is standard output, NULL none */
struct options {
	int interval;		/* seconds, above 0 */
	const char *human;
	const char *binary;
	const char *driver;	/* driver data */
	const char *debug;
	const char *queue;	/* path of the message queue's key, or NULL */
	int queue_id;		/* not 0 with a queue */
	int message_type;	/* above 0 with a queue */
};

static const struct cli_option rows[] = {
	{ "I", "interval", "SECONDS", "how often there is a report; required",
	  .group = "What is reported", .classic = true,
	  CLI_INT(struct options, interval) },

	{ "h", "human-readable", "FILE", "write reports as text",
	  .group = "Where it is written (- is standard output)",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, human) },
	{ "b", "binary", "FILE", "write reports as records",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, binary) },
	{ "d", "dump-lldd", "FILE", "write what device drivers have recorded",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, driver) },
	{ "D", "debug", "FILE",
	  "write events without a counterpart, and counts",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, debug) },

	{ "Q", "msg-queue", "PATH", "send records to the message queue of PATH",
	  .group = "Message queue", .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, queue) },
	{ "q", "msg-queue-id", "ID", "which of the path's queues; not 0",
	  .classic = true, CLI_INT(struct options, queue_id) },
	{ "m", "msg-id", "ID", "the type of the messages; above 0",
	  .classic = true, CLI_INT(struct options, message_type) },
};

static const struct cli_program program = {
	.name = "blkiomon",
	.usage = "-I SECONDS [OPTION]... < TRACE",
	.purpose = "Report sizes, latencies and throughput of requests,"
		   " interval after interval.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.examples =
		"blktrace -a issue -a complete -o - /dev/sda |"
		" blkiomon -I 10 -h -\n"
		"blkiomon -I 60 -b reports < trace\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 8,
	.release = "0.3",	/* 1.3.0: calls its blkiomon so */
	.version_letters = "V",
};

/* fills *o; does not return from mistakes, --help and -V */
static void blkiomon_options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){ .interval = 0 };
	cli_parse(&program, o, argc, argv);
	if (o->interval <= 0)
		cli_usage_error(&program, "-I is required: seconds, 1 or more");
	if (o->queue && (!o->queue_id || o->message_type <= 0))
		msg_die("-Q %s needs the queue's id, not 0, by -q, and a"
			" message id above 0 by -m", o->queue);
}

/* --- queue ---------------------------------------------------------------- */

/*
 * A System V message queue that another program has made and reads.
 */

enum { OWNER_ONLY = 0700 };

/*
 * The queue whose key is made of path and id.  0 and *queue; -EAGAIN while
 * it has not been made yet; or -errno, as when there is no such path.
 */
static int queue_find(int *queue, const char *path, int id)
{
	key_t key = ftok(path, id);

	if (key == -1)
		return -errno;
	*queue = msgget(key, OWNER_ONLY);
	if (*queue >= 0)
		return 0;
	return errno == ENOENT ? -EAGAIN : -errno;
}

/*
 * Sends a record as a message of that type.  While the queue is full it waits,
 * if it may.  0; -EINTR when a signal ends the wait; -EAGAIN when it may not
 * wait; or -errno.
 */
static int queue_send(int queue, long type, const uint8_t raw[REPORT_SIZE],
		      bool may_wait)
{
	struct {
		long type;
		uint8_t raw[REPORT_SIZE];
	} message = { .type = type };

	memcpy(message.raw, raw, REPORT_SIZE);
	return msgsnd(queue, &message, sizeof(message.raw),
		      may_wait ? 0 : IPC_NOWAIT) ? -errno : 0;
}

/* --- blkiomon ------------------------------------------------------------- */

enum {
	WAIT_MAX = 500,		/* ms; a signal just before is seen then */
	QUEUE_RETRY = 100,	/* ms between looks for a queue */
	LOOK = 512,		/* events between looks at the clock */
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* A signal ends the reading; what has been gathered is still reported. */
static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGQUIT, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
}

struct output {
	const char *path;
	FILE *file;		/* NULL: not asked for, or it has failed */
};

struct monitor {
	struct options options;
	struct output human, binary, driver, debug;
	int queue;		/* -1: none */
	struct interval interval;
	struct arrivals *arrivals;
	struct pairs *pairs;
	struct counts counts;
	uint64_t due;		/* ns, when the interval ends */
	uint64_t heard;		/* ns, when the input was last not silent */
	uint64_t ticked;	/* ns, the last tick of the arrivals */
	bool damaged;		/* the input */
	bool crowded;		/* more devices than are believed */
	bool failed;		/* an output */
};

/* --- outputs ------------------------------------------------------------ */

static void open_output(struct output *o, const char *path)
{
	o->path = path;
	if (!path)
		return;
	o->file = strcmp(path, "-") ? fopen(path, "we") : stdout;
	if (!o->file)
		msg_die("could not write to %s: %s", path, strerror(errno));
}

/* What is written goes out; after a failure nothing is written any more. */
static void flush_output(struct monitor *m, struct output *o)
{
	if (!o->file || (!fflush(o->file) && !ferror(o->file)))
		return;
	msg_warn("could not write to %s:", o->path);
	o->file = NULL;
	m->failed = true;
}

static void flush_outputs(struct monitor *m)
{
	flush_output(m, &m->human);
	flush_output(m, &m->binary);
	flush_output(m, &m->driver);
	flush_output(m, &m->debug);
}

/* Waits until the queue has been made, or a signal comes. */
static void find_queue(struct monitor *m)
{
	const struct options *o = &m->options;
	const struct timespec pause =
		time_to_timespec(QUEUE_RETRY * NS_PER_MS);
	bool warned = false;
	int err;

	m->queue = -1;
	if (!o->queue)
		return;
	while ((err = queue_find(&m->queue, o->queue, o->queue_id)) ==
	       -EAGAIN && !stop) {
		if (!warned)
			msg_warn("waiting for the message queue %s, id %d",
				 o->queue, o->queue_id);
		warned = true;
		nanosleep(&pause, NULL);
	}
	if (err && err != -EAGAIN)
		msg_die("no message queue can be found by %s, id %d: %s",
			o->queue, o->queue_id, strerror(-err));
}

static void open_outputs(struct monitor *m)
{
	const struct options *o = &m->options;

	open_output(&m->human, o->human);
	open_output(&m->binary, o->binary);
	open_output(&m->driver, o->driver);
	open_output(&m->debug, o->debug);
	find_queue(m);
}

/* --- intervals ---------------------------------------------------------- */

/* A full queue holds everything up until it is read, or a signal comes. */
static void send_report(struct monitor *m, const uint8_t raw[REPORT_SIZE])
{
	int err = queue_send(m->queue, m->options.message_type, raw, !stop);

	if (!err)
		return;
	msg_warn("could not send to the message queue: %s", strerror(-err));
	m->queue = -1;
	m->failed = true;
}

static void report_device(struct monitor *m, const struct device_sums *a,
			   time_t at)
{
	uint8_t raw[REPORT_SIZE];

	if (m->human.file)
		report_text(m->human.file, a, at);
	report_binary(raw, a, at);
	if (m->binary.file)
		fwrite(raw, sizeof(raw), 1, m->binary.file);
	if (m->queue >= 0)
		send_report(m, raw);
}

/* Ends the interval: the device that was seen last comes first. */
static void report(struct monitor *m)
{
	time_t at = time(NULL);

	for (uint32_t i = m->interval.count; i-- > 0;)
		report_device(m, &m->interval.devices[i], at);
	interval_clear(&m->interval);
	flush_outputs(m);
}

static uint64_t interval(const struct monitor *m)
{
	return (uint64_t)m->options.interval * NS_PER_SECOND;
}

/* Looks at the clock; intervals that nothing was read in are passed over. */
static void check_clock(struct monitor *m)
{
	uint64_t at = time_now();

	if (at < m->due)
		return;
	report(m);
	m->due += (1 + (at - m->due) / interval(m)) * interval(m);
}

/* How long to wait for input, in ms. */
static int wait_time(const struct monitor *m)
{
	uint64_t at = time_now();
	uint64_t ms = m->due > at ? (m->due - at) / NS_PER_MS + 1 : 0;

	return ms < WAIT_MAX ? (int)ms : WAIT_MAX;
}

/* --- events ------------------------------------------------------------- */

static void count_pair(struct monitor *m, const struct pair *p)
{
	int err = interval_add(&m->interval, p->older, p->younger);

	m->counts.matches++;
	if (err == -ENOMEM)
		msg_die("out of memory");
	if (err && !m->crowded) {
		msg_warn("more than %d devices in an interval;"
			 " those beyond are left out", INTERVAL_DEVICES);
		m->crowded = m->damaged = true;
	}
}

static void count_mismatch(struct monitor *m, const struct pair *p)
{
	m->counts.mismatches++;
	if (m->debug.file)
		debug_mismatch(m->debug.file, p);
}

static inline void pair_request(struct monitor *m, const struct seen *s)
{
	struct pair pair;
	int found = pairs_add(m->pairs, s, &pair);

	if (found < 0)
		msg_die("out of memory");
	if (found == PAIR_MATCH)
		count_pair(m, &pair);
	else if (found == PAIR_MISMATCH)
		count_mismatch(m, &pair);
}

/* All that need not be held any longer. */
static void pair_requests(struct monitor *m)
{
	const struct seen *s;

	while ((s = arrivals_next(m->arrivals)))
		pair_request(m, s);
}

/* A place for an event, which is to be filled. */
static inline struct seen *hold(struct monitor *m, uint64_t time,
				uint64_t order, uint32_t cpu)
{
	struct seen *s = arrivals_add(m->arrivals, time, order, cpu);

	if (!s)
		msg_die("out of memory");
	return s;
}

static void take_request(struct monitor *m, const struct event *ev,
			 uint64_t order)
{
	struct seen *s = hold(m, ev->time, order, ev->cpu);

	s->sector = ev->sector;
	s->device = ev->device;
	s->bytes = ev->bytes;
	s->categories = (uint16_t)(ev->action >> 16);
	if (!m->debug.file)
		return;
	((struct seen_whole *)s)->ev = *ev;
	((struct seen_whole *)s)->order = order;
}

/* A copy of the record as it would be on this machine, payload and all. */
static void take_driver_data(struct monitor *m, const struct event *ev)
{
	uint8_t raw[BLK_HEADER_MAX];
	size_t len = record_encode(ev, ev->version, raw);

	m->counts.driver_data++;
	if (!m->driver.file)
		return;
	fwrite(raw, len, 1, m->driver.file);
	fwrite(ev->payload, 1, ev->pdu_len, m->driver.file);
}

enum {
	REQUESTS = BLK_TC_ACT(BLK_TC_ISSUE) | BLK_TC_ACT(BLK_TC_COMPLETE),
	DRIVER_DATA = BLK_TC_ACT(BLK_TC_DRV_DATA),
};

static void take(struct monitor *m, const struct event *ev)
{
	uint64_t order = m->counts.records++;

	if (ev->action & DRIVER_DATA)
		take_driver_data(m, ev);
	else if (ev->action & REQUESTS)
		take_request(m, ev, order);
}

/* As take(), of a record of version 7 that is no driver data, without -D: most
 * traces have mostly records of which only the action is read. */
static inline void take_raw(struct monitor *m, const uint8_t *raw)
{
	uint32_t action = get32(FIELD(raw, action));
	uint64_t order = m->counts.records++;
	struct seen *s;

	if (!(action & REQUESTS))
		return;
	s = hold(m, get64(FIELD(raw, time)), order, get32(FIELD(raw, cpu)));
	s->sector = get64(FIELD(raw, sector));
	s->device = get32(FIELD(raw, device));
	s->bytes = get32(FIELD(raw, bytes));
	s->categories = (uint16_t)(action >> 16);
}

/* The next events of a batch, at most room.  How many it took. */
static unsigned int take_batch(struct monitor *m, struct batch *b,
			       unsigned int room)
{
	unsigned int taken = 0;

	for (; taken < room && batch_has(b); taken++) {
		if (UNLIKELY(get32(FIELD(b->raw, action)) & DRIVER_DATA))
			break;
		take_raw(m, batch_pass(b));
	}
	return taken;
}

/* Notes are numbered with the others; before version 7 there were none. */
static void on_note(void *ctx, const struct event *note)
{
	if (note->version >= BLK_VERSION_7)
		((struct monitor *)ctx)->counts.records++;
}

static void on_damage(void *ctx, const struct damage *d)
{
	((struct monitor *)ctx)->damaged = true;
	inputs_print_damage(d);
}

/* --- the run ------------------------------------------------------------ */

/* After a silence nothing that is held can be late any more. */
static void wait(struct monitor *m, struct source *src)
{
	if (source_wait(src, wait_time(m)))
		m->heard = time_now();
	else if (time_now() - m->heard >= REORDER_SILENCE * NS_PER_MS)
		arrivals_flush(m->arrivals);
}

static void tick(struct monitor *m)
{
	uint64_t at = time_now();

	if (at - m->ticked < ARRIVALS_TICK * NS_PER_MS)
		return;
	m->ticked = at;
	arrivals_tick(m->arrivals);
}

/* Takes an event, and those of its batch, at most room.  How many. */
static unsigned int take_some(struct monitor *m, struct stream *s,
			      const struct event *ev, unsigned int room)
{
	take(m, ev);
	return 1 + take_batch(m, stream_batch(s), room - 1);
}

/* Reads until input ends or a signal comes; src is the stream's own. */
static void run(struct monitor *m, struct stream *s, struct source *src)
{
	unsigned int taken = 0;
	struct event *ev;
	int got;

	m->heard = m->ticked = time_now();
	m->due = m->heard + interval(m);
	while (!stop && (got = stream_next(s, &ev))) {
		if (got == 1)
			taken += take_some(m, s, ev, LOOK - taken);
		else
			wait(m, src);
		if (got != 1 || taken == LOOK) {
			taken %= LOOK;
			tick(m);
			pair_requests(m);
			check_clock(m);
		}
	}
	arrivals_flush(m->arrivals);
	pair_requests(m);
	report(m);
}

static void warn_late(const struct monitor *m)
{
	unsigned long long late = arrivals_late(m->arrivals);

	if (late)
		msg_warn("%llu event%s came later than one that should have"
			 " followed", late, late == 1 ? "" : "s");
}

static void show_leftover(void *ctx, const struct seen *s)
{
	debug_leftover(ctx, s);
}

/* What -D ends with. */
static void end_debug(struct monitor *m)
{
	uint64_t forgotten = pairs_forgotten(m->pairs);

	if (forgotten)
		msg_warn("%llu events had no counterpart among the %d that came"
			 " before or after", (unsigned long long)forgotten,
			 PAIRS_MAX);
	if (!m->debug.file)
		return;
	m->counts.leftovers = pairs_waiting(m->pairs) + forgotten;
	if (pairs_leftovers(m->pairs, m->debug.file, show_leftover))
		msg_die("out of memory");
	debug_counts(m->debug.file, &m->counts);
	flush_output(m, &m->debug);
}

/* The whole of standard input, as one stream of all CPUs. */
static struct stream *open_input(struct monitor *m,
				 const struct hooks *hooks,
				 struct source **src)
{
	struct stream_options o = {
		.name = "standard input",
		.cpu = STREAM_ANY_CPU,
		/* -D numbers records, and notes are counted when read */
		.batch = m->debug.file ? 1 : STREAM_BATCH,
	};
	int err = source_fd(src, STDIN_FILENO);
	struct stream *s;

	if (err)
		msg_die("cannot read standard input: %s", strerror(-err));
	s = stream_new(*src, &o, hooks);
	if (!s)
		msg_die("out of memory");
	m->arrivals = arrivals_new(source_is_live(*src),
				   m->debug.file != NULL);
	if (!m->arrivals)
		msg_die("out of memory");
	return s;
}

int main(int argc, char **argv)
{
	struct monitor m = { .queue = -1 };
	const struct hooks hooks = { &m, on_note, on_damage, hooks_no_added,
				     hooks_no_idle };
	struct source *src;
	struct stream *s;
	bool no_stdin = msg_guard_fds() & 1u << STDIN_FILENO;

	blkiomon_options_parse(&m.options, argc, argv);
	if (no_stdin)
		msg_die("cannot read standard input: it is closed");
	catch_signals();
	open_outputs(&m);
	/* all that it uses is open now */
	confined_enter(&(struct confined){ .files = NULL });
	m.pairs = pairs_new(m.debug.file != NULL);
	if (!m.pairs)
		msg_die("out of memory");
	s = open_input(&m, &hooks, &src);

	run(&m, s, src);
	if (stop) {
		stream_stop(s);
		msg_warn("terminated by signal");
	}
	warn_late(&m);
	end_debug(&m);

	stream_free(s);
	arrivals_free(m.arrivals);
	pairs_free(m.pairs);
	interval_free(&m.interval);
	return m.damaged || m.failed;
}
