/* SPDX-License-Identifier: GPL-2.0-only */
/* Small text files, and texts; see text.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.h"

enum { NUMBERS = 64 };		/* bytes of a line of one or two numbers */

int text_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? errno : 0;
	ssize_t len = 0;

	if (!err) {
		len = read(fd, text, size - 1);
		err = len < 0 ? errno : 0;
		close(fd);
	}
	text[err ? 0 : len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return -err;
}

int text_number(const char *path, uint64_t *number)
{
	char text[NUMBERS], *end;
	int err = text_read(path, text, sizeof(text));
	uint64_t n;

	if (err)
		return err;
	n = strtoull(text, &end, 10);
	if (end == text)
		return -EINVAL;
	*number = n;
	return 0;
}

int text_device(const char *path, dev_t *named)
{
	unsigned int major, minor;
	char text[NUMBERS];
	int err = text_read(path, text, sizeof(text));

	if (err)
		return err;
	if (sscanf(text, "%u:%u", &major, &minor) != 2)
		return -EINVAL;
	*named = makedev(major, minor);
	return 0;
}

int text_print(char **text, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	*text = len < 0 ? NULL : malloc((size_t)len + 1);
	if (!*text)
		return -1;
	va_start(ap, fmt);
	vsnprintf(*text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return len;
}
