/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture moves records as blktrace does: a capturing thread, a tap, a sink.
 * But what the kernel would hand over is plain files, and all of it is there
 * before the thread begins: so what is counted is the way of the records and
 * no waiting.
 *
 *	capture relay|ftrace ROOT file DIR	to DIR/sda.blktrace.N
 *	capture relay|ftrace ROOT gzip DIR	the same, compressed
 *	capture relay|ftrace ROOT pack DIR	to DIR/sda.btz
 *	capture relay|ftrace ROOT ring		to 1 MiB of memory
 *	capture relay|ftrace ROOT pipe		to standard output
 *	capture relay|ftrace ROOT net HOST PORT	to a server
 *	... psk HOST PORT KEYS IDENTITY	by TLS, with a shared key
 *	... cert HOST PORT CERT KEY CA	by TLS, with a certificate
 *	... spool HOST PORT DIR		to a server, with acknowledgements
 *	... spool-pack HOST PORT DIR	the same, packed
 *	... spool-psk HOST PORT DIR KEYS IDENTITY	the same by TLS
 *
 * ROOT is what debugfs would be, with block/sda/trace0; or tracefs and sysfs in
 * one, with the pipe of CPU 0, or its pages and what is said of them, and the
 * switches of device 8:0.  The number of events moved goes to standard error.
 */
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_cpu.h"
#include "capture/from/relay.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/to/sink_acked.h"
#include "capture/to/sink_file.h"
#include "capture/to/sink_net.h"
#include "capture/to/sink_packed.h"
#include "capture/to/sink_pipe.h"
#include "capture/to/sink_ring.h"
#include "capture/worker.h"
#include "file/segments.h"
#include "transport/tls.h"

/* as blktrace has them by default */
enum { BUF_SIZE = 512 * 1024, BUF_NR = 4, GZIP_LEVEL = 6,
       RING = 1 << 20, SPOOL = 256 << 20 };

static const char *const names[] = { "sda" };

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

