/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cards for libFuzzer: whatever the bytes are, a card is within its bounds and
 * of the kinds that it says, or there is a phrase why not; and what is made of
 * it in words is one.
 *
 * An input is a card.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/machine_words.h"
#include "machine/card.h"
#include "run/host_clocks.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_value(const struct card *c, const struct card_value *v)
{
	const struct card_field *f = card_field_of(v->key);
	uint64_t n;

	must(strlen(v->key) < CARD_KEY);
	must(!f || f->kind == v->kind);
	must(v->kind != CARD_TEXT || card_text(c, v->key));
	must(v->kind != CARD_NUMBER ||
	     (*v->text && strspn(v->text, "0123456789") == strlen(v->text) &&
	      card_number(c, v->key, &n)));
	must(v->kind != CARD_FLAG || !strcmp(v->text, "true") ||
	     !strcmp(v->text, "false"));
	must(v->kind < CARD_OBJECT || !f);
}

static void check_words(const struct card *c)
{
	int fd = memfd_create("card", 0);
	struct buf b;

	must(fd >= 0 && !buf_init(&b, fd, 65536));
	card_words_write(c, &b);
	for (size_t i = 0; i < b.len; i++)
		must(b.data[i] == '\n' || (unsigned char)b.data[i] >= ' ');
	must(!buf_flush(&b));
	buf_free(&b);
	close(fd);
}

static void check_clock(const struct card *c)
{
	struct host_clock clock;

	host_clock_find(&clock, false, 0, c);
	must(clock.drift <= 500e-6 && clock.drift >= -500e-6);
	must(!clock.step || clock.drift == 0);
	(void)host_clock_wall(&clock, clock.from);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[CARD_WHY] = "";
	const struct card_value *v;
	struct card *c;
	size_t count = 0;
	int err = card_parse(&c, (const char *)data, size, why);

	must(!err == !!c);
	must(!err || (err == -EBADMSG && *why) || err == -EOPNOTSUPP);
	for (; (v = card_value(c, count)); count++)
		check_value(c, v);
	must(count <= CARD_VALUES);
	if (c) {
		check_words(c);
		check_clock(c);
	}
	card_free(c);
	return 0;
}
