/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits the files that a process and its children can open, for ever, by
 * Landlock (since Linux 5.13, if the kernel was built and started with it),
 * which needs no rights.  Open files stay open.
 */
#ifndef CONFINE_PLACES_H
#define CONFINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

enum place_use {
	PLACE_LIST,		/* names in directories */
	PLACE_READ,		/* and files' contents */
	PLACE_WRITE,		/* read and write contents of files */
	PLACE_STORE,		/* make directories; make, read and write files */
	PLACE_KEEP,		/* all of these; rename and remove files */
};

struct places {
	int fd;			/* the rules so far; -1: no rules possible */
	uint64_t handled;	/* forbidden unless a rule allows it */
};

/* the kernel's version of Landlock; 0: none */
int places_version(void);

/*
 * Starts with nothing allowed; with net, also without TCP bind and connect, if
 * the kernel (6.7) can do that.  0; or -ENOSYS or -EOPNOTSUPP: no Landlock.
 */
int places_open(struct places *p, bool net);

/*
 * Allows the use of a file, or of a directory and all below it; follows a link.
 * path must exist; a pipe needs no rule.  0 or -errno.
 */
int places_allow(struct places *p, const char *path, enum place_use use);
/* the same for the file of fd */
int places_allow_fd(struct places *p, int fd, enum place_use use);

/* enforces the rules, and PR_SET_NO_NEW_PRIVS; closes p.  0 or -errno */
int places_enforce(struct places *p);

void places_close(struct places *p);

#endif