/* Any CPU will do for the thread: the files are complete. */
static uint32_t any_cpu(void)
{
	cpu_set_t set;
	uint32_t cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		msg_die("sched_getaffinity:");
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

static _Noreturn void usage(void)
{
	msg_die("usage: capture relay|ftrace ROOT"
		" file DIR | gzip DIR | pack DIR | ring | pipe |"
		" net HOST PORT |"
		" psk HOST PORT KEYS IDENTITY | cert HOST PORT CERT KEY CA |"
		" spool HOST PORT DIR | spool-pack HOST PORT DIR |"
		" spool-psk HOST PORT DIR KEYS IDENTITY");
}

/* --- sinks ---------------------------------------------------------------- */

static struct sink *to_files(char **words, int level)
{
	const struct sink_file_options o = {
		.directory = words[0], .level = level, .reporter = &reporter,
	};
	struct sink *s;

	return sink_file_new(&s, &o) ? NULL : s;
}

static struct sink *to_file(char **words, struct tls **tls)
{
	(void)tls;
	return to_files(words, 0);
}

static struct sink *to_gzip(char **words, struct tls **tls)
{
	(void)tls;
	return to_files(words, GZIP_LEVEL);
}

static struct sink *to_pack(char **words, struct tls **tls)
{
	struct sink_packed_options o = { .file.reporter = &reporter };
	struct sink *s;
	char path[PATH_MAX];

	(void)tls;
	snprintf(path, sizeof(path), "%s/sda" SEGMENT_PACKED, words[0]);
	o.file.path = path;
	return sink_packed_new(&s, &o) ? NULL : s;
}

static void finish_pack(struct sink *s)
{
	if (s->ops->end(s))
		msg_die("cannot end");
}

static struct sink *to_ring(char **words, struct tls **tls)
{
	const struct sink_ring_options o = {
		.size = RING, .lanes = 1, .now = notes_stamp_now,
		.reporter = &reporter };
	struct sink *s;

	(void)words;
	(void)tls;
	return sink_ring_new(&s, &o) ? NULL : s;
}

static struct sink *to_pipe(char **words, struct tls **tls)
{
	(void)words;
	(void)tls;
	return sink_pipe_new(STDOUT_FILENO, &reporter);
}

static const atomic_bool never;

static struct sink_net_options net_options(char **words, struct tls *tls)
{
	return (struct sink_net_options){
		.host = words[0], .port = words[1], .buf_size = BUF_SIZE,
		.buf_nr = BUF_NR, .max_cpus = any_cpu() + 1,
		.stop = &never, .reporter = &reporter, .tls = tls,
	};
}

static struct sink *to_server(char **words, struct tls *tls)
{
	const struct sink_net_options o = net_options(words, tls);

	return sink_net_new(&o);
}

static struct sink *to_net(char **words, struct tls **tls)
{
	return to_server(words, *tls);
}

static struct sink *to_tls(char **words, const struct tls_options *o,
			   struct tls **tls)
{
	char why[TLS_WHY];

	if (tls_new(tls, o, why))
		msg_die("%s", why);
	return to_server(words, *tls);
}

static struct sink *to_psk(char **words, struct tls **tls)
{
	const struct tls_options o = { .psk = words[2], .identity = words[3] };

	return to_tls(words, &o, tls);
}

static struct sink *to_cert(char **words, struct tls **tls)
{
	const struct tls_options o = { .cert = words[2], .key = words[3],
				       .ca = words[4] };

	return to_tls(words, &o, tls);
}

static struct sink *to_acked(char **words, struct tls **tls)
{
	const struct sink_acked_options o = {
		.net = net_options(words, *tls), .spool = words[2],
		.spool_size = SPOOL,
	};

	return sink_acked_new(&o);
}

static struct sink *to_acked_packed(char **words, struct tls **tls)
{
	const struct sink_acked_options o = {
		.net = net_options(words, *tls), .spool = words[2],
		.spool_size = SPOOL, .pack = true,
	};

	return sink_acked_new(&o);
}

static struct sink *to_acked_psk(char **words, struct tls **tls)
{
	const struct tls_options o = { .psk = words[3], .identity = words[4] };
	char why[TLS_WHY];

	if (tls_new(tls, &o, why))
		msg_die("%s", why);
	return to_acked(words, tls);
}

static void begin_acked(struct sink *s)
{
	if (sink_acked_begin(s, NULL))
		msg_die("cannot begin");
}

static void finish_acked(struct sink *s)
{
	if (sink_acked_settle(s, &never) || sink_acked_end(s, &never) ||
	    sink_acked_lost_all(s).bytes)
		msg_die("not all is delivered");
}

struct end {
	const char *name;
	int words;		/* behind the name */
	/* *tls is NULL; what it becomes has to outlive the sink */
	struct sink *(*open)(char **words, struct tls **tls);
	/* once the lanes are open, and after they are closed; or NULL */
	void (*begin)(struct sink *s);
	void (*finish)(struct sink *s);
};

static const struct end ends[] = {
	{ "file", 1, to_file, NULL, NULL },
	{ "gzip", 1, to_gzip, NULL, NULL },
	{ "pack", 1, to_pack, NULL, finish_pack },
	{ "ring", 0, to_ring, NULL, NULL },
	{ "pipe", 0, to_pipe, NULL, NULL },
	{ "net", 2, to_net, NULL, NULL },
	{ "psk", 4, to_psk, NULL, NULL },
	{ "cert", 5, to_cert, NULL, NULL },
	{ "spool", 3, to_acked, begin_acked, finish_acked },
	{ "spool-pack", 3, to_acked_packed, begin_acked, finish_acked },
	{ "spool-psk", 5, to_acked_psk, begin_acked, finish_acked },
};

static const struct end *find_end(int count, char **words)
{
	for (size_t i = 0; count && i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(words[0], ends[i].name) &&
		    count - 1 == ends[i].words)
			return &ends[i];
	usage();
}

/* --- taps ----------------------------------------------------------------- */

static int open_relay(void *place, uint32_t cpu, struct tap **t)
{
	unsigned int which;

	(void)cpu;
	return relay_open(t, place, 0, &which);
}

static int open_ftrace(void *ftrace, uint32_t cpu, struct tap **t)
{
	(void)cpu;
	return ftrace_cpu_open(t, ftrace, 0, false);
}

static struct ftrace *set_ftrace_up(const char *root)
{
	static const uint32_t numbers[] = { BLK_DEVICE(8, 0) };
	const struct ftrace_plan plan = { .tracefs = root, .sysfs = root,
					  .devices = numbers, .count = 1 };
	char why[FTRACE_WHY];
	struct ftrace *f;

	if (ftrace_new(&f, &plan, why))
		msg_die("%s: %s", root, why);
	return f;
}

/* --- the capture ---------------------------------------------------------- */

/* To be stopped at once is to read all there is. */
static void move(const struct workers_options *o, const struct end *end)
{
	uint64_t events, bytes, drops;
	struct workers *w;

	if (workers_start(&w, o))
		msg_die("cannot begin");
	if (end->begin)
		end->begin(o->sink);
	workers_stop(w, time_now());
	if (workers_join(w))
		msg_die("cannot go on");
	workers_sums(w, &events, &bytes, &drops);
	workers_free(w);
	if (end->finish)
		end->finish(o->sink);
	fprintf(stderr, "%" PRIu64 "\n", events);
}

static void move_relay(struct workers_options *o, const struct end *end,
		       char *root)
{
	/* as a real capture has it, though this one is never stopped */
	struct relay_shared shared;
	struct relay_place place = { root, names, 1, &shared };

	relay_shared_init(&shared);
	o->open_tap = open_relay;
	o->ctx = &place;
	move(o, end);
	relay_shared_free(&shared);
}

static void move_ftrace(struct workers_options *o, const struct end *end,
			char *root)
{
	struct ftrace *f = set_ftrace_up(root);
	char why[FTRACE_WHY];

	o->open_tap = open_ftrace;
	o->ctx = f;
	move(o, end);
	if (ftrace_free(f, why))
		msg_die("%s", why);
}

int main(int argc, char **argv)
{
	struct tls *tls = NULL;
	uint32_t cpu = any_cpu();
	struct workers_options o = { .cpus = &cpu, .cpu_count = 1,
				     .names = names, .device_count = 1,
				     .reporter = &reporter };
	const struct end *end;

	if (argc < 4)
		usage();
	end = find_end(argc - 3, argv + 3);
	o.sink = end->open(argv + 4, &tls);
	if (!o.sink)
		msg_die("no sink");
	if (!strcmp(argv[1], "relay"))
		move_relay(&o, end, argv[2]);
	else if (!strcmp(argv[1], "ftrace"))
		move_ftrace(&o, end, argv[2]);
	else
		usage();
	o.sink->ops->free(o.sink);
	tls_free(tls);
	return 0;
}
