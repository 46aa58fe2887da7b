/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces stderr; see own_stderr.h. */
#include "cli/own_stderr.h"

FILE *own_stderr_start(own_stderr_write *write, void *ctx)
{
	const cookie_io_functions_t functions = { .write = write };
	FILE *f = fopencookie(ctx, "w", functions), *was = stderr;

	if (!f)
		return NULL;
	setvbuf(f, NULL, _IOLBF, 0);
	stderr = f;
	return was;
}

void own_stderr_end(FILE *was)
{
	FILE *f = stderr;

	stderr = was;
	fclose(f);
}
