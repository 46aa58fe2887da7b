/* SPDX-License-Identifier: GPL-2.0-only */
/* Small text files, as in procfs and sysfs, and allocated texts. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file's first line without newline, cut to size - 1 bytes.  0; or -errno,
 * and text is empty. */
int text_read(const char *path, char *text, size_t size);

/* Both: 0; or -errno (-EINVAL: other text) with nothing changed. */

/* the decimal number at the start of a file */
int text_number(const char *path, uint64_t *number);

/* the device that a file's "major:minor" names */
int text_device(const char *path, dev_t *named);

/* asprintf(3) with a single allocation: the length, and the caller frees *text;
 * or -1 and NULL. */
int text_print(char **text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
