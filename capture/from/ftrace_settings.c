/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel settings, set for a while; see ftrace_settings.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "capture/from/ftrace_settings.h"

struct switch_former {
	char *name;		/* below the root */
	char *value;		/* before us */
};

/* Later failures follow from the first. */
int settings_fail(struct settings *s, int err, const char *name,
		  const char *what)
{
	if (!*s->why)
		snprintf(s->why, SETTING_WHY, "%.300s: %.200s", name, what);
	return err;
}

static int fail_errno(struct settings *s, int err, const char *path)
{
	return err ? settings_fail(s, err, path, strerror(-err)) : 0;
}

int setting_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t len = strlen(text);
	ssize_t done;
	int err = 0;

	if (fd < 0)
		return -errno;
	done = write(fd, text, len);
	if (done < 0)
		err = -errno;
	else if ((size_t)done < len)
		err = -EIO;
	close(fd);
	return err;
}

char *settings_path(const struct settings *s, const char *name,
		    char path[SETTING_PATH])
{
	snprintf(path, SETTING_PATH, "%s/%s", s->root, name);
	return path;
}

/*
 * A choice lists all its values.  A buffer of "7 (expanded: 1408)" becomes 1408
 * at its first use; restoring 7 would shrink it.
 */
static void value_of(char text[SETTING_TEXT])
{
	static const char grown[] = "(expanded: ";
	char *from = strchr(text, '['), *end;

	if (from)
		from++;
	else if ((from = strstr(text, grown)))
		from += sizeof(grown) - 1;
	else
		return;
	end = from + strcspn(from, "])");
	memmove(text, from, (size_t)(end - from));
	text[end - from] = '\0';
}

int settings_get(struct settings *s, const char *name, char value[SETTING_TEXT])
{
	char path[SETTING_PATH];
	int err = text_read(settings_path(s, name, path), value,
			    SETTING_TEXT);

	if (!err)
		value_of(value);
	return fail_errno(s, err, path);
}

int settings_set(struct settings *s, const char *name, const char *value)
{
	char path[SETTING_PATH];

	settings_path(s, name, path);
	return fail_errno(s, setting_write(path, value), path);
}

int settings_add(struct settings *s, const char *name, const char *former)
{
	size_t size = (s->count + 1) * sizeof(*s->list);
	struct switch_former *list = realloc(s->list, size), *last;

	if (!list)
		return fail_errno(s, -ENOMEM, name);
	s->list = list;
	last = &list[s->count];
	last->name = strdup(name);
	last->value = strdup(former);
	if (last->name && last->value) {
		s->count++;
		return 0;
	}
	free(last->name);
	free(last->value);
	return fail_errno(s, -ENOMEM, name);
}

/* Remembers first, as a failed write may have done half. */
static int change(struct settings *s, const char *name, const char *former,
		  const char *value)
{
	int err = settings_add(s, name, former);

	return err ? err : settings_set(s, name, value);
}

int settings_change(struct settings *s, const char *name, const char *value)
{
	char path[SETTING_PATH], former[SETTING_TEXT];
	int err = text_read(settings_path(s, name, path), former,
			    sizeof(former));

	if (err)
		return err == -ENOENT ? 0 : fail_errno(s, err, path);
	value_of(former);
	return strcmp(former, value) ? change(s, name, former, value) : 0;
}

int settings_raise(struct settings *s, const char *name, size_t value)
{
	char former[SETTING_TEXT], text[32];
	int err = settings_get(s, name, former);

	if (err || strtoull(former, NULL, 10) >= value)
		return err;
	snprintf(text, sizeof(text), "%zu", value);
	return change(s, name, former, text);
}

int settings_restore(struct settings *s)
{
	int first = 0;

	while (s->count) {
		struct switch_former *last = &s->list[--s->count];
		int err = settings_set(s, last->name, last->value);

		first = first ? first : err;
		free(last->name);
		free(last->value);
	}
	free(s->list);
	s->list = NULL;
	return first;
}
