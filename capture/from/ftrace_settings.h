/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel's settings: small text files below one directory.  They are set
 * for a while and then read what they read before.
 */
#ifndef CAPTURE_FROM_FTRACE_SETTINGS_H
#define CAPTURE_FROM_FTRACE_SETTINGS_H

#include <stddef.h>

enum {
	SETTING_TEXT = 512,	/* bytes of a setting's text, its end included */
	SETTING_PATH = 512,	/* bytes of a path to one */
	SETTING_WHY = 512,	/* bytes of a reason */
};

struct switch_former;

/* all zero but the root: nothing changed yet */
struct settings {
	const char *root;	/* the directory; the caller's */
	struct switch_former *list;
	size_t count;
	char why[SETTING_WHY];	/* the first failure; "" if there was none */
};

/* Functions return 0 or -errno; a failure leaves its reason in `why`. */

/* text into any file; leaves no reason */
int setting_write(const char *path, const char *text);

/* root/name into path, which is returned */
char *settings_path(const struct settings *s, const char *name,
		    char path[SETTING_PATH]);

/*
 * What the setting is to: "b" of "a [b] c", "1408" of "7 (expanded: 1408)",
 * else all its text.
 */
int settings_get(struct settings *s, const char *name,
		 char value[SETTING_TEXT]);

/* sets one for good; nothing is remembered */
int settings_set(struct settings *s, const char *name, const char *value);

/* remembers that name has to be `former` in the end */
int settings_add(struct settings *s, const char *name, const char *former);

/*
 * Sets one for now.  One that this kernel has not is as good as set, and
 * one that is set already is left alone.
 */
int settings_change(struct settings *s, const char *name, const char *value);

/* the same for a number that may as well be larger */
int settings_raise(struct settings *s, const char *name, size_t value);

/* puts all back, the last first, whatever fails; gives the first failure */
int settings_restore(struct settings *s);

/* err, with "name: what" as its reason if it is the first */
int settings_fail(struct settings *s, int err, const char *name,
		  const char *what);

#endif
