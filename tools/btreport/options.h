/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreport's command line.
 */
#ifndef TOOLS_BTREPORT_OPTIONS_H
#define TOOLS_BTREPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opener.h"
#include "report/gathering.h"
#include "run/host_clocks.h"
#include "run/window.h"

struct btreport_options {
	const char **inputs;	/* in the order they were given */
	struct host_wishes hosts;	/* --shift, --align */
	size_t input_count;	/* at least 1 */
	bool compare;		/* exactly 2, beside each other */
	const char *output;	/* "-": standard output */
	char *made_output;	/* it, if it was made of an input's name */
	const char *json;	/* --json, or NULL */
	const char *csv;	/* --csv: a directory, or NULL */
	const char *title;	/* -t, or NULL */
	const char *theme;	/* --theme, or NULL: the system's */
	struct gathering_options of;	/* -w, --size, and of -d: */
	const char **devices;	/* the same, ours */
	char *device_text;	/* what these are parts of */
	char *command;		/* the line itself */
	bool no_progress;
	struct opener opener;	/* makes outputs; main's to set */
};

/* fills *o; does not return from mistakes, --help and such */
void btreport_options_parse(struct btreport_options *o, int argc, char **argv);

void btreport_options_free(struct btreport_options *o);

#endif
