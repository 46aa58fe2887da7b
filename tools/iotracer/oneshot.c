/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracing while a command runs; see oneshot.h. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/time.h"
#include "bpf/bpf.h"
#include "bpf/ring.h"
#include "capture/cpus.h"
#include "cli/child.h"
#include "tools/iotracer/calls.h"
#include "tools/iotracer/commit_view.h"
#include "tools/iotracer/file_disks.h"
#include "tools/iotracer/line.h"
#include "tools/iotracer/oneshot.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/records.h"
#include "tools/iotracer/watched.h"

/* --- sample --------------------------------------------------------------- */

/* A sample file shows by which functions a filesystem's files are read and
 * written. */

enum { ENTRIES_MAX = 4096 };	/* tried at most */

/* Whether fd is a file of the same filesystem; closes it. */
static bool learn(struct watched *t, struct bpf *b, int fd)
{
	struct bpf_found found;
	struct stat st;
	bool good;

	if (fd < 0)
		return false;
	good = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		!bpf_file_find(b, fd, &found) &&
		found.superblock == t->found.superblock;
	close(fd);
	if (!good)
		return false;
	t->found.read_iter = found.read_iter;
	t->found.write_iter = found.write_iter;
	t->found.splice_read = found.splice_read;
	return true;
}

static bool learn_below(struct watched *t, struct bpf *b)
{
	char *const paths[] = { (char *)t->path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV,
			     NULL);
	bool learnt = false;
	FTSENT *e;

	for (int i = 0; tree && !learnt && i < ENTRIES_MAX; i++) {
		e = fts_read(tree);
		if (!e)
			break;
		if (e->fts_info == FTS_F)
			learnt = learn(t, b, open(e->fts_accpath, O_RDONLY |
						  O_NONBLOCK | O_CLOEXEC |
						  O_NOFOLLOW | O_NOCTTY));
	}
	if (tree)
		fts_close(tree);
	return learnt;
}

/* Fills in the functions of t->found, t being a directory, by some file below
 * it or a new one without a name; all are 0 without one. */
static void sample_take(struct watched *t, struct bpf *b)
{
	t->found.read_iter = 0;
	t->found.write_iter = 0;
	t->found.splice_read = 0;
	if (!learn_below(t, b))
		learn(t, b, open(t->path, O_TMPFILE | O_RDWR | O_CLOEXEC,
				 0600));
}

/* --- oneshot -------------------------------------------------------------- */

enum {
	TICK_MS = 50,		/* between reads of half-empty rings */
	TEXT_BUFFER = 262144,
};

struct oneshot {
	const struct options *o;
	const volatile sig_atomic_t *stop;
	struct bpf bpf;
	bool loaded;
	struct watched *targets;
	int count;		/* of them */
	bool directories;	/* some are directories */
	struct below below;
	const char *paths[BPF_FILES_MAX];	/* by number */
	struct cpus cpus;
	struct bpf_ring **rings;
	struct pollfd *fds;	/* rings, or records' end */
	unsigned int fd_count;
	struct records *records;	/* NULL: lines */
	struct file_disks disks;	/* --commits */
	struct calls calls;
	struct commit_view view;
	struct child child;
	struct line_queue queue;
	struct buf out;
	uint64_t zero_time;
	uint64_t shown;
	uint64_t end;		/* of -w; 0: unknown */
	bool passed_on;		/* the command has had our signal */
	bool unread;		/* the lines' reader has gone */
	int failed;		/* -errno, reported on stderr */
};

/* --- setting up -------------------------------------------------------- */

/* Appends a target, or skips it. */
static int open_target(struct oneshot *s, const char *path)
{
	struct watched *t = &s->targets[s->count];
	int err = watched_open(t, path);

	if (err == WATCHED_OTHER) {
		msg_warn("%s is not a regular file: skipped", path);
		return 0;
	}
	if (!err)
		s->count++;
	s->directories |= t->directory;
	return err;
}

