/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files with keys in them, which not everybody may read.
 */
#ifndef TRANSPORT_SECRET_H
#define TRANSPORT_SECRET_H

#include <stddef.h>
#include <stdint.h>

enum {
	SECRET_MAX = 8 << 20,	/* bytes of a file */
	SECRET_WHY = 160,
};

/*
 * All of the file, with a NUL behind it that *len does not count, for
 * secret_free().  NULL, and why: it cannot be read, is too long, or others than
 * its owner and its group have a part in it, or the group may write to it.
 */
char *secret_read(const char *path, size_t *len, char why[SECRET_WHY]);

/* overwrites len bytes before it frees them; NULL is fine */
void secret_free(void *bytes, size_t len);

#endif
