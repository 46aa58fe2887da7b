/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block devices as operands: blktrace captures them, and the program reads that
 * trace.  Without --keep it is in a private directory below TMPDIR (/tmp), which
 * is removed when the program has ended, however it does.
 */
#ifndef CLI_CAPTURED_H
#define CLI_CAPTURED_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/set.h"

struct window;			/* run/window.h */

struct captured {
	const char *keep;	/* --keep, or NULL: remove the trace */
	char *directory;	/* of the trace; NULL: --keep has it */
	char **names;		/* of the trace, count of them; or NULL */
	size_t count;
};

/* the row of the option, a struct captured of the program's options */
#define CAPTURED_KEEP(options, field) \
	.name = "keep", .argument = "NAME", \
	.help = "of a DEVICE, keep the trace: NAME.blktrace.CPU, or files in" \
		" NAME/", \
	.completes = CLI_FILE, CLI_TEXT(options, field.keep)

struct captured_operands {
	const char **names;	/* count of them; replaced by the trace's */
	size_t count;
	const char **directory;	/* -D, or NULL; becomes the private one.  A NULL
				 * pointer: the names are paths, as they are of
				 * a trace that is kept */
	struct window *window;	/* -w; WINDOW_ALL: no part is left out */
	bool progress;		/* show blktrace's progress line */
};

/* whether it is a block device */
bool captured_is_device(const char *name);

/*
 * Captures the devices, if they are: for 10 s, or up to the window's end, or
 * until a signal.  Then the operands are the trace's, which *c owns.  Ends the
 * program if only some are devices, if --keep or -D do not fit, and if blktrace
 * fails, which reports why.
 *
 * Call it before catching signals and starting threads: without --keep it
 * returns in a child, and the parent ends as that does.
 */
void captured_take(struct captured *c, const struct captured_operands *o);

void captured_free(struct captured *c);

#endif
