/* SPDX-License-Identifier: GPL-2.0-only */
/* Files with keys; see secret.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/secret.h"

enum {
	FIRST = 4096,
	/* a key that others know, or may change, is none */
	SHARED = S_IRWXO | S_IWGRP,
};

static bool is_shared(int fd, mode_t *mode)
{
	struct stat st;

	if (fstat(fd, &st))
		return true;
	*mode = st.st_mode & 07777;
	return st.st_mode & SHARED;
}

/* Twice the room; the bytes are not left behind where realloc() moves from. */
static char *grow(char *bytes, size_t len, size_t *size)
{
	char *larger = malloc(2 * *size + 1);

	if (larger)
		memcpy(larger, bytes, len);
	secret_free(bytes, len);
	*size *= 2;
	return larger;
}

/* All that comes, maybe through a pipe; NULL with errno. */
static char *read_all(int fd, size_t *len)
{
	size_t size = FIRST;
	char *bytes = malloc(size + 1);

	*len = 0;
	while (bytes) {
		ssize_t n = read(fd, bytes + *len, size - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || *len > SECRET_MAX) {
			secret_free(bytes, *len);
			errno = n < 0 ? errno : EFBIG;
			return NULL;
		}
		if (n == 0) {
			bytes[*len] = '\0';
			return bytes;
		}
		*len += (size_t)n;
		if (*len == size)
			bytes = grow(bytes, *len, &size);
	}
	errno = ENOMEM;
	return NULL;
}

char *secret_read(const char *path, size_t *len, char why[SECRET_WHY])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes = NULL;
	mode_t mode = 0;

	if (fd >= 0 && is_shared(fd, &mode)) {
		snprintf(why, SECRET_WHY, "%.100s: others have a part in it"
			 " (mode %04o): chmod 600", path, mode);
		close(fd);
		return NULL;
	}
	if (fd >= 0)
		bytes = read_all(fd, len);
	if (!bytes)
		snprintf(why, SECRET_WHY, "%.100s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return bytes;
}

void secret_free(void *bytes, size_t len)
{
	if (bytes)
		explicit_bzero(bytes, len);
	free(bytes);
}
