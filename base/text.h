/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small text files, such as the kernel has in procfs and sysfs: one line, read
 * at once, of which a part is all that is wanted; and texts in memory.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The first line of a file, without its end, cut to size - 1 characters.
 * 0, or -errno with text empty.
 */
int text_read(const char *path, char *text, size_t size);

/* Both: 0, or -errno with nothing changed, -EINVAL if it is something else. */

/* the decimal number that a file begins with */
int text_number(const char *path, uint64_t *number);

/* the device that a file's "major:minor" names */
int text_device(const char *path, dev_t *named);

/*
 * asprintf(3), but for one allocation only, which fails as a whole: *text is the
 * caller's to free; NULL: no memory.  Its length, or -1.
 */
int text_print(char **text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
