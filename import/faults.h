/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with a binary recording: the first fault of a kind is reported
 * with its byte, and the others are counted.
 */
#ifndef IMPORT_FAULTS_H
#define IMPORT_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

struct import_to;		/* import/import.h */

enum { IMPORT_FAULT_KINDS = 8 };	/* more share the last */

struct import_fault {
	const char *why;	/* NULL: none yet */
	uint64_t more;		/* than the first */
};

struct import_faults {
	const struct import_to *to;
	struct import_fault kinds[IMPORT_FAULT_KINDS];
};

/* to must outlive f */
void import_faults_init(struct import_faults *f, const struct import_to *to);

/* Reports or counts what is wrong at a byte; faults of a kind have the same
 * pointer why, which stays valid.  Returns -EBADMSG. */
int import_faults_add(struct import_faults *f, uint64_t at, const char *why);

bool import_faults_any(const struct import_faults *f);

/* reports how many more there were */
void import_faults_end(struct import_faults *f);

#endif
