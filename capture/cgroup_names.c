/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroup names; see cgroup_names.h.
 *
 * A directory is watched before it is read, so that no new entry is missed; one
 * seen twice is known by its id.  The list is its own queue: entries are added
 * at its end, and read in order.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/thread.h"
#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"

enum { EVENT_BYTES = 16384, DIGITS = 24 };

struct name {
	uint64_t id;
	char *path;
};

struct cgroup_names {
	pthread_mutex_t gate;	/* of all below */
	struct cgroup_tree tree;
	size_t above;		/* bytes of the path above its root */
	struct name *list;
	size_t count, size, looked;	/* looked: directories read */
	struct hash by_id, by_watch;	/* to indexes of the list */
	int events, stop;	/* inotify; or -1 */
	pthread_t thread;
	bool runs;
};

/* --- the list ------------------------------------------------------------- */

/* The directory of a cgroup; false: too long. */
static bool place_of(const struct cgroup_names *n, const char *path,
		     char place[PATH_MAX])
{
	int len = snprintf(place, PATH_MAX, "%s%s", n->tree.root,
			   path + n->above);

	return len > 0 && len < PATH_MAX;
}

static int append(struct cgroup_names *n, uint64_t id, const char *path)
{
	struct name *list = array_reserve(n->list, n->count, &n->size, 64,
					  sizeof(*list));

	if (!list)
		return -ENOMEM;
	n->list = list;
	list[n->count] = (struct name){ id, strdup(path) };
	if (!list[n->count].path)
		return -ENOMEM;
	if (hash_put_number(&n->by_id, id, (uint32_t)n->count)) {
		free(list[n->count].path);
		return -ENOMEM;
	}
	n->count++;
	return 0;
}

/* Skips one that is gone already, or known. */
static int add(struct cgroup_names *n, const char *path)
{
	char place[PATH_MAX];
	uint64_t id = 0;

	if (n->count == CGROUP_NAMES || !place_of(n, path, place) ||
	    cgroup_tree_id(place, &id) || hash_get_number(&n->by_id, id) >= 0)
		return 0;
	return append(n, id, path);
}

static int add_below(struct cgroup_names *n, size_t at, const char *name)
{
	const char *above = n->list[at].path;
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s/%s",
			   strcmp(above, "/") ? above : "", name);

	if (len < 0 || (size_t)len >= sizeof(path) || strchr(name, '/'))
		return 0;
	return add(n, path);
}

/* --- directories ---------------------------------------------------------- */

/* A directory that cannot be watched is read nevertheless. */
static int watch(struct cgroup_names *n, size_t at, const char *place)
{
	int wd;

	if (n->events < 0)
		return 0;
	wd = inotify_add_watch(n->events, place, IN_CREATE | IN_ONLYDIR);
	if (wd < 0)
		return 0;
	return hash_put_number(&n->by_watch, (uint64_t)wd, (uint32_t)at);
}

static int look_through(struct cgroup_names *n, size_t at)
{
	const struct dirent *entry;
	char place[PATH_MAX];
	int err;
	DIR *dir;

	if (!place_of(n, n->list[at].path, place))
		return 0;
	err = watch(n, at, place);
	dir = err ? NULL : opendir(place);
	if (!dir)
		return err;
	while (!err && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		    strcmp(entry->d_name, ".."))
			err = add_below(n, at, entry->d_name);
	closedir(dir);
	return err;
}

static int look_on(struct cgroup_names *n)
{
	int err = 0;

	while (!err && n->looked < n->count)
		err = look_through(n, n->looked++);
	return err;
}

/* --- what the kernel reports ---------------------------------------------- */

static int take_event(struct cgroup_names *n, const struct inotify_event *e)
{
	int64_t at = hash_get_number(&n->by_watch, (uint64_t)e->wd);

	if (e->mask & IN_Q_OVERFLOW) {
		n->looked = 0;
		return 0;
	}
	if (at < 0)
		return 0;
	if (e->mask & IN_IGNORED) {
		hash_del(&n->by_watch, (uint64_t)e->wd);
		return 0;
	}
	return e->mask & IN_ISDIR && e->len ?
	       add_below(n, (size_t)at, e->name) : 0;
}

