/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exported segments that are sent together.  A batch is listed in the folder, in
 * manifest/batch, before it is sent, and once more when it is there: whoever comes
 * next sends the same batch, or knows that it need not.
 */
#ifndef TOOLS_BTEXPORT_BATCH_H
#define TOOLS_BTEXPORT_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btexport/tables.h"

/* a table of a part */
struct piece {
	char *path;		/* NULL: no such table */
	uint64_t rows;
	uint64_t sum;		/* of the first of its columns that are summed */
	bool there;		/* the server has them */
};

/* a segment */
struct part {
	char *manifest;		/* its path */
	char *trace;
	int32_t segment;
	uint64_t bytes;
	struct piece pieces[TABLES];
};

struct batch {
	const char *folder;
	char *list;		/* the path of its list */
	struct part *parts;	/* by trace */
	size_t count, size;
	uint64_t rows[TABLES], bytes;
	bool listed, sent;	/* the list is there, and says sent */
	bool doubted;		/* some may have been sent before */
	bool starved;		/* memory was short */
};

enum { BATCH_TOKEN = 64 };

/* folder must outlive *b; 0 or -ENOMEM */
int batch_init(struct batch *b, const char *folder);

/* The batch there is, else the one that is listed, else a new one of what waits.
 * false: nothing waits, or a failure, which is reported. */
bool batch_take(struct batch *b);

/* the same for the same batch and table */
void batch_token(const struct batch *b, const char *table,
		 char token[BATCH_TOKEN]);

struct batch_sums {
	uint64_t parts, rows, bytes;	/* rows: I/Os */
};

/* The server has it: its manifests are marked, and its files removed.  *done: of
 * these.  false: failed, and reported; to be called again. */
bool batch_done(struct batch *b, struct batch_sums *done);

void batch_free(struct batch *b);

#endif
