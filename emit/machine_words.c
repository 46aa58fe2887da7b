/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines and devices in words; see machine_words.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/unit.h"
#include "emit/machine_words.h"
#include "machine/card.h"
#include "run/device.h"
#include "run/host_clocks.h"
#include "run/reader.h"

enum { BELOW_MAX = 8, PPM = 1000000 };

/* text that grows, cut at its end */
struct words {
	char *bytes;
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct words *w,
						      const char *fmt, ...)
{
	char piece[MACHINE_WORDS];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(piece, sizeof(piece), fmt, ap);
	va_end(ap);
	w->len += escape_text(w->bytes + w->len, MACHINE_WORDS - w->len, piece,
			      strlen(piece));
}

static void add_text(struct words *w, const struct card *c, const char *key,
		     const char *before)
{
	const char *text = card_text(c, key);

	if (text)
		add(w, ", %s%s", before, text);
}

static void add_number(struct words *w, const struct card *c, const char *key,
		       const char *before, const char *behind)
{
	uint64_t n;

	if (card_number(c, key, &n))
		add(w, ", %s%llu%s", before, (unsigned long long)n, behind);
}

/* --- machines ------------------------------------------------------------- */

/* a card of the machine */
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

/* Of a partition its settings are the disk's. */
static void add_queue(struct words *w, const struct card *c,
		      const char *prefix)
{
	static const struct {
		const char *key, *before, *behind;
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
				   parts[i].behind);
	}
}

/* "on md0 (nvme0n1, nvme1n1)", level by level, those that there is room for */
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
