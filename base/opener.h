/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that opens, makes, renames and removes files for a sandboxed one,
 * if their names were listed before.  One call at a time.
 */
#ifndef BASE_OPENER_H
#define BASE_OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* the caller's end; NULL and all zeros mean no opener */
struct opener {
	int fd;			/* no standard stream */
};

enum opener_match {
	OPENER_EXACT,		/* begin is the name */
	OPENER_ONE,		/* any text without / between begin and end */
	OPENER_BELOW,		/* any text without ".." between them */
};

struct opener_name {
	enum opener_match match;
	const char *begin, *end;	/* end may be NULL */
	const char *has;	/* somewhere between them; or NULL */
	bool reads;		/* it may be opened for reading, and nothing else */
};

/* whether path is one of the names */
bool opener_lists(const struct opener_name *names, size_t count,
		  const char *path);

/*
 * Serves fd, a socket of opener_pair(), until its other end is closed or a
 * signal is caught, with this process's directory and umask.  Existing files
 * are only opened for writing, but for those that may only be read.
 */
void opener_serve(int fd, const struct opener_name *names, size_t count);

/* two ends, for the caller and the server: 0 or -errno */
int opener_pair(int fds[2]);

/*
 * As open(2), mkdir(2), rename(2), remove(3), by the opener; or by this process
 * if there is none, it does not list a name, or may not do it.
 */
int opener_open(const struct opener *o, const char *path, int flags,
		mode_t mode);
int opener_mkdir(const struct opener *o, const char *path, mode_t mode);
int opener_rename(const struct opener *o, const char *from, const char *to);
int opener_remove(const struct opener *o, const char *path);

#endif
