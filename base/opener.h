/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that opens, makes, renames and removes files for another one which
 * has given up doing so, and only those files whose names were listed before.
 *
 * One call at a time: there are no numbers in the messages.
 */
#ifndef BASE_OPENER_H
#define BASE_OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* the caller's end; NULL stands for none, and so does one of zeros */
struct opener {
	int fd;			/* never one of the three standard streams */
};

enum opener_match {
	OPENER_EXACT,		/* begin is the name */
	OPENER_ONE,		/* anything without / is between begin and end */
	OPENER_BELOW,		/* the same with /, but for ".." */
};

struct opener_name {
	enum opener_match match;
	const char *begin, *end;	/* end NULL: "" */
	const char *has;	/* is somewhere between them; NULL: "" */
};

/* whether path is one of the names */
bool opener_lists(const struct opener_name *names, size_t count,
		  const char *path);

/*
 * Serves fd, a socket of opener_pair(), until its other end is closed: relative
 * names are relative to this process's directory, and files are made with its
 * umask.  What is there already is only written to.  A signal that is caught
 * ends it, too.
 */
void opener_serve(int fd, const struct opener_name *names, size_t count);

/* two ends, for the caller and the server: 0 or -errno */
int opener_pair(int fds[2]);

/*
 * As open(2), mkdir(2), rename(2), remove(3): by the opener, if there is one,
 * the names are listed, and it may; else by this process.
 */
int opener_open(const struct opener *o, const char *path, int flags,
		mode_t mode);
int opener_mkdir(const struct opener *o, const char *path, mode_t mode);
int opener_rename(const struct opener *o, const char *from, const char *to);
int opener_remove(const struct opener *o, const char *path);

#endif
