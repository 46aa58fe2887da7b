/* SPDX-License-Identifier: GPL-2.0-only */
/* Anonymises cards, and the names of a trace's files. */
#ifndef TOOLS_BTPACK_DISGUISE_CARD_H
#define TOOLS_BTPACK_DISGUISE_CARD_H

#include <stdbool.h>

#include "tools/btpack/recard.h"

struct disguise;		/* tools/btpack/disguise.h */

/* A recard_change, whose ctx is a struct disguise.  Values that are not known
 * are left out. */
bool disguise_card(void *disguise, struct recard_value *v);

/*
 * The name of a member, which the caller frees; NULL: no memory.  Names that
 * the kernel gives to disks stay, as sda in sda.blktrace.0; others, and
 * directories, become words.
 */
char *disguise_name(const struct disguise *d, const char *name);

#endif
