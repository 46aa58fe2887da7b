/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as JSON; see json.h. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/json.h"
#include "tools/btreplay/json.h"

int json_open(FILE **f, const char *file)
{
	*f = strcmp(file, "-") ? fopen(file, "we") : stdout;
	return *f ? 0 : -errno;
}

void json_write_text(FILE *f, const char *text)
{
	char string[JSON_QUOTES + JSON_GROWS * PATH_MAX];
	char *end = json_render(string, text, strnlen(text, PATH_MAX));

	fwrite(string, 1, (size_t)(end - string), f);
}

int json_close(FILE *f)
{
	int err = 0;

	if (fflush(f) || ferror(f))
		err = errno ? -errno : -EIO;
	if (f != stdout && fclose(f) && !err)
		err = -errno;
	return err;
}
