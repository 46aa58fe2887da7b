/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A format of blkparse -f, to read what it has printed.
 *
 * It must have an action and a time, end in a newline, and have text between
 * two fields if the first could continue with the second.
 */
#ifndef IMPORT_PRINTED_FORMAT_H
#define IMPORT_PRINTED_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/printed_field.h"

struct printed;			/* import/printed_event.h */
struct scan;			/* import/scan.h */

enum {
	PRINTED_FORMAT_MAX = 1024,	/* bytes of a format */
	PRINTED_FIELDS = 64,
};

struct printed_format {
	struct printed_field fields[PRINTED_FIELDS];
	unsigned int count;
	uint64_t has;		/* its letters, as bits */
	char text[PRINTED_FORMAT_MAX];
};

/* 0; or -EINVAL, and why has a phrase of at most size bytes */
int printed_format_parse(struct printed_format *f, const char *text, char *why,
			 size_t size);

/* whether it has a field, and a device: %D, or %M and %m */
bool printed_format_has(const struct printed_format *f, char letter);
bool printed_format_has_device(const struct printed_format *f);

/* What its lines lack, "no devices, CPUs", to size bytes; false: nothing. */
bool printed_format_lacks(const struct printed_format *f, char *lacks,
			  size_t size);

/* Takes the line in *s apart into *p, which is empty; false: s says what was
 * expected where. */
bool printed_format_line(const struct printed_format *f, struct scan *s,
			 struct printed *p);

#endif
