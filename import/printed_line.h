/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of blkparse's default text, as doc/blkparse.1 describes it. */
#ifndef IMPORT_PRINTED_LINE_H
#define IMPORT_PRINTED_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct printed;			/* import/printed_event.h */
struct scan;			/* import/scan.h */

/* Takes the line in *s apart into *p, which is empty.  false: s says what was
 * expected where. */
bool printed_line(struct scan *s, struct printed *p);

/* whether it begins as the line of an event */
bool printed_line_is(const char *line, size_t len);

/* A device, time or cgroup id, of which formats have the same text. */
bool printed_device(struct scan *s, struct printed *p);
bool printed_seconds(struct scan *s, struct printed *p);
bool printed_ns(struct scan *s, struct printed *p);
bool printed_cgroup(struct scan *s, struct printed *p);

#endif
