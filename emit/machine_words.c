/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines and devices in words; see machine_words.h. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/machine_words.h"
#include "machine/card.h"
#include "run/device.h"
#include "run/host_clocks.h"
#include "run/reader.h"

/* --- card words ----------------------------------------------------------- */

enum { COLUMN = 18, STEP = 2, LINE = 4096, US_NS = 1000 };

/* headings of groups, by their name in the path */
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

/* The length of the common groups of two paths, with their dots. */
static size_t common(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '.')
			same = i + 1;
	return same;
}

/*
 * Prints a line for each group that key is in and last was not; returns the
 * level of its values.  A list and its items are one level.
 */
static unsigned int put_groups(struct buf *b, const char *key, const char *last)
{
	size_t same = common(key, last), len;
	unsigned int level = 0;

	for (const char *p = key; (len = strcspn(p, ".")), p[len];
	     p += len + 1) {
		const char *next = p + len + 1;
		const char *words = group_words(p, len);
		/* each item of a list has a line */
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

/* --- lines of several values ---------------------------------------------- */

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

/* --- machine words -------------------------------------------------------- */

enum { BELOW_MAX = 8, PPM = 1000000 };

/* text that grows, cut at its end */
struct words {
	char *bytes;
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct words *w,
						      const char *fmt, ...)
{
	char text[MACHINE_WORDS];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	w->len += escape_text(w->bytes + w->len, MACHINE_WORDS - w->len, text,
			      strlen(text));
}

static void add_text(struct words *w, const struct card *c, const char *key,
		     const char *before)
{
	const char *text = card_text(c, key);

	if (text)
		add(w, ", %s%s", before, text);
}

static void add_number(struct words *w, const struct card *c, const char *key,
		       const char *before, const char *after)
{
	uint64_t n;

	if (card_number(c, key, &n))
		add(w, ", %s%llu%s", before, (unsigned long long)n, after);
}

/* --- machines ------------------------------------------------------------- */

/* a card of the host */
static const struct card *card_of(const struct reader *r, uint16_t origin)
{
	const struct devices *d = reader_devices(r);

	for (uint32_t i = 0; i < d->count; i++)
		if (d->list[i]->origin == origin && d->list[i]->card)
			return d->list[i]->card;
	return NULL;
}

bool machine_words(char text[MACHINE_WORDS], const struct reader *r,
		   uint16_t origin)
{
	const struct card *c = card_of(r, origin);
	const char *host = reader_host(r, origin);
	struct words w = { .bytes = text };

	*text = '\0';
	if (!c)
		return false;
	add(&w, "%s", host ? host : "unknown");
	add_text(&w, c, "kernel", "Linux ");
	add_text(&w, c, "arch", "");
	add_number(&w, c, "cpus_online", "", " CPUs");
	return true;
}

/* --- devices -------------------------------------------------------------- */

static void add_size(struct words *w, const struct card *c)
{
	char size[UNIT_MAX];
	uint64_t n;

	if (!card_number(c, "device.size", &n))
		return;
	unit_size(size, n);
	add(w, ", %s", size);
}

/* A partition's settings are its disk's. */
static void add_queue(struct words *w, const struct card *c,
		      const char *prefix)
{
	static const struct {
		const char *key, *before, *after;
		bool is_text;
	} parts[] = {
		{ "model", "", "", true },
		{ "scheduler", "scheduler ", "", true },
		{ "nr_requests", "nr_requests ", "", false },
		{ "max_sectors_kb", "max_sectors_kb ", "", false },
		{ "write_cache", "", "", true },
		{ "nr_hw_queues", "hardware queues ", "", false },
	};
	char key[CARD_KEY];

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, parts[i].key);
		if (parts[i].is_text)
			add_text(w, c, key, parts[i].before);
		else
			add_number(w, c, key, parts[i].before,
				   parts[i].after);
	}
}

/* "on md0 (nvme0n1, nvme1n1)", level by level, up to BELOW_MAX */
static void add_below(struct words *w, const struct card *c,
		      const char *prefix, unsigned int depth)
{
	char below[CARD_KEY], key[CARD_KEY + 8];
	unsigned int i;

	for (i = 0; i < BELOW_MAX; i++) {
		const char *name;
		int n = snprintf(below, sizeof(below), "%sslaves.%u.", prefix,
				 i);

		if (n < 0 || (size_t)n >= sizeof(below))
			break;
		snprintf(key, sizeof(key), "%sname", below);
		name = card_text(c, key);
		if (!name)
			break;
		add(w, "%s%s", i ? ", " : depth ? " (" : ", on ", name);
		if (depth < BELOW_MAX)
			add_below(w, c, below, depth + 1);
	}
	if (i && depth)
		add(w, ")");
}

bool machine_words_device(char text[MACHINE_WORDS], const struct reader *r,
			  uint32_t device)
{
	const struct card *c = reader_card(r, device);
	struct words w = { .bytes = text };
	char name[MACHINE_WORDS];

	*text = '\0';
	if (!c)
		return false;
	device_text(reader_devices(r)->list[device], name, sizeof(name));
	add(&w, "%s", name);
	add_size(&w, c);
	add_queue(&w, c, card_text(c, "device.disk.name") ? "device.disk." :
							    "device.");
	add_text(&w, c, "device.dm.name", "device mapper ");
	add_text(&w, c, "device.md.level", "");
	add_text(&w, c, "device.disk.name", "on ");
	add_below(&w, c, "device.", 0);
	return true;
}

/* --- clocks --------------------------------------------------------------- */

void machine_words_clock(char text[MACHINE_WORDS], const struct reader *r,
			 uint16_t origin)
{
	const struct host_clock *c = reader_clock(r, origin);
	const char *host = reader_host(r, origin);
	struct words w = { .bytes = text };
	char span[UNIT_MAX];

	add(&w, "%s", host ? host : "this host");
	if (!c || c->error == HOST_CLOCK_UNKNOWN) {
		add(&w, " unknown");
	} else {
		unit_time(span, c->error);
		add(&w, " within %s", span);
	}
	if (c && fabs(c->drift) * PPM >= 0.1)
		add(&w, " (drifts by %.1f ppm)", c->drift * PPM);
	if (c && c->step) {
		unit_time(span, c->step < 0 ? 0 - (uint64_t)c->step :
					      (uint64_t)c->step);
		add(&w, " (set %s by %s meanwhile)",
		    c->step < 0 ? "back" : "forward", span);
	}
}
