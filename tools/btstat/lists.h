/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments that are lists, or numbers with a unit; a mistake ends the program
 * with a message.
 */
#ifndef TOOLS_BTSTAT_LISTS_H
#define TOOLS_BTSTAT_LISTS_H

#include <stdint.h>

#include "stat/group.h"

enum { PERCENTILES_MAX = 8 };

struct key_list {
	enum group_key keys[GROUP_KEYS];
	unsigned int count;
};

struct percentile_list {
	uint32_t list[PERCENTILES_MAX];	/* as histogram_rank() has them */
	unsigned int count;
};

struct time_list {
	uint64_t list[GROUP_UNDER_MAX];	/* ns */
	unsigned int count;
};

/* puts key first, unless the list has it */
void lists_add_key(struct key_list *l, enum group_key key);

/* setters of options: they replace the list */
void lists_set_keys(void *list, const char *text);
void lists_set_measures(void *mask, const char *text);	/* a uint32_t */
void lists_set_measure(void *measure, const char *text);	/* an int */
void lists_set_percentiles(void *list, const char *text);
void lists_set_times(void *list, const char *text);

/* "5%" as thousandths of a percent, in a uint32_t */
void lists_set_share(void *share, const char *text);

#endif
