/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands except --check and a capture; see commands.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/msg.h"
#include "base/text.h"
#include "blktrace.h"
#include "capture/blkdev.h"
#include "capture/doctor.h"
#include "capture/from/ftrace.h"
#include "capture/kernel.h"
#include "capture/mark_port.h"
#include "capture/mark_queue.h"
#include "capture/reporter.h"
#include "capture/totals.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "emit/machine_words.h"
#include "file/location.h"
#include "file/shelf.h"
#include "machine/card.h"
#include "run/cards.h"
#include "run/marks.h"
#include "server/poller.h"
#include "server/report.h"
#include "server/server.h"
#include "tools/blktrace/commands.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/notify.h"
#include "tools/blktrace/options.h"
#include "transport/tls.h"

/* --- kill ----------------------------------------------------------------- */

static int fail(const struct options *o, const char *path, enum stage stage,
		int err)
{
	const struct patient p = { .path = path, .debugfs = o->debugfs,
				   .why = "" };
	char text[DOCTOR_TEXT];

	doctor_explain(text, &p, stage, -err);
	msg_warn("%s", text);
	return err;
}

/* Restores tracefs' settings; -ENOENT: no tracer of ours. */
static int put_back(uint32_t number)
{
	char tracefs[FTRACE_PATH], why[FTRACE_WHY] = "";
	const struct ftrace_plan plan = { .tracefs = tracefs,
					  .devices = &number, .count = 1 };
	int err = ftrace_find(tracefs);

	if (!err)
		err = ftrace_kill(&plan, why);
	/* a running capture's, or another tracer's, stay */
	if (err && err != -ENOENT && err != -EBUSY && *why)
		msg_warn("cannot restore all of tracefs' settings: %s", why);
	return err;
}

/* First the tracer, which the ioctl that ends a trace of either way leaves. */
static int end_one(const struct options *o, const char *path)
{
	struct kernel_trace t;
	struct stat st;
	int err = kernel_open(&t, path), by_ftrace;

	if (!err && fstat(t.fd, &st))
		err = -errno;
	if (!err && !S_ISBLK(st.st_mode))
		err = -ENOTBLK;
	if (err) {
		kernel_close(&t);
		return fail(o, path, STAGE_OPEN, err);
	}
	by_ftrace = put_back(BLK_DEVICE(major(st.st_rdev),
					minor(st.st_rdev)));
	err = kernel_kill(&t);
	kernel_close(&t);
	if (err == -EINVAL && !by_ftrace)
		return 0;
	return err ? fail(o, path, STAGE_KILL, err) : 0;
}

int kill_leftovers(const struct options *o)
{
	int failed = 0;

	for (int i = 0; i < o->device_count; i++)
		failed |= end_one(o, o->devices[i]) != 0;
	return failed;
}

/* --- mark ----------------------------------------------------------------- */

/*
 * The kernel writes marks into traces by relay files, by any program, through
 * debugfs' block/NAME/msg.  Into other traces a running blktrace writes them;
 * no trace has both.
 *
 * Without the category notify in a trace's mask, the kernel takes a mark and
 * writes nothing: such a file does not count.
 */

/* --- mark file ------------------------------------------------------------ */

/* Whether the trace's mask lacks messages, by sysfs. */
static bool is_masked(const char *name)
{
	char path[512], mask[256];

	snprintf(path, sizeof(path), "/sys/class/block/%s/trace/act_mask",
		 name);
	return !text_read(path, mask, sizeof(mask)) &&
	       strcmp(mask, "disabled") && !strstr(mask, "notify");
}

/* Writes len bytes of text into a device's trace: 1; 0: not traced this way; or
 * -errno. */
static int mark_file_write(const char *debugfs, const char *name,
			   const char *text, size_t len)
{
	char path[512];
	int fd, err;

	snprintf(path, sizeof(path), "%s/block/%s/msg", debugfs, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	/* a kernel in lockdown refuses it with EPERM */
	if (fd < 0)
		return errno == ENOENT || errno == EPERM || errno == ENOTDIR ?
		       0 : -errno;
	err = write(fd, text, len) < 0 ? -errno : !is_masked(name);
	close(fd);
	return err;
}

/* The same into all traces: their number, or -errno if there are none. */
static int mark_file_write_all(const char *debugfs, const char *text,
			       size_t len)
{
	char path[512];
	int marked = 0, err = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "%s/block", debugfs);
	d = opendir(path);
	if (!d)
		return errno == EACCES ? -EACCES : 0;
	while ((e = readdir(d))) {
		int got = *e->d_name == '.' ?
			  0 : mark_file_write(debugfs, e->d_name, text, len);

		if (got > 0)
			marked++;
		else if (got < 0)
			err = got;
	}
	closedir(d);
	return marked ? marked : err;
}

