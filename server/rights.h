/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the server gives up once it listens and before it reads what anybody
 * sends: root, all files but those below its directory, and system calls that
 * it does not make.
 */
#ifndef SERVER_RIGHTS_H
#define SERVER_RIGHTS_H

struct store;			/* server/store.h */

enum { RIGHTS_WHY = 128 };

/*
 * Becomes user, NULL: stays who it is; a directory that the store has made
 * becomes user's as well.  Then confines itself, as far as the kernel can do
 * that.  0; or -1, and why has the reason.
 */
int rights_give_up(const struct store *s, const char *user,
		   char why[RIGHTS_WHY]);

#endif
