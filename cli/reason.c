/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a trace was written; see reason.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/reason.h"
#include "file/source.h"

enum { FILE_MOST = 4096, HEX_DIGITS = 4, ASCII_FIRST = ' ', ASCII_LAST = '~' };

static ssize_t read_packed(const char *path, char bytes[FILE_MOST])
{
	struct source *s;
	ssize_t n = -1;

	if (!source_open(&s, path)) {
		n = source_fill(s, bytes, FILE_MOST - 1);
		source_close(s);
	}
	return n;
}

static ssize_t read_file(const char *path, char bytes[FILE_MOST])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return errno == ENOTDIR ? read_packed(path, bytes) : -1;
	n = read(fd, bytes, FILE_MOST - 1);
	close(fd);
	return n;
}

/* How many bytes were read from the start of the file; 0 on failure. */
static size_t read_begin(const char *directory, char bytes[FILE_MOST])
{
	char *path;
	ssize_t n = -1;

	if (asprintf(&path, "%s/cause.json", directory) >= 0) {
		n = read_file(path, bytes);
		free(path);
	}
	bytes[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* \uXXXX: visible ASCII, or ? for all else. */
static char read_unicode(const char **text)
{
	char digits[HEX_DIGITS + 1] = "", *end;
	long n;

	strncat(digits, *text, HEX_DIGITS);
	n = strtol(digits, &end, 16);
	*text += strlen(digits);
	return *end || n < ASCII_FIRST || n > ASCII_LAST ? '?' : (char)n;
}

/* After a backslash; control characters become blanks. */
static char read_escaped(const char **text)
{
	char c = **text;

	*text += c != '\0';
	if (c == 'u')
		return read_unicode(text);
	return c == '"' || c == '\\' || c == '/' ? c : ' ';
}

/* A string from after its first quote; false: it has no end. */
static bool read_string(const char *text, char to[FILE_MOST])
{
	size_t len = 0;

	while (*text && *text != '"') {
		char c = *text++;

		to[len++] = c == '\\' ? read_escaped(&text) : c;
	}
	to[len] = '\0';
	return *text == '"';
}

bool reason_read(const char *directory, char text[REASON_TEXT])
{
	static const char begin[] = "{\"text\":\"";
	char bytes[FILE_MOST], plain[FILE_MOST];

	if (read_begin(directory, bytes) < sizeof(begin) - 1 ||
	    memcmp(bytes, begin, sizeof(begin) - 1) ||
	    !read_string(bytes + sizeof(begin) - 1, plain))
		return false;
	escape_text(text, REASON_TEXT, plain, strlen(plain));
	return true;
}