/* Takes all events pending. */
static int take_events(struct cgroup_names *n)
{
	char bytes[EVENT_BYTES]
		__attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t got;
	int err = 0;

	if (n->events < 0)
		return 0;
	while (!err && (got = read(n->events, bytes, sizeof(bytes))) > 0) {
		const struct inotify_event *e;

		for (ssize_t i = 0; !err && i < got;
		     i += (ssize_t)(sizeof(*e) + e->len)) {
			e = (const void *)&bytes[i];
			err = take_event(n, e);
		}
		err = err ? err : look_on(n);
	}
	return err;
}

static void *follow(void *names)
{
	struct cgroup_names *n = names;
	struct pollfd fds[] = {
		{ .fd = n->stop, .events = POLLIN },
		{ .fd = n->events, .events = POLLIN },
	};
	int err = 0;

	while (!err && !fds[0].revents) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		pthread_mutex_lock(&n->gate);
		err = take_events(n);
		pthread_mutex_unlock(&n->gate);
	}
	return NULL;
}

/* --- life ----------------------------------------------------------------- */

static void start_thread(struct cgroup_names *n)
{
	n->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (n->stop < 0 || n->events < 0)
		return;
	n->runs = !thread_start(&n->thread, follow, n);
}

int cgroup_names_start(struct cgroup_names **out, struct cgroup_tree *t)
{
	struct cgroup_names *n = calloc(1, sizeof(*n));
	int err;

	*out = NULL;
	if (!n) {
		cgroup_tree_free(t);
		return -ENOMEM;
	}
	n->tree = *t;
	n->above = strlen(t->above);
	n->stop = -1;
	n->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	pthread_mutex_init(&n->gate, NULL);
	err = add(n, n->above ? n->tree.above : "/");
	err = err ? err : look_on(n);
	if (err) {
		cgroup_names_free(n);
		return err;
	}
	start_thread(n);
	*out = n;
	return 0;
}

static void stop_thread(struct cgroup_names *n)
{
	const uint64_t one = 1;

	if (n->runs && write(n->stop, &one, sizeof(one)) == sizeof(one))
		pthread_join(n->thread, NULL);
	n->runs = false;
}

void cgroup_names_free(struct cgroup_names *n)
{
	if (!n)
		return;
	stop_thread(n);
	if (n->events >= 0)
		close(n->events);
	if (n->stop >= 0)
		close(n->stop);
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i].path);
	free(n->list);
	hash_free(&n->by_id);
	hash_free(&n->by_watch);
	cgroup_tree_free(&n->tree);
	pthread_mutex_destroy(&n->gate);
	free(n);
}

/* --- what is known -------------------------------------------------------- */

const char *cgroup_names_get(struct cgroup_names *n, uint64_t id)
{
	const char *path = NULL;
	int64_t at;

	if (!n)
		return NULL;
	pthread_mutex_lock(&n->gate);
	take_events(n);
	at = hash_get_number(&n->by_id, id);
	if (at >= 0)
		path = n->list[at].path;
	pthread_mutex_unlock(&n->gate);
	return path;
}

const char *cgroup_names_at(struct cgroup_names *n, size_t i, uint64_t *id)
{
	const char *path = NULL;

	if (!n)
		return NULL;
	pthread_mutex_lock(&n->gate);
	if (i < n->count) {
		path = n->list[i].path;
		*id = n->list[i].id;
	}
	pthread_mutex_unlock(&n->gate);
	return path;
}

void cgroup_names_write(struct cgroup_names *n, struct json *j)
{
	size_t begin = j->b->len, left = CGROUP_NAMES_WRITTEN;
	char id[DIGITS];

	if (!n)
		return;
	pthread_mutex_lock(&n->gate);
	take_events(n);
	json_put_object(j, "cgroups");
	for (size_t i = n->count; i-- && left--;) {
		if (j->b->len - begin > CGROUP_BYTES_WRITTEN)
			break;
		snprintf(id, sizeof(id), "%llu",
			 (unsigned long long)n->list[i].id);
		json_put_string(j, id, n->list[i].path);
	}
	json_put_object_end(j);
	pthread_mutex_unlock(&n->gate);
}