/* --- mark ----------------------------------------------------------------- */

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter to_stderr = { .line = print_line };

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

static void check_text(const char *text)
{
	size_t len = strlen(text);

	if (!len || len > MARK_BYTES)
		msg_die("--mark takes 1 to %d bytes, not %zu", MARK_BYTES, len);
	if (has_control(text))
		msg_die("--mark takes one line, without control characters");
	if (mark_is_foreign(text, len))
		msg_die("--mark: \"%s\" would be taken for a driver's message;"
			" begin with another word", text);
}

/* The number of traces of both ways; or if 0, the first failure. */
static int join(int by_kernel, int by_us)
{
	int marked = (by_kernel > 0 ? by_kernel : 0) + (by_us > 0 ? by_us : 0);

	if (marked)
		return marked;
	return by_us < 0 ? by_us : by_kernel;
}

/* Whether it was written; else reports that about what. */
static bool report(int marked, const char *what)
{
	if (marked == -EAGAIN)
		msg_warn("%s: its capture has no time to write marks: fewer,"
			 " please", what);
	else if (marked == -EACCES || (!marked && geteuid()))
		msg_warn("%s: no trace that may be marked: that is for those"
			 " who may trace, as root", what);
	else if (marked < 0)
		msg_warn("%s: %s", what, strerror(-marked));
	else if (!marked)
		msg_warn("%s: not traced now, so there is nothing to mark;"
			 " start blktrace first", what);
	return marked > 0;
}

static bool mark_device(const struct options *o, const char *path)
{
	char name[BLKDEV_NAME];
	size_t len = strlen(o->mark);
	uint32_t number;

	if (blkdev_find(path, &number, name, &to_stderr))
		return false;
	return report(join(mark_file_write(o->debugfs, name, o->mark, len),
			   mark_port_call(MARK_PORT_DIR, number, o->mark, len)),
		      path);
}

static bool mark_all(const struct options *o)
{
	size_t len = strlen(o->mark);

	return report(join(mark_file_write_all(o->debugfs, o->mark, len),
			   mark_port_call(MARK_PORT_DIR, 0, o->mark, len)),
		      "all devices");
}

int mark_running(const struct options *o)
{
	bool good = true;

	check_text(o->mark);
	if (!o->device_count)
		good = mark_all(o);
	for (int i = 0; i < o->device_count; i++)
		good &= mark_device(o, o->devices[i]);
	return !good;
}

/* --- show card ------------------------------------------------------------ */

enum { TEXT_BUFFER = 65536, NAME_TEXT = 1024 };

struct show {
	struct buf out;
	bool any;		/* has printed one */
};

static int complain(const char *name, const char *why)
{
	msg_warn("%s: %s", name, why);
	return -EBADMSG;
}

/* Takes c over. */
static void print_card(struct show *s, const char *path, struct card *c)
{
	char name[NAME_TEXT];

	escape_text(name, sizeof(name), path, strlen(path));
	buf_printf(&s->out, "%s%s\n", s->any ? "\n" : "", name);
	card_words_write(c, &s->out);
	s->any = true;
	card_free(c);
}

static int show_file(struct show *s, const char *path)
{
	char why[CARD_WHY];
	struct card *c;
	int err = cards_read(&c, path, why);

	if (err)
		return complain(path, why);
	print_card(s, path, c);
	return 0;
}

static bool is_card(const char *name)
{
	size_t len = strlen(name), tail = strlen(CARD_SUFFIX);

	return len > tail && !strcmp(name + len - tail, CARD_SUFFIX);
}

static size_t card_stem(const char *file, const void *ctx)
{
	(void)ctx;
	return is_card(file) ? strlen(file) : 0;
}

static int show_in(struct show *s, const char *packed, const char *name)
{
	char *path;
	int err;

	if (asprintf(&path, "%s/%s", packed, name) < 0)
		return complain(name, "no memory");
	err = show_file(s, path);
	free(path);
	return err;
}

/* A packed file that has cards and no records, as a segment begun on a full
 * disk: shows them.  -ENOENT: it has none. */
static int show_lone(struct show *s, const char *path)
{
	char **names = NULL;
	int count = -ENOENT, err = 0;

	if (path && shelf_is_packed(path))
		count = folder_names(path, shelf_walk, card_stem, NULL, &names,
				     0);
	for (int i = 0; i < count; i++)
		err |= show_in(s, path, names[i]);
	if (count > 0)
		folder_free(names, count);
	return count > 0 ? err : -ENOENT;
}

static int show_device(struct show *s, const struct location *at)
{
	char why[CARD_WHY] = "no memory", *path;
	struct card *c;
	int err = cards_find(at, &c, &path, why);

	if (!err)
		print_card(s, path, c);
	else if (err != -ENOENT)
		complain(path ? path : at->name, why);
	else if ((err = show_lone(s, at->path)) == -ENOENT)
		complain(at->name ? at->name : at->path,
			 "there is no card with it");
	free(path);
	return err;
}

