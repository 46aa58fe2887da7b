/* Switches of the kernel, set for a while; see switches.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/switches.h"

struct switch_former {
	char *name;		/* below the root */
	char *value;		/* what it was set to before us */
};

/* What follows from the first failure helps nobody. */
int switches_fail(struct switches *s, int err, const char *name,
		  const char *what)
{
	if (!*s->why)
		snprintf(s->why, SWITCH_WHY, "%.300s: %.200s", name, what);
	return err;
}

static int fail_errno(struct switches *s, int err, const char *path)
{
	return err ? switches_fail(s, err, path, strerror(-err)) : 0;
}

int switch_read(const char *path, char text[SWITCH_TEXT])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;
	int err;

	if (fd < 0)
		return -errno;
	len = read(fd, text, SWITCH_TEXT - 1);
	err = len < 0 ? -errno : 0;
	close(fd);
	text[len < 0 ? 0 : len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return err;
}

int switch_write(const char *path, const char *text)
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

char *switches_path(const struct switches *s, const char *name,
		    char path[SWITCH_PATH])
{
	snprintf(path, SWITCH_PATH, "%s/%s", s->root, name);
	return path;
}

/*
 * A choice shows all there is to choose from, and a buffer of "7 (expanded:
 * 1408)" waits for its first user to become 1408: 7 would be less for good.
 */
static void value_of(char text[SWITCH_TEXT])
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

int switches_get(struct switches *s, const char *name, char value[SWITCH_TEXT])
{
	char path[SWITCH_PATH];
	int err = switch_read(switches_path(s, name, path), value);

	if (!err)
		value_of(value);
	return fail_errno(s, err, path);
}

int switches_force(struct switches *s, const char *name, const char *value)
{
	char path[SWITCH_PATH];

	switches_path(s, name, path);
	return fail_errno(s, switch_write(path, value), path);
}

int switches_keep(struct switches *s, const char *name, const char *former)
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

/* Remembered before it is written: a write that fails may have done half. */
static int change(struct switches *s, const char *name, const char *former,
		  const char *value)
{
	int err = switches_keep(s, name, former);

	return err ? err : switches_force(s, name, value);
}

int switches_put(struct switches *s, const char *name, const char *value)
{
	char path[SWITCH_PATH], former[SWITCH_TEXT];
	int err = switch_read(switches_path(s, name, path), former);

	if (err)
		return err == -ENOENT ? 0 : fail_errno(s, err, path);
	value_of(former);
	return strcmp(former, value) ? change(s, name, former, value) : 0;
}

int switches_raise(struct switches *s, const char *name, size_t value)
{
	char former[SWITCH_TEXT], text[32];
	int err = switches_get(s, name, former);

	if (err || strtoull(former, NULL, 10) >= value)
		return err;
	snprintf(text, sizeof(text), "%zu", value);
	return change(s, name, former, text);
}

int switches_restore(struct switches *s)
{
	int first = 0;

	while (s->count) {
		struct switch_former *last = &s->list[--s->count];
		int err = switches_force(s, last->name, last->value);

		first = first ? first : err;
		free(last->name);
		free(last->value);
	}
	free(s->list);
	s->list = NULL;
	return first;
}
