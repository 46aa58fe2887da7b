/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btexport's command line.
 */
#ifndef TOOLS_BTEXPORT_OPTIONS_H
#define TOOLS_BTEXPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/captured.h"
#include "run/host_clocks.h"
#include "run/window.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/tables.h"

struct cli_program;		/* cli/program.h */
struct expr;			/* expr/expr.h */

struct export_options {
	const char **inputs;
	struct host_wishes hosts;	/* --shift, --align */
	size_t input_count;	/* at least 1 */
	const char *directory;	/* -D, or NULL */
	struct captured captured;	/* of devices among the inputs */
	struct window window;	/* -w */
	uint32_t mask;		/* categories; UINT32_MAX: all */
	struct expr *where;	/* --where, or NULL */
	const char *format_name;	/* --format, or NULL */
	unsigned int tables;	/* bits: 1 << enum table_kind */
	const char *field_list;	/* --fields, or NULL */
	const char *output;	/* -o, or NULL: standard output */
	bool folder;		/* output is a directory */
	struct manifests *known;	/* what that has; main's to set, or NULL */
	struct output_options out;
	bool no_header;
	const char *compress;	/* --compress, or NULL */
	const char *at;		/* --at, or NULL */
	const char *schema, *queries, *upgrade;	/* printed instead, or NULL */
	unsigned int ttl;		/* --ttl in days, 0: none */
	const char *query;	/* the name of a ready query; or NULL */
	const char *follow;	/* a directory, in place of inputs; or NULL */
	const char *to;		/* --to, ClickHouse's URL; or NULL */
	const char *status;	/* --status, or NULL */
	uint64_t spool;		/* bytes that may wait for it */
	const char *verify;	/* a folder, read in place of traces; or NULL */
	bool strict, no_progress;
	unsigned int threads;	/* 0: as fits */
};

/* whether describe() is called instead of an export */
bool export_describes(const struct export_options *o);

extern const struct cli_program export_program;

/* fills *o; does not return after errors, --help and the like */
void export_options_parse(struct export_options *o, int argc, char **argv);

void export_options_free(struct export_options *o);

static inline bool export_has(const struct export_options *o,
			      enum table_kind kind)
{
	return o->tables >> kind & 1;
}

#endif
