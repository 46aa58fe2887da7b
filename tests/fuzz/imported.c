/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables and texts of other programs for libFuzzer.
 *
 * An input is the size of the pieces in which it comes, a byte; a format's name
 * and columns, a line each; and the file.
 */
#include <stdlib.h>
#include <string.h>

#include "import/formats.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/receiver.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes a line from the input; a copy, or NULL: there is none. */
static char *take_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = memchr(*data, '\n', *size);
	char *line;

	if (!end)
		return NULL;
	line = strndup((const char *)*data, (size_t)(end - *data));
	*size -= (size_t)(end + 1 - *data);
	*data = end + 1;
	return line;
}

static void read_as(const struct import_format *f, size_t piece,
		    const char *columns, const uint8_t *data, size_t size)
{
	const struct import_options o = { .columns = columns };
	struct received r;
	struct source *s;

	must(!trickle_open_steady(&s, data, size, piece));
	receive(f, s, &o, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_format *f;
	char *name, *columns;
	size_t piece;

	if (!size)
		return 0;
	piece = *data + 1u;
	data++;
	size--;
	name = take_line(&data, &size);
	columns = name ? take_line(&data, &size) : NULL;
	f = columns ? import_format_named(name) : NULL;
	if (f)
		read_as(f, piece, columns, data, size);
	free(name);
	free(columns);
	return 0;
}