/* Opens all first, to report a wrong name before tracing starts. */
static int open_targets(struct oneshot *s)
{
	int err = 0;

	s->targets = calloc((size_t)s->o->count, sizeof(*s->targets));
	if (!s->targets) {
		msg_warn("out of memory");
		return -ENOMEM;
	}
	for (int i = 0; !err && i < s->o->count; i++)
		err = open_target(s, s->o->words[i]);
	return !err && !s->count ? -ENOENT : err;
}

static bool has_records(const struct options *o)
{
	return o->records || o->commits;
}

static int load(struct oneshot *s)
{
	int err = bpf_load(&s->bpf, s->directories);

	if (err) {
		msg_warn("%s", s->bpf.why);
		return err;
	}
	s->loaded = true;
	s->bpf.config->levels = s->o->levels;
	s->bpf.config->lower = s->o->lower;
	s->bpf.config->names = s->o->commits ||
		(s->o->style.extended && !s->o->records);
	s->bpf.config->all = s->o->commits;
	s->bpf.config->mask = has_records(s->o) ? UINT16_MAX : 0;
	return 0;
}

/* A file under two names is watched once, by the first name. */
static int watch_target(struct oneshot *s, struct watched *t)
{
	int err = watched_find(t, &s->bpf, true);

	if (err)
		return err;
	err = bpf_file_add(&s->bpf, &t->file, &t->number);
	if (err == -EEXIST)
		return 0;
	if (!err && t->directory)
		err = bpf_tree_add(&s->bpf, &t->found, t->number);
	if (err)
		msg_warn("%s: %s", t->path, s->bpf.why);
	else
		s->paths[t->number] = t->path;
	if (!err && s->o->commits)
		err = file_disks_add(&s->disks, t);
	return err;
}

static int watch_targets(struct oneshot *s)
{
	int err = 0;

	for (int i = 0; !err && i < s->count; i++)
		err = watch_target(s, &s->targets[i]);
	return err;
}

static size_t ring_bytes(const struct oneshot *s)
{
	return s->o->ring ? s->o->ring : bpf_ring_size(s->cpus.count);
}

