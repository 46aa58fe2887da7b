/* SPDX-License-Identifier: GPL-2.0-only */
/* Following captures; see follow.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/msg.h"
#include "base/opener.h"
#include "base/time.h"
#include "file/segments.h"
#include "server/retention.h"
#include "server/tokens.h"
#include "tools/btexport/export_status.h"
#include "tools/btexport/follow.h"
#include "tools/btexport/followed.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/options.h"
#include "tools/btexport/ship.h"

enum {
	LOOK_MS = 500,		/* between looks at everything: the kernel does
				 * not say what others change over a network */
	LOOKING = 20,		/* but not more than this part of the time */
	EVENTS = 4096,		/* bytes */
	LOCK_MS = 100,		/* between attempts to lock the folder */
	PATIENCE = 20,		/* attempts before a message */
	FAILURES = 3,		/* in succession: it is not the capture */
	DEPTH = 4		/* of folders: manifest, host=, date= */
};

#define AGAIN (5 * NS_PER_SECOND)	/* after a failure */

struct capture {
	struct followed *followed;
	int watch;		/* inotify's number, or -1 */
	bool changed;		/* there may be a new segment */
	uint64_t not_before;	/* time_now() */
};

struct following {
	const struct export_options *o;
	struct follow_shipper *shipper;
	struct export_status status;
	uint64_t next_status;	/* time_now() */
	bool blind;		/* it was reported that .runs cannot be read */
	bool full;		/* it was reported that too much waits */
	const volatile sig_atomic_t *stop;
	int watch;		/* inotify's, or -1 */
	uint64_t next_look;	/* time_now() */
	unsigned int failures;	/* in succession */
	uint64_t not_before;	/* time_now() */
	struct capture *list;
	size_t count, size;
	struct hash known;	/* directories, by their names' hash */
	bool starved;
};

/* --- captures ------------------------------------------------------------- */

/* the same number for the same directory, or -1 */
static int watch(const struct following *f, const char *dir)
{
	return f->watch < 0 ? -1 : inotify_add_watch(f->watch, dir,
						     IN_MOVED_TO | IN_CREATE);
}

static bool is_known(const struct following *f, const char *dir)
{
	return hash_get(&f->known, hash_text(&f->known, dir, strlen(dir)));
}

/* Adds a directory of segments, or a whole trace. */
static int add(struct following *f, const char *dir, bool whole)
{
	uint64_t key = hash_text(&f->known, dir, strlen(dir));
	struct capture *list;

	list = array_reserve(f->list, f->count, &f->size, 16, sizeof(*list));
	if (!list)
		return -ENOMEM;
	f->list = list;
	list[f->count] = (struct capture){ .watch = watch(f, dir),
					   .changed = true };
	if (followed_new(&list[f->count].followed, f->o, f->stop, dir,
			 whole))
		return -ENOMEM;
	f->count++;
	return hash_put_number(&f->known, key, (uint32_t)f->count);
}

/* whether a directory has a segment, also one that is being written */
static bool has_segments(const char *dir)
{
	struct segments s;

	if (segments_find(&s, dir))
		return false;
	segments_free(&s);
	return true;
}

/* --- what a collector stores ---------------------------------------------- */

static int find_file(void *ctx, const struct folder_item *item)
{
	size_t len = strlen(item->name), end = strlen(SEGMENT_PACKED);
	bool *found = ctx;

	*found |= strstr(item->name, ".blktrace.") ||
		  (len > end && !strcmp(item->name + len - end, SEGMENT_PACKED));
	return 0;
}

/* The collector locks what it is storing, before there are files. */
static bool is_stored(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool stored = fd >= 0 && !flock(fd, LOCK_SH | LOCK_NB);

	if (fd >= 0)
		close(fd);
	return stored;
}

/* whether its sender may come back and send more; what cannot be read is reported
 * once */
