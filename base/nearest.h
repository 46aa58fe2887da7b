/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the words that exist a misspelt one may have meant:
 *
 *	struct nearest n = { .text = "lantency", .len = 8 };
 *	nearest_try(&n, "latency");	for every word
 *	n.word is "latency", or NULL if none is near
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *text;	/* what was written */
	size_t len;
	const char *word;	/* the nearest of those tried; NULL: none is */
	unsigned int distance;	/* letters too many, too few, wrong, swapped */
};

/* word stays the caller's; of equally near ones the first counts */
void nearest_try(struct nearest *n, const char *word);

#endif
