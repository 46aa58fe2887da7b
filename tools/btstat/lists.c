/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments that are lists; see lists.h. */
#include <stdbool.h>
#include <string.h>

#include "base/msg.h"
#include "cli/set.h"
#include "stat/measure.h"
#include "tools/btstat/lists.h"

enum { WORD_MAX = 32 };

/* --- words ---------------------------------------------------------------- */

/* Copies the word up to a comma; returns the text after it.  what: for the
 * message if it is empty or too long. */
static const char *next_word(const char *text, char word[WORD_MAX],
			     const char *what)
{
	size_t len = strcspn(text, ",");

	if (!len || len >= WORD_MAX)
		msg_die("%s: not a list of words and commas: %s", what, text);
	memcpy(word, text, len);
	word[len] = '\0';
	text += len;
	return *text ? text + 1 : text;
}

static enum group_key key_of(const char *word)
{
	for (unsigned int i = 0; i < GROUP_KEYS; i++)
		if (!strcmp(group_key_word(i), word))
			return (enum group_key)i;
	msg_die("--by: unknown key %s; see --help", word);
}

static bool has_key(const struct key_list *l, enum group_key key)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (l->keys[i] == key)
			return true;
	return false;
}

void lists_add_key(struct key_list *l, enum group_key key)
{
	if (has_key(l, key))
		return;
	memmove(l->keys + 1, l->keys, l->count++ * sizeof(*l->keys));
	l->keys[0] = key;
}

void lists_set_keys(void *list, const char *text)
{
	struct key_list *l = list;
	char word[WORD_MAX];

	l->count = 0;
	do {
		enum group_key key;

		text = next_word(text, word, "--by");
		key = key_of(word);
		if (has_key(l, key))
			msg_die("--by: %s is named twice", word);
		l->keys[l->count++] = key;
	} while (*text);
}

static unsigned int measure_of(const char *word)
{
	int m = measure_find(word);

	if (m < 0)
		msg_die("%s is not a phase; see the manual's list of them",
			word);
	return (unsigned int)m;
}

void lists_set_measures(void *mask, const char *text)
{
	char word[WORD_MAX];

	*(uint32_t *)mask = 0;
	do {
		text = next_word(text, word, "--phases");
		*(uint32_t *)mask |= UINT32_C(1) << measure_of(word);
	} while (*text);
}

void lists_set_measure(void *measure, const char *text)
{
	*(int *)measure = text ? (int)measure_of(text) : (int)MEASURE_Q2C;
}

/* --- numbers -------------------------------------------------------------- */

void lists_set_times(void *list, const char *text)
{
	struct time_list *l = list;
	char word[WORD_MAX];

	l->count = 0;
	do {
		text = next_word(text, word, "--under");
		if (l->count == GROUP_UNDER_MAX)
			msg_die("--under takes %d times", GROUP_UNDER_MAX);
		decimal_set_time(&l->list[l->count++], word);
	} while (*text);
}

static bool read_percentile(const char *word, uint32_t *p)
{
	uint64_t n;
	const char *end = decimal_read(word, HISTOGRAM_PERCENT, &n);

	*p = (uint32_t)n;
	return end && !*end && n && n < HISTOGRAM_ALL;
}

void lists_set_percentiles(void *list, const char *text)
{
	struct percentile_list *l = list;
	char word[WORD_MAX];

	l->count = 0;
	do {
		text = next_word(text, word, "--percentiles");
		if (l->count == PERCENTILES_MAX)
			msg_die("--percentiles takes %d of them",
				PERCENTILES_MAX);
		if (!read_percentile(word, &l->list[l->count++]))
			msg_die("--percentiles: not above 0 and below 100, in"
				" steps of 0.001: %s", word);
	} while (*text);
}

void lists_set_share(void *share, const char *text)
{
	uint64_t n;
	const char *end = decimal_read(text, HISTOGRAM_PERCENT, &n);

	if (!end || (strcmp(end, "%") && *end) || !n || n >= HISTOGRAM_ALL)
		msg_die("--least: not a share, like 5%%: %s", text);
	*(uint32_t *)share = (uint32_t)n;
}
