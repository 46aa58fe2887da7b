/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments of -l's limits; see options_limits.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/number.h"
#include "tools/blktrace/options_limits.h"

/* Cuts "/source" off: whether it is there; other names of it say the same. */
static bool is_each(char *text)
{
	char *slash = strchr(text, '/');

	if (!slash || (strcmp(slash, "/source") && strcmp(slash, "/identity")))
		return false;
	*slash = '\0';
	return true;
}

/* Cuts the unit of a size off; 1 without one that we know. */
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

/*
 * N, N/source, or with units SIZE and SIZE/source, 1 to max: in *all or in
 * *each.
 */
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

	set_limit("max-bytes", text, true, INT64_MAX, &l->max_bytes,
		  &l->each.bytes);
}

void options_set_max_files(void *limits, const char *text)
{
	struct options_limits *l = limits;

	set_limit("max-files", text, false, INT64_MAX, &l->max_files,
		  &l->each.files);
}