static void wait_for(struct oneshot *s, int fd)
{
	s->fds[s->fd_count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static int open_rings(struct oneshot *s)
{
	size_t bytes = ring_bytes(s);
	int err = 0;

	s->rings = calloc(s->cpus.count, sizeof(*s->rings));
	if (!s->rings)
		err = -ENOMEM;
	for (unsigned int i = 0; !err && i < s->cpus.count; i++) {
		err = bpf_ring_open(&s->rings[i], &s->bpf, s->cpus.online[i],
				    bytes);
		if (!err)
			wait_for(s, bpf_ring_fd(s->rings[i]));
	}
	s->bpf.config->wake = (uint32_t)bytes / 4;
	if (err)
		msg_warn("rings of %zu KiB for %u CPUs: %s", bytes >> 10,
			 s->cpus.count, strerror(-err));
	return err;
}

/* Some filesystems' direct I/O is known by the current call. */
static bool needs_calls(const struct oneshot *s)
{
	if (s->o->levels & LEVEL_BIT(LEVEL_VFS) || s->o->lower)
		return true;
	for (int i = 0; i < s->count; i++)
		if (!s->targets[i].file.bdev)
			return true;
	return false;
}

static int attach_calls(struct oneshot *s, struct watched *t)
{
	if (t->directory && s->o->backend != BACKEND_SYSCALL)
		sample_take(t, &s->bpf);
	return backend_add(&s->bpf, s->o->backend, &t->found);
}

/* Calls first, as failing probes detach everything. */
static int attach(struct oneshot *s)
{
	int err = 0;

	for (int i = 0; !err && needs_calls(s) && i < s->count; i++)
		err = attach_calls(s, &s->targets[i]);
	if (!err)
		err = backend_levels(&s->bpf, s->o->backend, s->o->levels);
	if (err)
		msg_warn("%s", s->bpf.why);
	else if (s->o->verbose && s->bpf.config->backend != BACKEND_AUTO)
		msg_warn("VFS lines by %s",
			 backend_names[s->bpf.config->backend]);
	s->zero_time = time_now();
	return err;
}

/* --- lines on their way out -------------------------------------------- */

/* The path given for a number: of the file, or of its directory. */
static const char *given_path(const struct oneshot *s, uint32_t number)
{
	const char *path = s->paths[BPF_FILE_OF(number)];

	return path ? path : "?";
}

/* Takes a ring's entry to the queue of lines, or to the paths. */
static int hold_line(void *ctx, const void *data, size_t len)
{
	const struct bpf_name *name = data;
	struct oneshot *s = ctx;

	if (len == sizeof(*name))
		return below_add(&s->below, name, given_path(s, name->file));
	return len < sizeof(struct bpf_line) ? -EBADMSG :
		line_queue_add(&s->queue, data);
}

/* After -n lines, shows no more and continues. */
static void show(struct oneshot *s, const struct bpf_line *l)
{
	const char *path = below_get(&s->below, l->file);
	char *p;

	if (s->o->events && s->shown == s->o->events)
		return;
	if (!path)
		path = given_path(s, l->file);
	p = buf_room(&s->out, LINE_FIXED + strlen(path));
	if (!p)
		return;
	s->shown++;
	buf_commit(&s->out, line_format(p, l, s->zero_time, &s->o->style,
					path));
}

/* Reads all rings: the number of entries, or -errno. */
static int drain(struct oneshot *s)
{
	int taken = 0, got;

	for (unsigned int i = 0; i < s->cpus.count; i++) {
		got = bpf_ring_drain(s->rings[i], hold_line, s);
		if (got < 0)
			return got;
		taken += got;
	}
	return taken;
}

/* Reads all rings and shows lines old enough; 0 or -errno. */
static int pass(struct oneshot *s, uint64_t hold)
{
	uint64_t until = hold ? time_now() - hold : UINT64_MAX;
	const struct bpf_line *l;
	int got = drain(s);

	while ((l = line_queue_next(&s->queue, until)))
		show(s, l);
	buf_flush(&s->out);
	if (s->out.error)
		return -s->out.error;
	return got < 0 ? got : 0;
}

/* --- waiting ----------------------------------------------------------- */

/* With a command: after its end and -w, whatever signals come; without: after a
 * signal, or enough lines. */
static bool is_over(struct oneshot *s)
{
	if (*s->stop && !s->o->child)
		return true;
	if (s->o->events && s->shown == s->o->events && !s->o->child)
		return true;
	if (*s->stop && !s->passed_on)
		child_signal(&s->child, *s->stop);
	s->passed_on = *s->stop;
	if (!s->o->child || !child_ended(&s->child))
		return false;
	if (!s->end)
		s->end = time_now() + s->o->linger * NS_PER_SECOND;
	return *s->stop || time_now() >= s->end;
}

/* Stops showing lines, but not the command.  A reader that has gone is no
 * failure. */
static int stop_reading(struct oneshot *s, int err)
{
	if (err != -EPIPE) {
		msg_warn("cannot show the lines: %s", strerror(-err));
		s->failed = err;
	}
	s->unread = true;
	s->fd_count = 0;
	bpf_detach(&s->bpf);
	return s->o->child ? 0 : err;
}

/* Records have their own threads, which may end before us. */
static void watch(struct oneshot *s)
{
	int err = 0;

	while (!err && !is_over(s)) {
		poll(s->fds, s->fd_count, TICK_MS);
		if (s->records && s->fds[0].revents)
			break;
		if (!s->records && !s->unread)
			err = pass(s, LINE_QUEUE_HOLD);
		if (err)
			err = stop_reading(s, err);
	}
}

static void warn_lost(const struct oneshot *s)
{
	uint64_t lost = bpf_lost(&s->bpf), missed = bpf_missed(&s->bpf);
	const char *what = s->records ? "records" : "lines";

	if (s->unread)
		return;
	if (lost)
		msg_warn("%llu %s lost: use a larger ring (-r)",
			 (unsigned long long)lost, what);
	if (s->below.untold)
		msg_warn("%llu paths left out: no room",
			 (unsigned long long)s->below.untold);
	if (missed)
		msg_warn("up to %llu %s missed: tasks were preempted or"
			 " interrupted inside tracepoints%s",
			 (unsigned long long)missed, what,
			 s->records ? "" : "; -p iter misses none");
}

/* Also shows what is left in the rings after detaching. */
static int run(struct oneshot *s)
{
	int err = 0;

	if (s->o->child)
		child_start(&s->child);
	watch(s);
	bpf_detach(&s->bpf);
	if (s->records)
		s->failed = records_stop(s->records);
	else if (!s->unread)
		err = pass(s, 0);
	if (err)
		stop_reading(s, err);
	/* what shows calls says itself what went wrong */
	if (s->view.pid && s->failed == -EPIPE)
		s->failed = 0;
	err = commit_view_end(&s->view);
	if (err && !s->failed)
		s->failed = err;
	warn_lost(s);
	return s->failed;
}

/* --- a whole run ------------------------------------------------------- */

static void clean_up(struct oneshot *s)
{
	child_free(&s->child);
	records_free(s->records);
	commit_view_end(&s->view);
	calls_free(&s->calls);
	for (unsigned int i = 0; s->rings && i < s->cpus.count; i++)
		bpf_ring_close(s->rings[i]);
	if (s->loaded)
		bpf_free(&s->bpf);
	for (int i = 0; i < s->count; i++)
		watched_close(&s->targets[i]);
	line_queue_free(&s->queue);
	below_free(&s->below);
	buf_free(&s->out);
	cpus_free(&s->cpus);
	free(s->targets);
	free(s->rings);
	free(s->fds);
}

/* Forks the command before opening what it must not inherit. */
static int prepare(struct oneshot *s)
{
	int err = buf_init(&s->out, STDOUT_FILENO, TEXT_BUFFER);

	line_queue_init(&s->queue);
	if (!err)
		err = below_init(&s->below);
	if (err)
		msg_warn("out of memory");
	if (!err)
		err = open_targets(s);
	if (!err && s->o->commits && !s->o->records)
		err = commit_view_start(&s->view, s->o->events, !s->o->child);
	if (!err && s->o->child)
		err = child_new(&s->child, s->o->child, NULL, STDOUT_FILENO);
	if (!err)
		err = load(s);
	if (!err)
		err = watch_targets(s);
	return err;
}

/* All I/Os of the files' disks, and the calls. */
static int start_calls(struct oneshot *s)
{
	s->calls.paths = s->paths;
	s->calls.devices = s->disks.of;
	if (calls_init(&s->calls)) {
		msg_warn("out of memory");
		return -ENOMEM;
	}
	return file_disks_trace(&s->disks, &s->bpf);
}

static int start_records(struct oneshot *s)
{
	const struct records_plan plan = {
		.bpf = &s->bpf,
		.name = s->o->records,
		.out = s->view.to,
		.calls = s->o->commits ? &s->calls : NULL,
		.device = s->o->commits ? s->disks.list[0] :
					  s->targets[0].file.bdev,
		.ring = ring_bytes(s),
	};
	int err = s->o->commits ? start_calls(s) : 0;

	if (!err)
		err = records_start(&s->records, &plan);
	if (!err)
		wait_for(s, records_gone_fd(s->records));
	return err;
}

static int start_lines(struct oneshot *s)
{
	int err = open_rings(s);

	return err ? err : attach(s);
}

static int trace(struct oneshot *s)
{
	int err = cpus_online(&s->cpus);

	s->fds = calloc(s->cpus.count + 1, sizeof(*s->fds));
	if (err || !s->fds) {
		msg_warn("cannot find out which CPUs are online");
		return err ? err : -ENOMEM;
	}
	err = has_records(s->o) ? start_records(s) : start_lines(s);
	return err ? err : run(s);
}

int oneshot_run(const struct options *o, const volatile sig_atomic_t *stop)
{
	struct oneshot *s = calloc(1, sizeof(*s));
	int err, status;

	if (!s)
		msg_die("out of memory");
	s->o = o;
	s->stop = stop;
	s->child.go = s->view.to = -1;
	err = prepare(s);
	if (!err)
		err = trace(s);
	status = err ? 1 : s->child.status;
	clean_up(s);
	free(s);
	return status;
}