/* All devices that a name means, or a card by its file name. */
static int show_name(struct show *s, const char *directory, const char *name)
{
	struct locations l = { 0 };
	int err;

	if (is_card(name))
		return show_file(s, name);
	err = locations_add(&l, directory, name);
	if (err == -ENOENT)
		err = locations_why_none(directory, name);
	else if (!err)
		err = locations_unpack(&l, &(int){ 0 });
	if (err)
		complain(name, inputs_why(err));
	for (size_t i = 0; i < l.count; i++)
		err |= show_device(s, &l.list[i]);
	locations_free(&l);
	return err;
}

int show_cards(const struct options *o)
{
	struct show s = { .any = false };
	bool failed = false;

	confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->devices,
			    .count = (size_t)o->device_count },
	});
	if (buf_init(&s.out, STDOUT_FILENO, TEXT_BUFFER))
		msg_die("out of memory");
	for (int i = 0; i < o->device_count; i++)
		failed |= show_name(&s, o->directory, o->devices[i]) != 0;
	failed |= buf_flush(&s.out) != 0;
	buf_free(&s.out);
	return failed;
}

/* --- collector ------------------------------------------------------------ */

/* A full pipe must not delay clients; writing to a closed one does not wait. */
static bool stderr_is_ready(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) > 0;
}

static bool collector_print_line(void *ctx, const char *text)
{
	(void)ctx;
	if (!stderr_is_ready())
		return false;
	msg_warn("%s", text);
	return true;
}

static bool print_drops(void *ctx, uint64_t events, uint64_t drops)
{
	char text[TOTALS_WARNING];

	(void)ctx;
	if (!stderr_is_ready())
		return false;
	totals_warning(events, drops, text);
	fputs(text, stderr);
	return true;
}

struct collector {
	const struct options *o;
	int sockets[LISTEN_MAX];	/* the service manager's */
	int socket_count;
	struct opener opener;	/* of keys and lists, and the status */
	struct notify manager;
};

static void tell_manager(void *ctx, bool serving)
{
	struct collector *c = ctx;

	if (serving)
		notify_ready(&c->manager);
	else
		notify_stopping(&c->manager);
}

static void tell_alive(void *ctx)
{
	struct collector *c = ctx;

	notify_alive(&c->manager);
}

static int read_access(void *ctx, struct server_access *a,
		       char why[SERVER_WHY])
{
	const struct collector *c = ctx;

	return keys_access(c->o, &c->opener, a, why);
}

static int serve(struct collector *c, const struct server_access *access,
		 const atomic_bool *stop, atomic_bool *renew)
{
	const struct options *o = c->o;
	const struct server_reporter reporter = { .line = collector_print_line,
						  .drops = print_drops };
	const struct server_options so = {
		.directory = o->directory ? o->directory : ".",
		.bind = o->bind,
		.port = o->port,
		.sockets = c->sockets,
		.socket_count = (unsigned int)c->socket_count,
		.user = o->user,
		.tell_root = true,
		.access = *access,
		.max_clients = o->limits.max_clients,
		.max_bytes = o->limits.max_bytes,
		.max_files = o->limits.max_files,
		.each = o->limits.each,
		.keep = o->retention,
		.status = o->status,
		.pack = o->pack,
		.durable = o->durable,
		.opener = &c->opener,
		.idle = o->idle,
		.state = tell_manager,
		.alive = c->manager.every ? tell_alive : NULL,
		.alive_ms = c->manager.every,
		.ctx = c,
		.reporter = &reporter,
		.stop = stop,
		.renew = renew,
		.read_access = read_access,
	};

	return server_run(&so);
}

_Static_assert((int)SERVER_WHY == (int)TLS_WHY,
	       "one message has room in the other");

int collector_run(const struct options *o, const atomic_bool *stop,
		  atomic_bool *renew)
{
	const char *files[] = { o->psk, o->cert, o->key, o->ca, o->crl,
				o->allow_file };
	struct collector c = { .o = o };
	struct server_access access;
	char why[TLS_WHY];
	int status;

	if (keys_access(o, NULL, &access, why)) {
		msg_warn("%s", why);
		return 1;
	}
	c.socket_count = notify_sockets(c.sockets, LISTEN_MAX);
	if (c.socket_count < 0) {
		msg_warn("LISTEN_FDS: what the service manager handed over is no"
			 " listening socket");
		server_access_free(&access);
		return 1;
	}
	c.opener = confined_opener(files, sizeof(files) / sizeof(*files),
				   o->status);
	notify_open(&c.manager);
	status = serve(&c, &access, stop, renew);
	notify_close(&c.manager);
	return status;
}
