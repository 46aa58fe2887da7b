/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A packet command's payload as hexadecimal text, "28 00 00 10 ..", where ".."
 * stands for trailing zeros.
 */
#ifndef EMIT_CDB_H
#define EMIT_CDB_H

#include <stdbool.h>

struct event;			/* record/record.h */

/* whether ev has a payload besides its cgroup id */
bool cdb_any(const struct event *ev);

/* renders it at p, which has 3 bytes for each byte of payload and 3 more;
 * returns its end */
char *cdb_text(char *p, const struct event *ev);

#endif
