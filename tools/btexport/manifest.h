/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The manifest of a folder of tables: for each trace in it a JSON file,
 * DIR/manifest/host=HOST/date=DATE/NAME.FORMAT.json, which is written after the files
 * of its tables: a trace without one was not exported to its end.
 *
 *	{"manifest":1, "table_schema":2, "host":"db1", "trace":"5f2e...", "segment":0,
 *	 "format":"parquet", "compress":"gzip", "selected":false,
 *	 "inputs":{"files":4, "bytes":1234, "print":"0c11..."},
 *	 "tables":[{"table":"ios", "file":"ios/host=db1/...", "rows":605,
 *		"bytes":9876, "crc32":"89abcdef",
 *		"sums":[{"column":"bytes", "sum":"6471680"}, ...]}, ...]}
 *
 * sum is modulo 2^64, of all that is not null.  print is FNV-1a of the names,
 * sizes and times of all files that were read.
 */
#ifndef TOOLS_BTEXPORT_MANIFEST_H
#define TOOLS_BTEXPORT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/card.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/tables.h"

struct manifests;
struct opener;			/* base/opener.h */

/* --- files that were read ------------------------------------------------- */

struct inputs_print {
	bool known;		/* they are files, and all there */
	uint32_t files;
	uint64_t bytes, print;
};

/* of the names on a command line, as for reader_add() */
void inputs_print_find(struct inputs_print *p, const char *directory,
		       const char *const *names, size_t count);

/* --- a trace's ------------------------------------------------------------ */

struct manifest_table {
	const char *table, *file;	/* file: below the folder */
	uint64_t rows, bytes;
	uint32_t checksum;	/* CRC-32 */
	const char *columns[ROW_TABLE_SUMS];	/* NULL: none */
	uint64_t sums[ROW_TABLE_SUMS];
};

struct manifest {
	const char *host, *trace, *format;
	int32_t segment;
	unsigned int schema;	/* of one that was read */
	bool packed;
	bool selected;		/* by options: not all rows and columns */
	struct inputs_print inputs;
	struct manifest_table tables[TABLES];
	unsigned int count;
	struct card *card;	/* owns the texts, if it was read */
};

/* false: failed, and reported */
bool manifest_write(const struct manifest *m, const struct opener *o,
		    const char *path);

/* 0; -EBADMSG or another -errno, and why */
int manifest_read(struct manifest *m, const char *path, char why[CARD_WHY]);

/* follows the name of a manifest whose rows are in an engine: its files are gone */
#define MANIFEST_SENT ".sent"

/* Reads a table's file from its beginning to its end, for both.  0 or -errno. */
int manifest_measure(int fd, uint64_t *bytes, uint32_t *checksum);

/* whether a manifest is there, or was sent, or of a segment whose hour is one file */
bool manifest_is_there(const char *path);

/* whether a table's file is there, as long as it was */
bool manifest_has(const char *folder, const struct manifest_table *t);

/* of one that was read */
void manifest_free(struct manifest *m);

/* --- a folder's ----------------------------------------------------------- */

/*
 * Calls each for all manifests of a folder, by name, until it returns false; err:
 * as manifest_read() returned, with why.  0, also without any; -ENOMEM; or -errno
 * of the folder.
 */
int manifests_walk(const char *folder,
		   bool (*each)(void *ctx, const char *path,
				const struct manifest *m, int err,
				const char *why),
		   void *ctx);

/* What a folder has now, which must outlive it.  NULL: no memory. */
struct manifests *manifests_load(const char *folder);

/*
 * Whether it has all tables, bits of 1 << enum table_kind, of these inputs, in
 * that format.  NULL has nothing.
 */
bool manifests_have(const struct manifests *all, const struct inputs_print *p,
		    unsigned int tables, const char *format, bool packed);

void manifests_free(struct manifests *all);

#endif
