/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perfetto's traces for libFuzzer.  The first byte of an input is how many bytes
 * come at a time.
 */
#include "import/formats.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/receiver.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct received r;
	struct source *s;

	if (!size)
		return 0;
	must(!trickle_open_steady(&s, data + 1, size - 1, data[0] + 1u));
	receive(import_format_named("perfetto"), s,
		&(struct import_options){ 0 }, &r);
	return 0;
}
