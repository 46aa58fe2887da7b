/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of --rotate, --ring, --on, --spool and limits; see options.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "capture/to/courier.h"
#include "cli/set.h"
#include "cli/where.h"
#include "expr/error.h"
#include "expr/value.h"
#include "server/senders.h"
#include "stat/trigger.h"
#include "tools/blktrace/options.h"

/* --- options limits ------------------------------------------------------- */

/* Cuts off "/source" or another name of it; false: there is none. */
static bool is_each(char *text)
{
	char *slash = strchr(text, '/');

	if (!slash || (strcmp(slash, "/source") && strcmp(slash, "/identity")))
		return false;
	*slash = '\0';
	return true;
}

/* Cuts off "/day" at the end; false: there is none. */
static bool is_daily(char *text)
{
	size_t len = strlen(text);

	if (len < 4 || strcmp(text + len - 4, "/day"))
		return false;
	text[len - 4] = '\0';
	return true;
}

/* Cuts off the unit of a size; 1: no known unit. */
static uint64_t unit_of(char *text)
{
	static const char letters[] = "KMGT";
	size_t len = strlen(text);
	const char *unit = len ? strchr(letters, text[len - 1]) : NULL;

	if (!unit || !*unit)
		return 1;
	text[len - 1] = '\0';
	return UINT64_C(1) << 10 * (unit - letters + 1);
}

/* Sets *all or (with /source) *each to N, 1 to max, or with units to SIZE. */
static void set_limit(const char *name, const char *argument, bool units,
		      uint64_t max, uint64_t *all, uint64_t *each)
{
	char *text = strdup(argument);
	uint64_t unit, n;
	bool for_each;

	if (!text)
		msg_die("out of memory");
	for_each = is_each(text);
	unit = units ? unit_of(text) : 1;
	if (!cli_number(text, 1, max / unit, &n))
		msg_die("--%s takes a number from 1 to %llu, not %s", name,
			(unsigned long long)max, argument);
	*(for_each ? each : all) = n * unit;
	free(text);
}

static void set_runs(struct options_limits *l, const char *name,
		     const char *text)
{
	uint64_t all = l->max_clients, each = l->each.runs;

	set_limit(name, text, false, UINT32_MAX, &all, &each);
	l->max_clients = (unsigned int)all;
	l->each.runs = (unsigned int)each;
}

void options_set_max_clients(void *limits, const char *text)
{
	set_runs(limits, "max-clients", text);
}

void options_set_max_runs(void *limits, const char *text)
{
	set_runs(limits, "max-runs", text);
}

void options_set_max_bytes(void *limits, const char *text)
{
	struct options_limits *l = limits;
	char *copy = strdup(text);
	uint64_t all = 0;

	if (!copy)
		msg_die("out of memory");
	if (!is_daily(copy))
		set_limit("max-bytes", text, true, INT64_MAX, &l->max_bytes,
			  &l->each.bytes);
	else
		set_limit("max-bytes", copy, true, INT64_MAX, &all,
			  &l->each.day_bytes);
	if (all)
		msg_die("--max-bytes takes /day behind /source only, not %s",
			text);
	free(copy);
}

/* The directory's name may have commas. */
void options_set_spool(void *spool, const char *text)
{
	struct options_spool *s = spool;
	const char *comma = strrchr(text, ',');
	char *size = comma ? strdup(comma + 1) : NULL;
	uint64_t unit = size ? unit_of(size) : 1, n;

	if (!size || comma == text ||
	    !cli_number(size, 1, INT64_MAX / unit, &n) ||
	    n * unit < COURIER_SPOOL_MIN)
		msg_die("--spool takes a directory and 8M or more, as"
			" /var/spool,1G, not %s", text);
	free(size);
	free(s->directory);
	s->directory = strndup(text, (size_t)(comma - text));
	s->size = n * unit;
	if (!s->directory)
		msg_die("out of memory");
}

void options_set_max_files(void *limits, const char *text)
{
	struct options_limits *l = limits;

	set_limit("max-files", text, false, INT64_MAX, &l->max_files,
		  &l->each.files);
}

/* --- options ring --------------------------------------------------------- */

#define ROTATE_SIZE_MIN (64ull << 10)
#define ROTATE_SIZE_MAX (1ull << 50)
#define ROTATE_TIME_MAX (3650 * 86400 * NS_PER_SECOND)

/* units of --rotate */
static const struct rotate_unit {
	const char *name;
	uint64_t each;		/* bytes, or ns */
	bool is_time;
} rotate_units[] = {
	{ "K", 1ull << 10, false },
	{ "M", 1ull << 20, false },
	{ "G", 1ull << 30, false },
	{ "T", 1ull << 40, false },
	{ "s", NS_PER_SECOND, true },
	{ "m", 60 * NS_PER_SECOND, true },
	{ "h", 3600 * NS_PER_SECOND, true },
	{ "d", 86400 * NS_PER_SECOND, true },
};

