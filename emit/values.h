/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of keys as text, for people or programs.
 */
#ifndef EMIT_VALUES_H
#define EMIT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/group.h"

struct reader;			/* run/reader.h */

enum { VALUE_MAX = 4096 };	/* fits the path of a cgroup */

struct values {
	const struct reader *reader;
	const struct group *group;
	bool for_people;	/* with units, names escaped for a terminal,
				 * cgroups short */
};

/* the text of a value; "" for none */
void value_text(const struct values *v, enum group_key key, uint64_t value,
		char text[VALUE_MAX]);

/* whether it is a number; a cgroup is, unless any has a name */
bool value_is_number(const struct values *v, enum group_key key);

/* "vda", "host/vda", "8,0" */
void value_device(const struct values *v, uint32_t device,
		  char text[VALUE_MAX]);

/* a key's heading in tables */
const char *value_heading(enum group_key key);

/* a key's column in files */
const char *value_column(enum group_key key);

#endif
