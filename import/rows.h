/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole I/Os, each of which becomes the events that its times stand for: Q, D,
 * C.  Where its issue was not measured, D is at Q's time, and where its
 * completion was not, C is: import_to.about() must say so, as rows_lack() has
 * it.
 */
#ifndef IMPORT_ROWS_H
#define IMPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "import/import.h"
#include "import/order.h"

struct row;			/* import/columns.h */

struct rows {
	struct import_order order;
	const struct import_to *to;
	struct import_to between;	/* what order hands over to */
	const char *prefix;	/* of a device's name, "vol" or "" */
	unsigned int times;	/* enum row_times that rows have */
	bool by_end;		/* they are in order of completion */
	uint64_t newest;	/* ns, of all rows */
	struct hash devices;	/* numbers by name */
	uint32_t device_count;
};

/* to must outlive w, which must not move */
void rows_init(struct rows *w, const struct import_to *to, unsigned int times,
	       bool by_end);
void rows_free(struct rows *w);

/* 0, -ENOMEM, or what to returns; -ERANGE: no I/O is so large or far */
int rows_add(struct rows *w, const struct row *r);

/* hands over what is held, as rows_add() */
int rows_end(struct rows *w);

/* what rows with these times lack, for import_about */
const char *rows_lack(unsigned int times);

#endif
