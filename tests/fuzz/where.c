/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions for libFuzzer.  One that is right says the same of an io each
 * time, and the opposite with a ! before it; what is wrong with others is
 * within the text, and can be shown.
 *
 * An input is a text up to its NUL, then the record of an io.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/where.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/matcher.h"
#include "request/io.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every third is not known; device and host are not asked for. */
static const char *name_of(void *ctx, const struct io *io)
{
	return io->pid % 3 ? ctx : NULL;
}

/* What is left of the input, with words that there are. */
static struct io make_io(const uint8_t *data, size_t size)
{
	struct io io = { 0 };

	memcpy(&io, data, size < sizeof(io) ? size : sizeof(io));
	io.kind = (unsigned int)io.kind % IO_KINDS;
	io.op = (unsigned int)io.op % IO_OPS;
	io.merge = (unsigned int)io.merge % IO_MERGES;
	io.ended = (unsigned int)io.ended % IO_ENDINGS;
	memset(&io.gap, data[size - 1] % 2, sizeof(io.gap));
	return io;
}

static struct expr *compile(const char *text)
{
	struct expr_error why = { SIZE_MAX, NULL };
	struct expr_names names = { .ctx = (char *)"kworker/0:1",
				    .process = name_of, .cgroup = name_of };
	struct expr *e = NULL;
	char shown[WHERE_MAX];
	int err = expr_compile(&e, text, &why);

	must(err == 0 || err == -EINVAL);
	must((err == 0) == (e != NULL));
	if (e) {
		expr_set_names(e, &names);
	} else {
		must(why.at <= strlen(text) && why.phrase && *why.phrase);
		where_text(shown, "-x", text, why.at, why.phrase);
	}
	return e;
}

static void ask(struct expr *e, const char *text, const struct io *io)
{
	bool yes = expr_matches(e, io, io->phase[0]);
	size_t size = strlen(text) + sizeof("!()");
	char *not = malloc(size);
	struct expr *other;

	must(not != NULL);
	snprintf(not, size, "!(%s)", text);
	other = compile(not);
	/* there are not more than 64 brackets */
	must(other || strchr(text, '('));
	must(expr_matches(e, io, io->phase[0]) == yes);
	if (other)
		must(expr_matches(other, io, io->phase[0]) != yes);
	expr_free(other);
	free(not);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	char *text = strndup((const char *)data, size);
	struct expr *e;
	struct io io;

	must(text != NULL);
	e = compile(text);
	if (e && len < size) {
		io = make_io(data + len, size - len);
		ask(e, text, &io);
	}
	expr_free(e);
	free(text);
	return 0;
}
