/* SPDX-License-Identifier: GPL-2.0-only */
/* The card of a trace: what is read of it, and what is refused. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/card.h"

static int parse(struct card **c, const char *text, char why[CARD_WHY])
{
	return card_parse(c, text, strlen(text), why);
}

static void test_values(void **state)
{
	static const char text[] =
		"{\"schema\":1,\"host\":\"db1\",\"cpus_online\":8,"
		"\"later\":{\"Not Plain\":1,\"plain\":[null,2.5,-3,\"x\"]},"
		"\"device\":{\"name\":\"sda\",\"rotational\":true,"
		"\"slaves\":[{\"name\":\"sdb\",\"size\":512}]}}";
	char why[CARD_WHY];
	struct card *c;
	uint64_t n = 7;

	(void)state;
	assert_int_equal(parse(&c, text, why), 0);
	assert_string_equal(card_text(c, "host"), "db1");
	assert_string_equal(card_text(c, "device.slaves.0.name"), "sdb");
	assert_true(card_flag(c, "device.rotational"));
	assert_false(card_flag(c, "device.read_only"));
	assert_true(card_number(c, "device.slaves.0.size", &n));
	assert_int_equal(n, 512);
	assert_false(card_number(c, "host", &n));
	assert_null(card_text(c, "cpus_online"));
	assert_null(card_text(c, "later.Not Plain"));
	assert_string_equal(card_text(c, "later.plain.3"), "x");
	assert_string_equal(card_value(c, 0)->key, "schema");
	assert_null(card_value(c, CARD_VALUES));
	assert_null(card_value(NULL, 0));
	card_free(c);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} cards[] = {
		{ "", "cut short (line 1)" },
		{ "{\"host\":\"a\"", "cut short (line 1)" },
		{ "[]", "not an object" },
		{ "\x8b", "not UTF-8 (line 1)" },
		{ "{\"host\":\"a\",\"host\":\"b\"}",
		  "duplicate name (line 1)" },
		{ "{\"host\":5}", "host is no text" },
		{ "{\"device\":\"sda\"}", "device is no object" },
		{ "{\"device\":{\"slaves\":{}}}",
		  "device.slaves is no list" },
		{ "{\"device\":{\"size\":-1}}",
		  "device.size is no whole number" },
		{ "{\"device\":{\"size\":1e9}}",
		  "device.size is no whole number" },
		{ "{\"clock\":{\"start\":{\"synchronised\":1}}}",
		  "clock.start.synchronised is no true or false" },
		{ "{\"host\":\"a\\u0000b\"}",
		  "NUL in a text (line 1)" },
		{ "{\"schema\":2}", "schema is not 1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cards) / sizeof(*cards); i++) {
		char why[CARD_WHY] = "";
		struct card *c;

		assert_int_equal(parse(&c, cards[i].text, why), -EBADMSG);
		assert_null(c);
		assert_string_equal(why, cards[i].why);
	}
}

/* levels of lists, with nothing in the innermost */
static int parse_deep(size_t levels, char why[CARD_WHY])
{
	size_t len = 2 * levels + 10;
	char *text = malloc(len + 1);
	struct card *c;
	int err;

	assert_non_null(text);
	memcpy(text, "{\"later\":", 9);
	memset(text + 9, '[', levels);
	memset(text + 9 + levels, ']', levels);
	strcpy(text + 9 + 2 * levels, "}");
	err = parse(&c, text, why);
	card_free(c);
	free(text);
	return err;
}

static void test_deep(void **state)
{
	char why[CARD_WHY];

	(void)state;
	assert_int_equal(parse_deep(20, why), 0);
	assert_int_equal(parse_deep(60, why), -EBADMSG);
	assert_string_equal(why, "nested too deeply");
	assert_int_equal(parse_deep(400000, why), -EBADMSG);
	assert_string_equal(why, "nested too deeply (line 1)");
}

static void test_many(void **state)
{
	char *text = malloc(CARD_BYTES), *end = text, why[CARD_WHY];
	struct card *c;

	(void)state;
	assert_non_null(text);
	end = stpcpy(end, "{\"later\":[1");
	for (unsigned int i = 0; i < CARD_VALUES; i++)
		end = stpcpy(end, ",1");
	strcpy(end, "]}");
	assert_int_equal(parse(&c, text, why), -EBADMSG);
	assert_string_equal(why, "more than 4096 values");
	free(text);
}

static void test_files(void **state)
{
	char path[] = "/tmp/card.XXXXXX", why[CARD_WHY];
	int fd = mkstemp(path);
	struct card *c;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "{\"host\":\"a\"}\n", 13), 13);
	assert_int_equal(card_read(&c, path, why), 0);
	assert_string_equal(card_text(c, "host"), "a");
	card_free(c);
	assert_int_equal(ftruncate(fd, 100 << 20), 0);
	assert_int_equal(card_read(&c, path, why), -EFBIG);
	close(fd);
	unlink(path);
	assert_int_equal(card_read(&c, path, why), -ENOENT);
	assert_int_equal(card_read(&c, "/tmp", why), -EINVAL);
	assert_int_equal(card_read(&c, "/dev/zero", why), -EINVAL);
}

static void test_without(void **state)
{
	char why[CARD_WHY];
	struct card *c;

	(void)state;
	assert_int_equal(parse(&c, "{}", why), -EOPNOTSUPP);
	assert_string_equal(why, "built without jansson, which reads it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_files),
	};
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_without),
	};

	return card_is_readable() ? cmocka_run_group_tests(tests, NULL, NULL) :
				    cmocka_run_group_tests(without, NULL, NULL);
}
