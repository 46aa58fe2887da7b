/* SPDX-License-Identifier: GPL-2.0-only */
/* A card, line by line; see card_words.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/card_words.h"
#include "machine/card.h"

enum { COLUMN = 18, STEP = 2, LINE = 4096, US_NS = 1000 };

/* what a group of values is called, by its name in the path */
static const char *group_words(const char *part, size_t len)
{
	static const struct {
		const char *part, *words;
	} groups[] = {
		{ "device", "device" },
		{ "partitions", "partition" },
		{ "holders", "held by" },
		{ "slaves", "lies on" },
		{ "disk", "of disk" },
		{ "dm", "device mapper" },
		{ "md", "array" },
		{ "mounts", "mounted" },
		{ "end", "end" },
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strlen(groups[i].part) == len &&
		    !strncmp(groups[i].part, part, len))
			return groups[i].words;
	return NULL;
}

static void put_line(struct buf *b, unsigned int level, const char *words,
		     const char *text)
{
	char shown[LINE];

	escape_text(shown, sizeof(shown), text, strlen(text));
	buf_printf(b, "%*s%-*s%s\n", (int)(level * STEP), "",
		   (int)(COLUMN - level * STEP), words, shown);
}

/* --- values --------------------------------------------------------------- */

static void put_number(struct buf *b, unsigned int level,
		       const struct card_field *f, const char *digits)
{
	char text[LINE], size[UNIT_MAX];

	if (strcmp(f->unit, "B")) {
		snprintf(text, sizeof(text), "%s%s%s", digits,
			 *f->unit ? " " : "", f->unit);
	} else {
		unit_size(size, strtoull(digits, NULL, 10));
		snprintf(text, sizeof(text), "%s (%s)", digits, size);
	}
	put_line(b, level, f->words, text);
}

static void put_value(struct buf *b, unsigned int level,
		      const struct card_value *v)
{
	const struct card_field *f = card_field_of(v->key);

	if (!f || !f->words)
		return;
	if (v->kind == CARD_NUMBER)
		put_number(b, level, f, v->text);
	else if (v->kind == CARD_FLAG)
		put_line(b, level, f->words,
			 strcmp(v->text, "true") ? "no" : "yes");
	else
		put_line(b, level, f->words, v->text);
}

/* --- groups --------------------------------------------------------------- */

static bool is_index(const char *part)
{
	return *part >= '0' && *part <= '9';
}

/* How many bytes of two paths are the same, in whole parts with their dot. */
static size_t common(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '.')
			same = i + 1;
	return same;
}

/*
 * A line for each group that key is in and last was not; the level of what is
 * in them.  Those of a list are one level with it.
 */
static unsigned int put_groups(struct buf *b, const char *key, const char *last)
{
	size_t same = common(key, last), len;
	unsigned int level = 0;

	for (const char *p = key; (len = strcspn(p, ".")), p[len];
	     p += len + 1) {
		const char *next = p + len + 1;
		const char *words = group_words(p, len);
		/* each of a list has a line */
		size_t end = (size_t)(next - key);

		if (is_index(next) && strchr(next, '.'))
			end += strcspn(next, ".") + 1;
		if (is_index(p))
			continue;
		if (words && end > same)
			buf_printf(b, "%*s%s\n", (int)(level * STEP), "",
				   words);
		level++;
	}
	return level;
}

/* --- what is more than a value -------------------------------------------- */

static bool is_below(const char *key, const char *group)
{
	return !strncmp(key, group, strlen(group));
}

static void put_command(const struct card *c, struct buf *b)
{
	const struct card_value *v;
	char text[LINE] = "";
	size_t len = 0;

	for (size_t i = 0; (v = card_value(c, i)) && len < LINE; i++)
		if (is_below(v->key, "command."))
			len += (size_t)snprintf(text + len, LINE - len, "%s%s",
						len ? " " : "", v->text);
	if (len)
		put_line(b, 0, "command", text);
}

/* "cgroup 4177" and its path */
static void put_cgroup(struct buf *b, const struct card_value *v)
{
	char words[CARD_KEY];

	snprintf(words, sizeof(words), "cgroup %s ", strchr(v->key, '.') + 1);
	put_line(b, 0, words, v->text);
}

static void put_day(const struct card *c, const char *end, const char *words,
		    struct buf *b)
{
	char key[CARD_KEY], text[LINE], day[64], error[UNIT_MAX];
	uint64_t ns, us;
	time_t sec;
	struct tm tm;
	int len;

	snprintf(key, sizeof(key), "clock.%s.realtime_ns", end);
	if (!card_number(c, key, &ns))
		return;
	sec = (time_t)(ns / NS_PER_SECOND);
	if (!gmtime_r(&sec, &tm) ||
	    !strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	len = snprintf(text, sizeof(text), "%s.%09u UTC", day,
		       (unsigned int)(ns % NS_PER_SECOND));
	snprintf(key, sizeof(key), "clock.%s.maxerror_us", end);
	if (card_number(c, key, &us)) {
		unit_time(error, us < UINT64_MAX / US_NS ? us * US_NS : us);
		snprintf(text + len, sizeof(text) - (size_t)len,
			 ", wrong by %s at most", error);
	} else {
		snprintf(text + len, sizeof(text) - (size_t)len,
			 ", by a clock that nothing sets");
	}
	put_line(b, 0, words, text);
}

void card_words_write(const struct card *c, struct buf *b)
{
	const struct card_value *v;
	const char *last = "";

	put_day(c, "start", "begun", b);
	put_day(c, "end", "ended", b);
	put_command(c, b);
	for (size_t i = 0; (v = card_value(c, i)); i++) {
		const struct card_field *f = card_field_of(v->key);
		const char *part = strrchr(v->key, '.');
		bool target = part && is_index(part + 1) &&
			      strstr(v->key, ".targets.");

		if (is_below(v->key, "cgroups.")) {
			put_cgroup(b, v);
		} else if (target) {
			put_line(b, put_groups(b, v->key, last) - 1, "target",
				 v->text);
		} else if (f && f->words) {
			put_value(b, put_groups(b, v->key, last), v);
		} else {
			continue;
		}
		last = v->key;
	}
}
