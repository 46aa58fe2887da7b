/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of processes, from tracefs' saved_cmdlines and from /proc.
 *
 * saved_cmdlines is text, a line "PID NAME" for each of the last few thousand
 * tasks that left an event; the name is the task's at that moment.  /proc is
 * the second choice: it knows the living only, by what they call themselves
 * now, and writes what a kworker works at behind the worker's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/from/ftrace_names.h"

enum {
	TEXT_STEP = 32 << 10,
	TEXT_MAX = 4 << 20,	/* far above what a list of names can be */
};

/* room for one more step of text and the end; false: no memory, or too much */
static bool text_grow(struct ftrace_names *n)
{
	size_t need = n->len + TEXT_STEP + 1;
	char *text;

	if (need <= n->size)
		return true;
	if (need > TEXT_MAX)
		return false;
	text = realloc(n->text, need);
	if (!text)
		return false;
	n->text = text;
	n->size = need;
	return true;
}

/* All of fd's text, or as much as there was memory for. */
static void text_read(struct ftrace_names *n, int fd)
{
	ssize_t got;

	n->len = 0;
	while (text_grow(n)) {
		got = read(fd, n->text + n->len, TEXT_STEP);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n->len += (size_t)got;
	}
	if (n->text)
		n->text[n->len] = '\0';
}

static void list_read(struct ftrace_names *n, const char *tracefs)
{
	char path[320];
	int fd;

	n->fresh = n->newest = true;
	snprintf(path, sizeof(path), "%s/saved_cmdlines", tracefs);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	text_read(n, fd);
	close(fd);
}

/* copies up to the end of a line; what is too long is cut as the kernel does */
static void name_copy(char name[NOTES_NAME], const char *text)
{
	size_t len = strcspn(text, "\n");

	if (len > NOTES_NAME - 1)
		len = NOTES_NAME - 1;
	memset(name, 0, NOTES_NAME);
	memcpy(name, text, len);
}

/* looks for a line that begins with pid */
static bool list_find(const struct ftrace_names *n, uint32_t pid,
		      char name[NOTES_NAME])
{
	char key[16];
	size_t len = (size_t)snprintf(key, sizeof(key), "%u ", pid);
	const char *line = n->len ? n->text : NULL;

	while (line && strncmp(line, key, len) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || line[len] == '\0')
		return false;
	name_copy(name, line + len);
	return true;
}

/*
 * "kworker/u8:2-loop0" is worker "kworker/u8:2" at work on loop0, or lately.
 * Rescuers keep their dash: "kworker/R-loop0" is the whole name.
 */
static void worker_strip(char *text)
{
	static const char prefix[] = "kworker/";
	char *rest = text + sizeof(prefix) - 1;

	if (strncmp(text, prefix, sizeof(prefix) - 1) == 0 && *rest != 'R')
		rest[strcspn(rest, "-+\n")] = '\0';
}

static bool proc_find(uint32_t pid, char name[NOTES_NAME])
{
	char text[80];
	ssize_t len;
	int fd;

	snprintf(text, sizeof(text), "/proc/%u/comm", pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return false;
	text[len] = '\0';
	worker_strip(text);
	name_copy(name, text);
	return true;
}

void ftrace_names_get(struct ftrace_names *n, const char *tracefs,
		      uint32_t pid, char name[NOTES_NAME])
{
	bool found = n->fresh && list_find(n, pid, name);

	if (!found && !n->newest) {
		list_read(n, tracefs);
		found = list_find(n, pid, name);
	}
	if (!found && !proc_find(pid, name))
		name_copy(name, "<...>");
}

void ftrace_names_age(struct ftrace_names *n)
{
	n->fresh = n->newest = false;
}

void ftrace_names_next(struct ftrace_names *n)
{
	n->newest = false;
}

void ftrace_names_free(struct ftrace_names *n)
{
	free(n->text);
	memset(n, 0, sizeof(*n));
}
