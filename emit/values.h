/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a row's keys, as text for people and for programs.
 */
#ifndef EMIT_VALUES_H
#define EMIT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/group.h"

struct reader;			/* run/reader.h */

/* room for the path of a cgroup, too */
enum { VALUE_MAX = 4096 };

struct values {
	const struct reader *reader;
	const struct group *group;
	bool for_people;	/* units; names escaped for a terminal, and those
				 * of cgroups short */
};

/* the text of a value; of one that is not there "" */
void value_text(const struct values *v, enum group_key key, uint64_t value,
		char text[VALUE_MAX]);

/* whether that text is a number: a cgroup's is, unless any has a name */
bool value_is_number(const struct values *v, enum group_key key);

/* "vda", "host/vda", "8,0" */
void value_device(const struct values *v, uint32_t device,
		  char text[VALUE_MAX]);

/* the heading of a key in tables */
const char *value_heading(enum group_key key);

/* the column of a key in files */
const char *value_column(enum group_key key);

#endif
