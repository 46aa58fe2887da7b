/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as lines for people, as btstat and blktop show them, and as json.
 */
#ifndef FINDINGS_EXPLAIN_H
#define FINDINGS_EXPLAIN_H

#include <stddef.h>
#include <stdio.h>

struct finding;			/* findings/finding.h */
struct findings;		/* findings/findings.h */
struct finding_names;		/* findings/words.h */

/* findings from one to another (findings_get), without the latter, in lines of
 * at most width; returns how many there are */
size_t explain_print(FILE *out, const struct findings *f,
		     const struct finding_names *names, size_t from, size_t to,
		     unsigned int width);

/* one of them by itself, in the columns that any rule's name needs */
void explain_one(FILE *out, const struct finding *f,
		 const struct finding_names *names, unsigned int width);

/* prints text and a newline in lines of at most width, the first at a column
 * already reached, the others from there */
void explain_wrap(FILE *out, const char *text, unsigned int column,
		  unsigned int width);

/* all that is known for a rule, found or not: a block per device */
void explain_evidence(FILE *out, const struct findings *f,
		      const struct finding_names *names, int rule);

/* an array of objects, one per finding */
void explain_json(FILE *out, const struct findings *f,
		  const struct finding_names *names);

/* what such an object has, without braces */
void explain_members(FILE *out, const struct finding *f,
		     const struct finding_names *names);

#endif
