/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up root for an ordinary user and its groups. */
#ifndef CONFINE_USER_H
#define CONFINE_USER_H

#include <sys/types.h>

struct user {
	const char *name;	/* not owned */
	uid_t uid;
	gid_t gid;		/* its login group */
};

/* looks name up; 0, -ENOENT: no such user, or -errno */
int user_find(struct user *u, const char *name);

/* becomes that user, with its groups, for good; 0; or -errno, after which the
 * caller must end; -EPERM also if we could become root again */
int user_become(const struct user *u);

#endif
