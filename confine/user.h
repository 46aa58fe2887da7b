/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Giving up root for an ordinary user, groups and all.
 */
#ifndef CONFINE_USER_H
#define CONFINE_USER_H

#include <sys/types.h>

struct user {
	const char *name;	/* the caller's */
	uid_t uid;
	gid_t gid;		/* the group that it logs in with */
};

/* looks name up; 0, -ENOENT: there is no such user, or -errno */
int user_find(struct user *u, const char *name);

/*
 * Becomes that user in all respects, with its groups, for good.  0; or -errno,
 * -EPERM also if root could be had again: the caller has to end then.
 */
int user_become(const struct user *u);

#endif
