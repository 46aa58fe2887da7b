/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A packet command's payload as hexadecimal text: "28 00 00 10 ..", where the
 * two dots stand for zeros up to the end.
 */
#ifndef EMIT_CDB_H
#define EMIT_CDB_H

#include <stdbool.h>

struct event;			/* record/record.h */

/* whether there is any, its cgroup id not counted */
bool cdb_any(const struct event *ev);

/* renders it at p, 3 bytes of room for each of the payload's and 3 more;
 * returns the end */
char *cdb_text(char *p, const struct event *ev);

#endif
