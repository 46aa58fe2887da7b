/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel takes marks: debugfs' block/NAME/msg, which is there while
 * a device is traced through relay files, by whichever program.
 *
 * Without the category notify in a trace's mask the kernel takes a mark and
 * writes nothing: such a file is as good as none.
 */
#ifndef CAPTURE_MARK_FILE_H
#define CAPTURE_MARK_FILE_H

#include <stddef.h>

/*
 * Writes len bytes of text into a device's trace, by its name there: 1; 0: it
 * is not traced in this way; or -errno.
 */
int mark_file_write(const char *debugfs, const char *name, const char *text,
		    size_t len);

/* the same into all traces: how many these were, or -errno if there is none */
int mark_file_write_all(const char *debugfs, const char *text, size_t len);

#endif
