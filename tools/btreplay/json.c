/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as JSON; see json.h. */
#include <errno.h>
#include <string.h>

#include "tools/btreplay/json.h"

int json_open(FILE **f, const char *file)
{
	*f = strcmp(file, "-") ? fopen(file, "we") : stdout;
	return *f ? 0 : -errno;
}

void json_write_text(FILE *f, const char *text)
{
	putc('"', f);
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			fprintf(f, "\\u%04x", *text);
		else if (*text == '"' || *text == '\\')
			fprintf(f, "\\%c", *text);
		else
			putc(*text, f);
	putc('"', f);
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
