/* SPDX-License-Identifier: GPL-2.0-only */
/* What btstat prints; see stat.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/session.h"
#include "cli/child.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/stat.h"

/* words beside the names, with the NULL after them */
enum { WORDS = 4 };

static void free_words(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

/*
 * A program of the suite: the one installed with this one (blktrace is in sbin,
 * btstat in bin), or else the one in PATH.  NULL: no memory.
 */
static char *program(const char *name)
{
	static const char *const places[] = { "", "../bin/" };
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash, *path;

	self[len < 0 ? 0 : len] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&path, "%.*s/%s%s", (int)(slash - self), self,
			     places[i], name) < 0)
			return NULL;
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	return strdup(name);
}

static bool add(char **words, size_t *n, char *word)
{
	words[*n] = word;
	return words[(*n)++];
}

static bool add_names(char **words, size_t *n, const struct options *o,
		      const struct session *s)
{
	unsigned int count = session_device_count(s);

	if (o->output)
		return add(words, n, strdup(o->output));
	for (unsigned int i = 0; i < count; i++)
		if (!add(words, n, strdup(session_device_name(s, i))))
			return false;
	return true;
}

char **stat_words(const struct options *o, const struct session *s)
{
	char **words = calloc(session_device_count(s) + WORDS, sizeof(*words));
	size_t n = 0;

	if (words && add(words, &n, program("btstat")) &&
	    (!o->directory || (add(words, &n, strdup("-D")) &&
			       add(words, &n, strdup(o->directory)))) &&
	    add_names(words, &n, o, s))
		return words;
	free_words(words);
	return NULL;
}

int stat_run(char **words)
{
	struct child c;
	int status = 1;

	if (words && !child_new(&c, words, NULL, STDOUT_FILENO)) {
		child_start(&c);
		status = child_wait(&c);
	}
	free_words(words);
	return status;
}
