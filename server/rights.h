/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the server gives up after binding and before the first input: root, all
 * files except those below its directory, and system calls that it does not make.
 */
#ifndef SERVER_RIGHTS_H
#define SERVER_RIGHTS_H

#include <stdbool.h>

struct store;			/* server/store.h */

enum { RIGHTS_WHY = 128 };

/*
 * Becomes user (NULL: does not), who gets a new directory of the store, guards
 * its memory, and confines itself as far as the kernel can; removes: files may be
 * removed there, too.  0; or -1 and why.
 */
int rights_give_up(const struct store *s, const char *user, bool removes,
		   char why[RIGHTS_WHY]);

#endif
