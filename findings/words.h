/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings in words: a sentence with its numbers, the command that shows more,
 * and the evidence number by number.
 */
#ifndef FINDINGS_WORDS_H
#define FINDINGS_WORDS_H

#include <stdbool.h>
#include <stdbool.h>
#include <stddef.h>

#include "findings/finding.h"
#include "findings/findings.h"
#include "request/io.h"

/* with its NUL; longer text is cut */
enum { FINDING_TEXT_MAX = 512 };

/* names of pids, as given to findings_new() */
struct finding_names {
	findings_name *name;
	const void *names;
	bool page;		/* units as pages have them: unit_space() */
	uint64_t start;		/* ns, from which times are counted: a page's
				 * begin with its window */
};

/*
 * A finding without the device's name and without a full stop: one line, safe
 * for a terminal.  Returns its length.
 */
size_t finding_sentence(char text[FINDING_TEXT_MAX], const struct finding *f,
			const struct finding_names *names);

/* I/Os in flight, and the oldest of them */
struct in_flight {
	uint64_t count;
	uint64_t age;		/* ns, of the oldest */
	enum io_op op;
	uint64_t sector;	/* or IO_NONE */
	const char *process;	/* its name, from a trace; or NULL */
	bool page;		/* as above */
};

/*
 * "in flight 4, oldest 4.20s (write, sector 81920, postgres)", or "in flight
 * 0": the text of every program for them.  Safe for a terminal; returns its
 * length.
 */
size_t in_flight_text(char text[FINDING_TEXT_MAX], const struct in_flight *f);

/* a command with more details */
size_t finding_command(char text[FINDING_TEXT_MAX], const struct finding *f);

/* the words "high", "found"; the rule's: "slow-region" */
const char *finding_severity_name(enum finding_severity severity);
const char *finding_state_name(enum finding_state state);
const char *finding_rule_name(enum finding_rule rule);

/* the rule of this name, or -1 */
int finding_rule_find(const char *name);

/* the key of a number in json and in the evidence: "share", "longest_ns" */
size_t finding_number_key(char text[FINDING_TEXT_MAX], enum finding_number n);

/* its value in json: digits, or a word in quotes; the number must be there */
size_t finding_number_json(char text[FINDING_TEXT_MAX],
			   const struct finding *f, enum finding_number n);

/* the same for people, with its unit */
size_t finding_number_text(char text[FINDING_TEXT_MAX],
			   const struct finding *f, enum finding_number n,
			   const struct finding_names *names);

#endif
