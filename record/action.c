/* SPDX-License-Identifier: GPL-2.0-only */
/* The letters of actions and of RWBS; see action.h. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "blktrace.h"
#include "record/action.h"
#include "record/record.h"

struct letter {
	enum blk_category category;
	const char *text;
};

/* the operation: the first that fits, else R or N by the length */
static const struct letter deeds[] = {
	{ BLK_TC_DISCARD, "D" },
	{ BLK_TC_ZONE_APPEND, "ZA" },
	{ BLK_TC_ZONE_RESET, "ZR" },
	{ BLK_TC_ZONE_RESET_ALL, "ZRA" },
	{ BLK_TC_ZONE_FINISH, "ZF" },
	{ BLK_TC_ZONE_OPEN, "ZO" },
	{ BLK_TC_ZONE_CLOSE, "ZC" },
	{ BLK_TC_WRITE_ZEROES, "WZ" },
	{ BLK_TC_WRITE, "W" },
};

/* flags: all that fit, in this order */
static const struct letter manners[] = {
	{ BLK_TC_FUA, "F" },
	{ BLK_TC_AHEAD, "A" },
	{ BLK_TC_SYNC, "S" },
	{ BLK_TC_META, "M" },
};

static const char *deed(uint32_t categories, uint32_t bytes)
{
	for (size_t i = 0; i < sizeof(deeds) / sizeof(*deeds); i++)
		if (categories & BLK_TC_BIT(deeds[i].category))
			return deeds[i].text;
	return bytes ? "R" : "N";
}

unsigned int rwbs_text(const struct event *ev, char text[RWBS_MAX])
{
	uint32_t categories = event_categories(ev);
	char *p = text;

	if (categories & BLK_TC_BIT(BLK_TC_FLUSH))
		*p++ = 'F';
	p = stpcpy(p, deed(categories, ev->bytes));
	for (size_t i = 0; i < sizeof(manners) / sizeof(*manners); i++)
		if (categories & BLK_TC_BIT(manners[i].category))
			p = stpcpy(p, manners[i].text);
	return (unsigned int)(p - text);
}

/* --- letters to categories ------------------------------------------------ */

#define BIT(name) BLK_TC_BIT(BLK_TC_##name)

/* the longest first; N is without data, or what has no letter */
static const struct {
	const char *text;
	uint32_t categories;
} spelled[] = {
	{ "ZRA", BIT(WRITE) | BIT(ZONE_RESET_ALL) },
	{ "ZA", BIT(WRITE) | BIT(ZONE_APPEND) },
	{ "ZR", BIT(WRITE) | BIT(ZONE_RESET) },
	{ "ZF", BIT(WRITE) | BIT(ZONE_FINISH) },
	{ "ZO", BIT(WRITE) | BIT(ZONE_OPEN) },
	{ "ZC", BIT(WRITE) | BIT(ZONE_CLOSE) },
	{ "WZ", BIT(WRITE) | BIT(WRITE_ZEROES) },
	{ "DE", BIT(WRITE) | BIT(DISCARD) },
	{ "D", BIT(WRITE) | BIT(DISCARD) },
	{ "W", BIT(WRITE) },
	{ "R", BIT(READ) },
	{ "N", BIT(READ) },
	{ "F", BIT(READ) | BIT(FLUSH) },
};

static bool starts(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return n <= len && !memcmp(text, word, n);
}

/* The operation at the start; its length, or 0. */
static size_t parse_deed(const char *text, size_t len, uint32_t *categories)
{
	for (size_t i = 0; i < sizeof(spelled) / sizeof(*spelled); i++)
		if (starts(text, len, spelled[i].text)) {
			*categories |= spelled[i].categories;
			return strlen(spelled[i].text);
		}
	return 0;
}

/* U is an atomic write, which has no category. */
static bool parse_manners(const char *text, size_t len, uint32_t *categories)
{
	for (size_t i = 0; i < len; i++) {
		size_t k = 0;

		while (k < sizeof(manners) / sizeof(*manners) &&
		       text[i] != *manners[k].text)
			k++;
		if (k < sizeof(manners) / sizeof(*manners))
			*categories |= BLK_TC_BIT(manners[k].category);
		else if (text[i] != 'U')
			return false;
	}
	return true;
}

bool rwbs_parse(const char *text, size_t len, uint32_t *categories)
{
	size_t n;

	*categories = 0;
	if (len && *text == 'F') {
		*categories = BIT(FLUSH);
		text++;
		len--;
	}
	n = parse_deed(text, len, categories);
	if (!n && !*categories)
		return false;
	*categories |= n ? 0 : BIT(READ);
	return parse_manners(text + n, len - n, categories);
}

/* --- actions -------------------------------------------------------------- */

#define NO false
#define PC true
#define CMD true
#define ACTION(name, letters, pc, ...) [BLK_TA_##name] = { letters, pc },

static const struct {
	const char *text;
	bool pc;		/* also of packet commands */
} actions[BLK_TA_COUNT] = {
	BLK_ACTIONS(ACTION)
};

const char *action_text(uint32_t nr)
{
	return nr < BLK_TA_COUNT ? actions[nr].text : NULL;
}

const char *action_text_pc(uint32_t nr)
{
	return nr < BLK_TA_COUNT && actions[nr].pc ? actions[nr].text : NULL;
}
