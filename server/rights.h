/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the server gives up after binding and before the first input: root, all
 * files except those below its directory, and system calls that it does not make.
 */
#ifndef SERVER_RIGHTS_H
#define SERVER_RIGHTS_H

#include <stdbool.h>

struct store;			/* server/store.h */
struct tokens;			/* server/tokens.h */

enum { RIGHTS_WHY = 128 };

/* what the server needs for its work */
struct rights {
	const struct store *store;
	const struct tokens *tokens;
	bool removes;		/* files of the store */
};

/*
 * Becomes user (NULL: does not), who gets a new directory of the store, guards
 * its memory, and confines itself as far as the kernel can.  0; or -1 and why.
 */
int rights_give_up(const struct rights *r, const char *user,
		   char why[RIGHTS_WHY]);

#endif
