/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings of other programs; see foreign.h. */
#include <string.h>

#include "file/foreign.h"
#include "file/source.h"

static const struct {
	const char *begin;
	struct foreign is;
} rows[] = {
	{ "PERFILE2", { "perf", "perf" } },
	{ "2ELIFREP", { "perf", "perf" } },	/* by a big-endian machine */
	{ "\x17\x08\x44tracing", { "trace-cmd", "trace-cmd" } },
	{ "# tracer:", { "ftrace", "ftrace" } },
};

const struct foreign *foreign_of(const void *begin, size_t len)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strlen(rows[i].begin) <= len &&
		    !memcmp(begin, rows[i].begin, strlen(rows[i].begin)))
			return &rows[i].is;
	return NULL;
}

bool foreign_may_be(const void *begin, size_t len)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strlen(rows[i].begin) > len &&
		    !memcmp(begin, rows[i].begin, len))
			return true;
	return false;
}

/* A pipe's bytes would be lost. */
const struct foreign *foreign_of_file(const char *path)
{
	const struct foreign *is = NULL;
	char begin[FOREIGN_BEGIN];
	struct source *s;

	if (source_open(&s, path))
		return NULL;
	if (!source_is_live(s)) {
		ssize_t n = source_fill(s, begin, sizeof(begin));

		is = n > 0 ? foreign_of(begin, (size_t)n) : NULL;
	}
	source_close(s);
	return is;
}
