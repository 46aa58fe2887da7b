/* SPDX-License-Identifier: GPL-2.0-only */
/* Suggests a word; see nearest.h. */
#include <stdbool.h>
#include <string.h>

#include "base/nearest.h"

/* longer words are ignored */
enum { WORD_MAX = 40 };

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * How many letters to add, drop, replace or swap with a neighbour to turn a
 * into b.  Row i is for the first i letters of a; only three rows are needed.
 */
static unsigned int distance(const char *a, size_t la, const char *b,
			     size_t lb)
{
	unsigned int rows[3][WORD_MAX + 1];

	for (size_t k = 0; k <= lb; k++)
		rows[0][k] = (unsigned int)k;
	for (size_t i = 1; i <= la; i++) {
		unsigned int *row = rows[i % 3];
		const unsigned int *above = rows[(i - 1) % 3];
		const unsigned int *two = rows[(i + 1) % 3];

		row[0] = (unsigned int)i;
		for (size_t k = 1; k <= lb; k++) {
			row[k] = least(above[k], row[k - 1]) + 1;
			row[k] = least(row[k], above[k - 1] +
					       (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] &&
			    a[i - 2] == b[k - 1])
				row[k] = least(row[k], two[k - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

/* a third of the letters may be wrong, and one in any case */
static bool is_near(unsigned int d, size_t len)
{
	return d <= 1 || d <= len / 3;
}

void nearest_try(struct nearest *n, const char *word)
{
	size_t len = strlen(word);
	unsigned int d;

	if (n->len > WORD_MAX || len > WORD_MAX || !n->len)
		return;
	/* a prefix is nearer than any misspelling */
	d = len >= n->len && !memcmp(word, n->text, n->len) ?
	    0 : distance(n->text, n->len, word, len);
	if (!is_near(d, n->len) || (n->word && d >= n->distance))
		return;
	n->word = word;
	n->distance = d;
}