static bool is_resumable(struct following *f, const char *name)
{
	int fd = open(f->o->follow, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool resumable = true;
	int err = fd < 0 ? -errno : tokens_look(fd, name, &resumable);

	if (fd >= 0)
		close(fd);
	if (err && !f->blind)
		msg_warn("%s/.runs: %s: runs of the collector are not exported",
			 f->o->follow, strerror(-err));
	f->blind = err;
	return err || resumable;
}

/* whether a directory is a run that a collector has stored to its end */
static bool is_run(struct following *f, const char *dir, const char *name)
{
	bool found = false;

	return retention_is_run(name) &&
	       !folder_walk_directory(dir, find_file, &found) && found &&
	       !is_resumable(f, name) && is_stored(dir);
}

static int look_at(void *ctx, const struct folder_item *item)
{
	struct following *f = ctx;
	struct stat st;
	char *dir;
	int err = 0;

	if (*item->name == '.')
		return 0;
	if (asprintf(&dir, "%s/%s", f->o->follow, item->name) < 0)
		return -ENOMEM;
	if (!is_known(f, dir) && !stat(dir, &st) && S_ISDIR(st.st_mode)) {
		watch(f, dir);
		if (has_segments(dir))
			err = add(f, dir, false);
		else if (is_run(f, dir, item->name))
			err = add(f, dir, true);
	}
	free(dir);
	return err;
}

/* 0 or -errno */
static int find_captures(struct following *f)
{
	if (is_known(f, f->o->follow))
		return 0;
	if (has_segments(f->o->follow))
		return add(f, f->o->follow, false);
	return folder_walk_directory(f->o->follow, look_at, f);
}

/* --- the folder ----------------------------------------------------------- */

bool follow_lock(const struct export_options *o,
		 const volatile sig_atomic_t *stop)
{
	int fd = open(o->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	unsigned int waited = 0;

	if (fd < 0)
		msg_die("%s:", o->output);
	/* a file system without locks cannot say who is there */
	while (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		if (*stop)
			return false;
		if (waited++ == PATIENCE)
			msg_warn("%s: another btexport follows into it; waiting"
				 " until that ends", o->output);
		usleep(LOCK_MS * 1000);
	}
	return true;
}

/* --- what was left -------------------------------------------------------- */

/* a level of folders */
struct level {
	const struct opener *opener;
	const char *path;
	int depth;
};

/* whether it is a file that a process began which is gone (base/place.h) */
static bool is_left(const char *name)
{
	const char *at = strstr(name, ".part-");
	long pid = at ? strtol(at + strlen(".part-"), NULL, 10) : 0;

	return *name == '.' && pid > 0 && kill((pid_t)pid, 0) &&
	       errno == ESRCH;
}

static int clean(void *ctx, const struct folder_item *item)
{
	const struct level *l = ctx;
	struct level below = { l->opener, NULL, l->depth + 1 };
	char *path;

	if (asprintf(&path, "%s/%s", l->path, item->name) < 0)
		return -ENOMEM;
	below.path = path;
	if (is_left(item->name))
		opener_remove(l->opener, path);
	else if (*item->name != '.' && below.depth < DEPTH)
		folder_walk_directory(path, clean, &below);
	free(path);
	return 0;
}

/* Removes what an exporter that was killed has left. */
static void clean_up(const struct export_options *o)
{
	struct level top = { &o->out.opener, o->output, 0 };

	folder_walk_directory(o->output, clean, &top);
}

/* --- work ----------------------------------------------------------------- */

/* Whether no more may be exported before some of it was sent. */
static bool is_full(struct following *f)
{
	const struct ship_counts *c = f->shipper->counts;
	bool full = c && atomic_load(&c->waiting) >= f->o->spool;

	if (full && !f->full)
		msg_warn("%s: as much waits as may (--spool): no more is"
			 " exported", f->o->output);
	f->full = full;
	return full;
}

static void count(struct following *f, const struct followed_segment *seg,
		  int got)
{
	struct export_status *s = &f->status;

	s->segments += got == 1;
	s->rows += got == 1 ? seg->rows : 0;
	s->failures += got == -EIO;
	s->lag = seg->lag > s->lag ? seg->lag : s->lag;
	if (f->shipper->counts && got == 1)
		atomic_fetch_add(&f->shipper->counts->waiting, seg->bytes);
}

static void write_status(struct following *f)
{
	uint64_t now = time_now();

	if (!f->o->status || now < f->next_status)
		return;
	f->next_status = now + EXPORT_STATUS_S * NS_PER_SECOND;
	f->status.captures = f->count;
	export_status_write(&f->status, f->shipper->counts,
			    &f->o->out.opener, f->o->status);
	f->status.lag = 0;
}

/* One segment of a capture.  Whether there may be more. */
static bool step(struct following *f, struct capture *c)
{
	struct followed_segment seg = { .rows = 0 };
	int got = followed_step(c->followed, &seg);

	count(f, &seg, got);
	c->changed = got;
	if (got == 1)
		f->failures = 0;
	if (got == -EIO)
		c->not_before = time_now() + AGAIN;
	if (got == -EIO && ++f->failures >= FAILURES)
		f->not_before = c->not_before;
	return got == 1;
}

/* A full disk is reported by one capture at a time, not by hundreds. */
static bool may_step(struct following *f)
{
	return !*f->stop && time_now() >= f->not_before && !is_full(f);
}

/* One segment of each capture in turn.  Whether there may be more. */
static bool step_all(struct following *f)
{
	bool more = false;

	for (size_t i = 0; i < f->count && may_step(f); i++)
		if (f->list[i].changed && time_now() >= f->list[i].not_before)
			more |= step(f, &f->list[i]);
	return more;
}

/* --- what has changed ------------------------------------------------------ */

static int look_at_all(struct following *f)
{
	uint64_t begin = time_now(), now;
	int err;

	if (begin < f->next_look)
		return 0;
	err = find_captures(f);
	for (size_t i = 0; i < f->count; i++)
		f->list[i].changed = true;
	now = time_now();
	f->next_look = now + LOOK_MS * NS_PER_MS + (now - begin) * LOOKING;
	return err;
}

/* A directory that is no capture may have become one; a number below zero:
 * there was more than the kernel keeps. */
static void note_change(struct following *f, int number)
{
	struct capture *c = f->list;

	while (c < f->list + f->count && c->watch != number)
		c++;
	if (number >= 0 && c < f->list + f->count)
		c->changed = true;
	else
		f->next_look = 0;
}

static void note_changes(struct following *f)
{
	_Alignas(struct inotify_event) char events[EVENTS];
	const struct inotify_event *e;
	ssize_t len;

	while ((len = read(f->watch, events, sizeof(events))) > 0)
		for (ssize_t at = 0; at < len; at += (ssize_t)(sizeof(*e) + e->len)) {
			e = (const void *)(events + at);
			note_change(f, e->wd);
		}
}

/* Waits until something has changed, or it is time to look by ourselves. */
static void wait_for_more(struct following *f)
{
	struct pollfd p = { .fd = f->watch, .events = POLLIN };

	if (!*f->stop && poll(&p, 1, LOOK_MS) > 0)
		note_changes(f);
}

/* --- the shipper ---------------------------------------------------------- */

static bool count_waiting(void *ctx, const char *path,
			  const struct manifest *m, int err, const char *why)
{
	struct ship_counts *c = ctx;

	(void)path;
	(void)why;
	for (unsigned int i = 0; !err && i < m->count; i++)
		atomic_fetch_add(&c->waiting, m->tables[i].bytes);
	return true;
}

struct follow_shipper follow_ship(const struct export_options *o,
				  const volatile sig_atomic_t *stop)
{
	struct follow_shipper s = { .pid = 0 };
	pid_t we = getpid();

	s.counts = mmap(NULL, sizeof(*s.counts), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.counts == MAP_FAILED)
		msg_die("out of memory");
	if (manifests_walk(o->output, count_waiting, s.counts) == -ENOMEM)
		msg_die("out of memory");
	s.pid = fork();
	if (s.pid < 0)
		msg_die("cannot start a process:");
	if (s.pid)
		return s;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	_exit(getppid() == we ? ship(o->output, o->to, s.counts, stop) : 0);
}

/* whether it has ended by itself */
static bool is_gone(struct follow_shipper *s)
{
	if (!s->pid || waitpid(s->pid, NULL, WNOHANG) != s->pid)
		return false;
	s->pid = 0;
	return true;
}

static void end_shipper(struct follow_shipper *s)
{
	if (s->pid) {
		kill(s->pid, SIGTERM);
		waitpid(s->pid, NULL, 0);
	}
	if (s->counts)
		munmap(s->counts, sizeof(*s->counts));
	*s = (struct follow_shipper){ .pid = 0 };
}

/* --- all ------------------------------------------------------------------ */

static int run(struct following *f)
{
	int err = 0;

	while (!err && !*f->stop) {
		err = look_at_all(f);
		while (!err && step_all(f))
			write_status(f);
		write_status(f);
		if (!err && is_gone(f->shipper))
			return 1;
		if (!err)
			wait_for_more(f);
	}
	if (err)
		msg_warn("%s: %s", f->o->follow, strerror(-err));
	return err != 0;
}

int follow(const struct export_options *o, struct follow_shipper *shipper,
	   const volatile sig_atomic_t *stop)
{
	struct following f = { .o = o, .stop = stop, .shipper = shipper,
			       .watch = inotify_init1(IN_NONBLOCK |
						      IN_CLOEXEC) };
	int status;

	clean_up(o);
	watch(&f, o->follow);
	status = run(&f);
	end_shipper(shipper);
	for (size_t i = 0; i < f.count; i++)
		followed_free(f.list[i].followed);
	free(f.list);
	hash_free(&f.known);
	if (f.watch >= 0)
		close(f.watch);
	return status;
}
