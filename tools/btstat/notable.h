/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings about a run: gathered while I/Os are read, printed below the tables.
 */
#ifndef TOOLS_BTSTAT_NOTABLE_H
#define TOOLS_BTSTAT_NOTABLE_H

#include "emit/sink.h"
#include "tools/btstat/screen.h"

struct findings;		/* findings/findings.h */

/* for findings_new() with a struct reader */
const char *notable_name(const void *reader, uint16_t origin, uint32_t pid);

/* the rule of that name, or NOTABLE_ALL for "all"; dies if there is none */
enum { NOTABLE_ALL = -2 };
int notable_rule(const char *name);

/* prints the manual of a rule, or of all, on standard output */
void notable_manual(int rule);

/* after the last I/O: applies the rules; 0 or -ENOMEM */
int notable_end(struct findings *f, const struct facts *facts);

/* the headlines and an empty line, or nothing without any; 0 or -ENOMEM */
int notable_headlines(const struct screen *s, const struct findings *f);

/* an empty line and the first findings that are no headlines, at most three
 * with these; or nothing without any; 0 or -ENOMEM */
int notable_rest(const struct screen *s, const struct findings *f);

/* all findings, or the evidence for a rule and its manual; 0 or -ENOMEM */
int notable_all(const struct screen *s, const struct findings *f, int rule);

/* an array in the current object; 0 or -ENOMEM */
int notable_json(struct sink *k, const struct screen *s,
		 const struct findings *f);

#endif
