/* SPDX-License-Identifier: GPL-2.0-only */
/* Anonymising cards and names of files; see disguise_card.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/btpack/disguise.h"
#include "tools/btpack/disguise_card.h"
#include "tools/btpack/keyed.h"

/* --- names of disks ------------------------------------------------------- */

/* what the kernel calls disks, before their letters and numbers */
static const char *const disks[] = {
	"bcache", "dasd", "dm-", "drbd", "hd", "loop", "md", "mmcblk",
	"mtdblock", "nbd", "null", "nvme", "pmem", "ram", "rbd", "sd", "sr",
	"ublkb", "vd", "xvd", "zd", "zram",
};

enum { LETTERS = 3 };		/* at most, before the first digit */

/* whether text is what may follow one of these */
static bool is_rest(const char *text, size_t len)
{
	size_t letters = 0;

	while (letters < len && islower((unsigned char)text[letters]))
		letters++;
	for (size_t i = letters; i < len; i++)
		if (!isdigit((unsigned char)text[i]) && text[i] != 'n' &&
		    text[i] != 'p')
			return false;
	return letters <= LETTERS;
}

static bool is_disk(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(disks) / sizeof(*disks); i++) {
		size_t head = strlen(disks[i]);

		if (len > head && !strncmp(name, disks[i], head) &&
		    is_rest(name + head, len - head))
			return true;
	}
	return false;
}

/* --- texts ---------------------------------------------------------------- */

/* The text's word; an empty one stays. */
static void put_word(const struct disguise *d, char *text)
{
	char word[KEYED_WORD];

	if (!*text)
		return;
	disguise_word(d, word, text, strlen(text));
	memcpy(text, word, sizeof(word));
}

static bool change_word(const struct disguise *d, struct recard_value *v)
{
	put_word(d, v->text);
	return true;
}

static bool change_disk(const struct disguise *d, struct recard_value *v)
{
	if (!is_disk(v->text, strlen(v->text)))
		put_word(d, v->text);
	return true;
}

/* Each part of a path, so that what is below what still shows. */
static bool change_path(const struct disguise *d, struct recard_value *v)
{
	char now[RECARD_TEXT], word[KEYED_WORD];
	size_t at = 0;

	for (const char *p = v->text; *p && at < RECARD_TEXT - KEYED_WORD;) {
		size_t len = strcspn(p, "/");

		if (len) {
			disguise_word(d, word, p, len);
			memcpy(now + at, word, KEYED_WORD - 1);
			at += KEYED_WORD - 1;
		}
		p += len;
		if (*p)
			now[at++] = *p++;
	}
	now[at] = '\0';
	memcpy(v->text, now, at + 1);
	return true;
}

/* The version, without what its builder has appended. */
static bool change_version(const struct disguise *d, struct recard_value *v)
{
	(void)d;
	v->text[strspn(v->text, "0123456789.")] = '\0';
	return true;
}

static bool change_wall(const struct disguise *d, struct recard_value *v)
{
	snprintf(v->text, sizeof(v->text), "%" PRIu64,
		 disguise_wall(d, strtoull(v->text, NULL, 10)));
	return true;
}

static bool change_cgroup(const struct disguise *d, struct recard_value *v)
{
	uint64_t id = strtoull(v->key + strlen("cgroups."), NULL, 10);

	snprintf(v->key, sizeof(v->key), "cgroups.%" PRIu64,
		 disguise_cgroup(d, id));
	return change_path(d, v);
}

static bool keep(const struct disguise *d, struct recard_value *v)
{
	(void)d, (void)v;
	return true;
}

/* --- rules ---------------------------------------------------------------- */

typedef bool change(const struct disguise *d, struct recard_value *v);

struct rule {
	const char *begin, *end;	/* of a path; either may be "" */
	change *change;
};

/* the first that fits counts */
static const struct rule rules[] = {
	{ "schema", "", keep }, { "host", "", change_word },
	{ "kernel", "", change_version }, { "arch", "", keep },
	{ "cpus_online", "", keep }, { "via", "", keep },
	{ "joined", "", keep },
	{ "record_version", "", keep },
	{ "clock.", ".realtime_ns", change_wall }, { "clock.", "", keep },
	{ "cgroups.", "", change_cgroup },
	{ "end.", "", keep }, { "audit.verdict", "", keep },
	{ "audit.completed", "", keep }, { "audit.recorded", "", keep },
	{ "audit.missing", "", keep }, { "audit.tolerance", "", keep },
	{ "audit.from_ns", "", keep }, { "audit.to_ns", "", keep },
	{ "device.", ".dm.name", change_word },
	{ "device.", ".name", change_disk },
	{ "device.", ".number", keep }, { "device.", ".model", change_word },
	{ "device.", ".serial", change_word },
	{ "device.", "_block_size", keep }, { "device.", ".rotational", keep },
	{ "device.", ".read_only", keep }, { "device.", ".zoned", keep },
	{ "device.", ".scheduler", keep }, { "device.", ".nr_requests", keep },
	{ "device.", ".nr_hw_queues", keep },
	{ "device.", ".max_sectors_kb", keep },
	{ "device.", ".read_ahead_kb", keep },
	{ "device.", ".write_cache", keep },
	{ "device.", ".wbt_lat_usec", keep },
	{ "device.", ".partition", keep }, { "device.", ".type", keep },
	{ "device.", ".path", change_path }, { "device.", ".level", keep },
	{ "device.", ".raid_disks", keep },
	{ "device.", ".backing_file", change_path },
};

static bool fits(const struct rule *r, const char *key)
{
	size_t len = strlen(key), end = strlen(r->end);

	return !strncmp(key, r->begin, strlen(r->begin)) && len >= end &&
	       !strcmp(key + len - end, r->end);
}

bool disguise_card(void *disguise, struct recard_value *v)
{
	/* unknown values, and those that other kinds may have */
	if (!card_field_of(v->key) && strncmp(v->key, "cgroups.", 8) &&
	    strncmp(v->key, "end.cpus.", 9))
		return false;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (fits(&rules[i], v->key))
			return rules[i].change(disguise, v);
	return false;
}

/* --- names of files ------------------------------------------------------- */

static size_t stem_of(const char *file)
{
	const char *end = strstr(file, ".blktrace.");

	return end ? (size_t)(end - file) : strlen(file);
}

char *disguise_name(const struct disguise *d, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *file = slash ? slash + 1 : name;
	char dir[KEYED_WORD] = "", stem[KEYED_WORD] = "", *now;
	size_t len = stem_of(file), as_is = is_disk(file, len) ? len : 0;

	if (slash)
		disguise_word(d, dir, name, (size_t)(slash - name));
	if (!as_is)
		disguise_word(d, stem, file, len);
	if (asprintf(&now, "%s%s%.*s%s%s", dir, slash ? "/" : "", (int)as_is,
		     file, stem, file + len) < 0)
		return NULL;
	return now;
}
