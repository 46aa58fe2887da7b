/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files a process can still open: by Landlock, which needs no rights and
 * is there since Linux 5.13 where the kernel was built and started with it.
 * What is open already stays open.  What was once given up does not come back,
 * and programs that are started are bound by it, too.
 */
#ifndef CONFINE_PLACES_H
#define CONFINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

enum place_use {
	PLACE_LIST,		/* names in directories */
	PLACE_READ,		/* and what is in files */
	PLACE_WRITE,		/* what is in files, new or old, and read it */
	PLACE_STORE,		/* make directories, and make and write files */
	PLACE_KEEP,		/* all of these; rename and remove files */
};

struct places {
	int fd;			/* the rules so far; -1: none can be made */
	uint64_t handled;	/* what is forbidden where no rule allows it */
};

/* the kernel's version of Landlock, or 0: there is none */
int places_version(void);

/*
 * Begins with nothing allowed.  With net, TCP ports can neither be listened on
 * nor connected to afterwards, if the kernel (6.7) can do that.  0; or -ENOSYS
 * or -EOPNOTSUPP: there is no Landlock.
 */
int places_open(struct places *p, bool net);

/*
 * Allows to use a file, or a directory with all below it.  path may be a link,
 * then it is about what that points to.  What is not there cannot be allowed;
 * what is no file, like a pipe, need not be.  0 or -errno.
 */
int places_allow(struct places *p, const char *path, enum place_use use);
/* the same of what fd is open for */
int places_allow_fd(struct places *p, int fd, enum place_use use);

/*
 * From now on nothing else is allowed, nor are programs with more rights than
 * their caller (PR_SET_NO_NEW_PRIVS).  Closes p.  0 or -errno.
 */
int places_enforce(struct places *p);

void places_close(struct places *p);

#endif
