/* SPDX-License-Identifier: GPL-2.0-only */
/* Names complete segments and removes the oldest; see sweeper.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "capture/reporter.h"
#include "capture/to/sweeper.h"

struct whole {
	struct whole *next;
	char *partial, *name;
	unsigned int writing;
};

struct sweeper {
	pthread_t thread;
	const struct capture_reporter *reporter;
	unsigned int keep;
	pthread_mutex_t lock;	/* of the next three */
	pthread_cond_t changed;
	struct whole *todo, **todo_end;	/* oldest first */
	bool end;
	struct whole *done, **done_end;	/* the thread's own, the same */
	unsigned int count;	/* of these */
};

static void whole_free(struct whole *w)
{
	free(w->partial);
	free(w->name);
	free(w);
}

/* --- what is done --------------------------------------------------------- */

/* Only files: others' directories stay.  A packed segment is one. */
static void remove_files(const struct sweeper *s, const char *path)
{
	DIR *d = opendir(path);
	struct dirent *de;

	if (!d && errno == ENOTDIR && !unlink(path))
		return;
	while (d && (de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			unlinkat(dirfd(d), de->d_name, 0);
	if (d)
		closedir(d);
	if (rmdir(path) && errno != ENOENT)
		reporter_write(s->reporter, "cannot remove %s: %s", path,
			       strerror(errno));
}

/* There must be another. */
static void remove_oldest(struct sweeper *s)
{
	struct whole *w = s->done;

	s->done = w->next;
	s->count--;
	remove_files(s, w->name);
	whole_free(w);
}

/* A directory that cannot be renamed keeps its name, and stays readable. */
static void finish(struct sweeper *s, struct whole *w)
{
	if (rename(w->partial, w->name)) {
		reporter_write(s->reporter, "cannot rename %s: %s", w->partial,
			       strerror(errno));
		free(w->name);
		w->name = w->partial;
		w->partial = NULL;
	}
	w->next = NULL;
	*s->done_end = w;
	s->done_end = &w->next;
	s->count++;
	while (s->keep && s->count > 1 && s->count + w->writing > s->keep)
		remove_oldest(s);
}

/* --- the thread ----------------------------------------------------------- */

/* Waits for the next one; NULL: no more. */
static struct whole *take(struct sweeper *s)
{
	struct whole *w;

	pthread_mutex_lock(&s->lock);
	while (!s->todo && !s->end)
		pthread_cond_wait(&s->changed, &s->lock);
	w = s->todo;
	if (w)
		s->todo = w->next;
	if (!s->todo)
		s->todo_end = &s->todo;
	pthread_mutex_unlock(&s->lock);
	return w;
}

static void *sweep(void *arg)
{
	struct sweeper *s = arg;
	struct whole *w;

	while ((w = take(s)))
		finish(s, w);
	return NULL;
}

int sweeper_start(struct sweeper **out, unsigned int keep,
		  const struct capture_reporter *r)
{
	struct sweeper *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->reporter = r;
	s->keep = keep;
	s->todo_end = &s->todo;
	s->done_end = &s->done;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	err = thread_start(&s->thread, sweep, s);
	if (err)
		free(s);
	else
		*out = s;
	return err;
}

/* Without memory, it keeps its ".partial", and stays readable. */
void sweeper_add(struct sweeper *s, char *partial, char *name,
		 unsigned int writing)
{
	struct whole *w = calloc(1, sizeof(*w));

	if (!w) {
		reporter_write(s->reporter, "%s keeps its name: out of memory",
			       partial);
		free(partial);
		free(name);
		return;
	}
	*w = (struct whole){ NULL, partial, name, writing };
	pthread_mutex_lock(&s->lock);
	*s->todo_end = w;
	s->todo_end = &w->next;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sweeper_end(struct sweeper *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->end = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	while (s->done) {
		struct whole *w = s->done;

		s->done = w->next;
		whole_free(w);
	}
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s);
}
