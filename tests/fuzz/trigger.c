/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers for libFuzzer.  What is wrong with one is within its text, and can
 * be shown; one that is right can be asked of any ios, and says what it was.
 *
 * An input is a text up to its NUL, then records of ios.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/where.h"
#include "expr/error.h"
#include "request/io.h"
#include "stat/trigger.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct trigger *compile(const char *text)
{
	struct expr_error why = { SIZE_MAX, NULL };
	struct trigger *t = NULL;
	char shown[WHERE_MAX];
	int err = trigger_compile(&t, text, &why);

	must(err == 0 || err == -EINVAL);
	must((err == 0) == (t != NULL));
	if (t) {
		must(!strcmp(trigger_text(t), text));
	} else {
		must(why.at <= strlen(text) && why.phrase && *why.phrase);
		where_text(shown, "-x", text, why.at, why.phrase);
	}
	return t;
}

/* What is at data, with words that there are; times do not go back. */
static struct io make_io(const uint8_t *data, uint64_t now)
{
	struct io io;

	memcpy(&io, data, sizeof(io));
	io.kind = (unsigned int)io.kind % IO_KINDS;
	io.op = (unsigned int)io.op % IO_OPS;
	io.merge = (unsigned int)io.merge % IO_MERGES;
	io.ended = (unsigned int)io.ended % IO_ENDINGS;
	memset(&io.gap, data[0] % 2, sizeof(io.gap));
	memset(&io.remapped, 0, sizeof(io.remapped));
	io.time = now;
	io.total = io_completed(&io) ? io.total >> 30 : IO_NONE;
	return io;
}

/* An open one becomes so once. */
static void ask_open(struct trigger *t, struct io *io, uint64_t now)
{
	io->ended = IO_ENDED_OPEN;
	io->age = IO_NONE;
	io->total = IO_NONE;
	if (trigger_open(t, io, now))
		must(!trigger_open(t, io, now + 1));
}

static void ask(struct trigger *t, const uint8_t *data, size_t size)
{
	uint64_t now = 1;
	char value[TRIGGER_VALUE];

	for (; size >= sizeof(struct io); size -= sizeof(struct io)) {
		struct io io = make_io(data, now);

		data += sizeof(io);
		if (trigger_io(t, &io)) {
			trigger_value(t, value);
			must(strnlen(value, sizeof(value)) < sizeof(value));
			must(*value);
		}
		now += io_completed(&io) ? io.total : 1;
		trigger_time(t, now);
		ask_open(t, &io, now);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	char *text = strndup((const char *)data, size);
	struct trigger *t;

	must(text != NULL);
	t = compile(text);
	if (t && len < size)
		ask(t, data + len + 1, size - len - 1);
	trigger_free(t);
	free(text);
	return 0;
}
