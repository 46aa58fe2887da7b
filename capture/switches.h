/*
 * A kernel's switches: small text files below one directory.  They are set
 * for a while and then read what they read before.
 */
#ifndef CAPTURE_SWITCHES_H
#define CAPTURE_SWITCHES_H

#include <stddef.h>

enum {
	SWITCH_TEXT = 512,	/* bytes of a switch's text, its end included */
	SWITCH_PATH = 512,	/* bytes of a path to one */
	SWITCH_WHY = 512,	/* bytes of a reason */
};

struct switch_former;

/* all zero but the root: nothing changed yet */
struct switches {
	const char *root;	/* the directory; the caller's */
	struct switch_former *list;
	size_t count;
	char why[SWITCH_WHY];	/* the first failure; "" if there was none */
};

/* Functions return 0 or -errno; a failure leaves its reason in `why`. */

/* the first line of any file, without its end; tells no reason */
int switch_read(const char *path, char text[SWITCH_TEXT]);

/* text into any file; tells no reason */
int switch_write(const char *path, const char *text);

/* root/name into path, which is returned */
char *switches_path(const struct switches *s, const char *name,
		    char path[SWITCH_PATH]);

/*
 * What the switch is set to: "b" of "a [b] c", "1408" of "7 (expanded: 1408)",
 * else all its text.
 */
int switches_get(struct switches *s, const char *name,
		 char value[SWITCH_TEXT]);

/* sets a switch for good; nothing is remembered */
int switches_force(struct switches *s, const char *name, const char *value);

/* remembers that name has to be `former` in the end */
int switches_keep(struct switches *s, const char *name, const char *former);

/*
 * Sets a switch for now.  One that this kernel has not is as good as set, and
 * one that is set already is left alone.
 */
int switches_put(struct switches *s, const char *name, const char *value);

/* the same for a number that may as well be larger */
int switches_raise(struct switches *s, const char *name, size_t value);

/* puts all back, the last first, whatever fails; gives the first failure */
int switches_restore(struct switches *s);

/* err, with "name: what" as its reason if it is the first */
int switches_fail(struct switches *s, int err, const char *name,
		  const char *what);

#endif
