/* SPDX-License-Identifier: GPL-2.0-only */
/* What errors are about and mean; see blktrace-reader.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/blktrace-reader.h"
#include "lib/impl.h"

/* what says more here than the system's text */
static const struct {
	int error;
	const char *text;
} texts[] = {
	{ -EBUSY, "reading has begun, no name can be added" },
	{ -EINVAL, "the call does not fit the reader's options" },
	{ -ENODATA, "not a trace" },
	{ -ENOENT, "no such file or trace" },
	{ -EISDIR, "no trace in this directory" },
	{ -EMFILE, "too many files for the limit of open files" },
	{ -E2BIG, "more is asked for than this library knows" },
};

const char *blkt_strerror(int error)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].error == error)
			return texts[i].text;
	return strerror(error < 0 ? -error : 0);
}

int lib_fail(struct blkt_reader *r, const char *name, int error)
{
	bool named = name && *name;

	snprintf(r->why, sizeof(r->why), "%s%s%s", named ? name : "",
		 named ? ": " : "", blkt_strerror(error));
	return error;
}

const char *blkt_error(const struct blkt_reader *r)
{
	return r->why;
}
