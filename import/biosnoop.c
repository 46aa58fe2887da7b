/* SPDX-License-Identifier: GPL-2.0-only */
/* biosnoop's output; see biosnoop.h. */
#include <stdio.h>
#include <string.h>

#include "import/biosnoop.h"
#include "import/import.h"
#include "import/table.h"

/* columns by their names in the heading; others are of no interest */
static const struct {
	const char *name, *column;
} names[] = {
	{ "TIME(s)", "end:s" },
	{ "COMM", "process" },
	{ "PID", "pid" },
	{ "DISK", "device" },
	{ "T", "op" },
	{ "SECTOR", "offset:sectors" },
	{ "BYTES", "bytes" },
	{ "QUE(ms)", "queue:ms" },
	{ "LAT(ms)", "service:ms" },
};

static const char *column_of(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == len &&
		    !memcmp(names[i].name, name, len))
			return names[i].column;
	return "-";
}

static bool is_heading(const char *line, size_t len)
{
	static const char first[] = "TIME(s)";

	return len > sizeof(first) && !memcmp(line, first, sizeof(first) - 1);
}

static bool heading(const char *line, size_t len, char *columns, size_t size)
{
	const char *at = line, *end = line + len;
	size_t used = 0;

	if (!is_heading(line, len))
		return false;
	while (at < end && used < size) {
		size_t n = strcspn(at, " \t\r\n");

		if (n)
			used += (size_t)snprintf(columns + used, size - used,
						 "%s%s", used ? "," : "",
						 column_of(at, n));
		at += n + 1;	/* a blank, or a NUL */
	}
	return used < size;
}

static const struct table table = {
	.from = "biosnoop", .heading = heading,
	.clock = "s since the start", .separator = ' ', .prefix = "",
};

bool biosnoop_is(const struct import_format *f, const char *begin, size_t len)
{
	(void)f;
	return is_heading(begin, len) && strstr(begin, "LAT(ms)");
}

int biosnoop_read(const struct import_format *f, struct source *s,
		  const struct import_options *o, const struct import_to *to)
{
	(void)f;
	return table_read(&table, o->columns, s, to);
}
