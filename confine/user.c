/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up root; see user.h. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "confine/user.h"

int user_find(struct user *u, const char *name)
{
	const struct passwd *found;

	errno = 0;
	found = getpwnam(name);
	if (!found)
		return errno ? -errno : -ENOENT;
	*u = (struct user){ name, found->pw_uid, found->pw_gid };
	return 0;
}

/* Groups first, while we are root. */
int user_become(const struct user *u)
{
	if (initgroups(u->name, u->gid) ||
	    setresgid(u->gid, u->gid, u->gid) ||
	    setresuid(u->uid, u->uid, u->uid))
		return -errno;
	if (u->uid && (!setuid(0) || !seteuid(0)))
		return -EPERM;
	return 0;
}