static const struct rotate_unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(rotate_units) / sizeof(*rotate_units);
	     i++)
		if (!strcmp(rotate_units[i].name, name))
			return &rotate_units[i];
	return NULL;
}

/* With a size and a time, whichever is reached first counts. */
void options_set_rotate(void *ring, const char *text)
{
	struct options_ring *r = ring;
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	const struct rotate_unit *u = find_unit(end);
	uint64_t most;

	if (!u || *text < '0' || *text > '9')
		msg_die("--rotate takes a size as 500M or a time as 10m, not"
			" %s", text);
	most = u->is_time ? ROTATE_TIME_MAX : ROTATE_SIZE_MAX;
	if (n > most / u->each || n * u->each < (u->is_time ? NS_PER_SECOND :
							     ROTATE_SIZE_MIN))
		msg_die("--rotate takes 64K to 1024T, or 1s to 3650d, not %s",
			text);
	if (u->is_time)
		r->rotate_time = n * u->each;
	else
		r->rotate_size = n * u->each;
}

/* --- what is kept --------------------------------------------------------- */

/* A number of directories, or a time. */
void options_set_keep(void *options, const char *text)
{
	struct options *o = options;
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	const struct rotate_unit *u = find_unit(end);
	uint64_t number;

	if (u && u->is_time && *text >= '1' && *text <= '9' &&
	    n <= ROTATE_TIME_MAX / u->each) {
		o->retention.age = n * (u->each / NS_PER_SECOND);
		return;
	}
	if (!cli_number(text, 2, UINT32_MAX, &number))
		msg_die("--keep takes a number from 2 to %u, or for -l a time"
			" as 30d, not %s", UINT32_MAX, text);
	o->keep = (unsigned int)number;
}

void options_set_keep_bytes(void *retention, const char *text)
{
	struct retention_limits *l = retention;
	uint64_t none = 0;

	set_limit("keep-bytes", text, true, INT64_MAX, &l->bytes, &none);
	if (none)
		msg_die("--keep-bytes is for all runs, not for each source");
}

/* With % or without. */
void options_set_min_free(void *retention, const char *text)
{
	struct retention_limits *l = retention;
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '1' || *text > '9' || (*end && strcmp(end, "%")) ||
	    n > 90)
		msg_die("--min-free takes 1%% to 90%%, not %s", text);
	l->free = (unsigned int)n;
}

/* --- the flight recorder -------------------------------------------------- */

#define RING_SIZE_MIN (1ull << 20)
#define RING_SIZE_MAX (1ull << 40)
#define RECORD_TIME_MAX (86400 * NS_PER_SECOND)

/* Parses a time as in expressions; returns its end, or NULL. */
static const char *read_time(uint64_t *ns, const char *text)
{
	struct expr_error why;
	const char *end = expr_value_read(text, EXPR_IS_TIME, ns, &why);

	return end && *ns <= RECORD_TIME_MAX ? end : NULL;
}

void options_set_time(void *ns, const char *text)
{
	const char *end = read_time(ns, text);

	if (!end || *end)
		msg_die("a time is expected, as 500ms, 10s, 5m: not %s", text);
}

void options_set_ring(void *ring, const char *text)
{
	struct options_ring *r = ring;
	const char *comma = strchrnul(text, ','), *end = comma;
	char unit[] = { comma > text ? comma[-1] : '\0', '\0' };
	const struct rotate_unit *u = find_unit(unit);
	char *behind;
	unsigned long long n = strtoull(text, &behind, 10);

	if (*text < '0' || *text > '9' || !u || u->is_time ||
	    behind + 1 != comma)
		msg_die("--ring takes a size as 64M, or 64M,30s: not %s", text);
	if (n > RING_SIZE_MAX / u->each || n * u->each < RING_SIZE_MIN)
		msg_die("--ring takes 1M to 1T, not %s", text);
	r->size = n * u->each;
	r->time = 0;
	if (*comma)
		end = read_time(&r->time, comma + 1);
	if (!end || *end || (*comma && !r->time))
		msg_die("--ring takes a time behind the comma, as 30s: not %s",
			text);
}

void options_add_trigger(void *ring, const char *text)
{
	struct options_ring *r = ring;
	struct expr_error why;
	char shown[WHERE_MAX];
	struct trigger **all = realloc(r->triggers, (r->trigger_count + 1) *
							    sizeof(*all));
	int err = all ? trigger_compile(&all[r->trigger_count], text, &why) :
			-ENOMEM;

	if (err == -ENOMEM)
		msg_die("out of memory");
	if (err) {
		where_text(shown, "--on", text, why.at, why.phrase);
		msg_die("%s", shown);
	}
	r->triggers = all;
	r->trigger_count++;
}

void options_ring_free(struct options_ring *r)
{
	for (size_t i = 0; i < r->trigger_count; i++)
		trigger_free(r->triggers[i]);
	free(r->triggers);
}
