/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Suggests a word for a misspelt one:
 *
 *	struct nearest n = { .text = "lantency", .len = 8 };
 *	nearest_try(&n, "latency");	for every word
 *	n.word is "latency", or NULL if none is near
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *text;	/* misspelt */
	size_t len;
	const char *word;	/* the nearest so far, or NULL */
	unsigned int distance;	/* letters added, missing, wrong, swapped */
};

/* word must outlive *n; of equally near ones the first is kept */
void nearest_try(struct nearest *n, const char *word);

#endif
