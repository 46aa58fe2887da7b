/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel settings, small text files below one directory: set for a while, and
 * then restored.
 */
#ifndef CAPTURE_FROM_FTRACE_SETTINGS_H
#define CAPTURE_FROM_FTRACE_SETTINGS_H

#include <stddef.h>

enum {
	SETTING_TEXT = 512,	/* bytes of a setting's text, with its NUL */
	SETTING_PATH = 512,	/* bytes of a path to one */
	SETTING_WHY = 512,	/* bytes of a reason */
};

struct switch_former;

/* all zero but the root: nothing changed yet */
struct settings {
	const char *root;	/* the directory; not owned */
	struct switch_former *list;
	size_t count;
	char why[SETTING_WHY];	/* the first failure; "": none */
};

/* Functions return 0 or -errno; a failure leaves its reason in `why`. */

/* writes text to any file; leaves no reason */
int setting_write(const char *path, const char *text);

/* returns root/name in path */
char *settings_path(const struct settings *s, const char *name,
		    char path[SETTING_PATH]);

/* a setting's value: "b" of "a [b] c", "1408" of "7 (expanded: 1408)", else all
 * its text */
int settings_get(struct settings *s, const char *name,
		 char value[SETTING_TEXT]);

/* sets one for good */
int settings_set(struct settings *s, const char *name, const char *value);

/* remembers to restore name to `former` */
int settings_add(struct settings *s, const char *name, const char *former);

/* sets one until settings_restore(), unless the kernel lacks it or it has the
 * value already */
int settings_change(struct settings *s, const char *name, const char *value);

/* the same for a number, unless it is larger */
int settings_raise(struct settings *s, const char *name, size_t value);

/* restores all, the last first, whatever fails; returns the first failure */
int settings_restore(struct settings *s);

/* returns err; if it is the first, its reason is "name: what" */
int settings_fail(struct settings *s, int err, const char *name,
		  const char *what);

#endif
