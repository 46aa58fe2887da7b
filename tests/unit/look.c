/* SPDX-License-Identifier: GPL-2.0-only */
/* How pictures may look: options, a terminal, the environment. */
#include <locale.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/look.h"
#include "cli/look.h"

/* a terminal of that size; its other end stays open and is never read */
static int terminal(unsigned short columns, unsigned short lines)
{
	struct winsize size = { .ws_row = lines, .ws_col = columns };
	int master, slave;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	return slave;
}

static struct look look_of(struct look_options o, int fd)
{
	struct look l;

	look_init(&l, &o, fd);
	return l;
}

static int setup(void **state)
{
	(void)state;
	setenv("TERM", "xterm", 1);
	setenv("LC_ALL", "C", 1);
	unsetenv("NO_COLOR");
	return 0;
}

static void test_size(void **state)
{
	static const struct {
		unsigned short columns, lines;
		unsigned int option, width, height;
	} wants[] = {
		{ 132, 43, 0, 132, 43 }, { 132, 43, 60, 60, 43 },
		{ 20, 5, 0, 40, 5 }, { 0, 0, 0, 80, 0 }, { 90, 9, 200, 200, 9 },
	};
	struct look l;

	(void)state;
	for (unsigned int i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		struct look_options o = { .width = wants[i].option };
		int fd = terminal(wants[i].columns, wants[i].lines);

		l = look_of(o, fd);
		assert_int_equal(l.width, wants[i].width);
		assert_int_equal(l.height, wants[i].height);
		close(fd);
	}
	l = look_of((struct look_options){ 0 }, -1);
	assert_int_equal(l.width, 80);
	assert_int_equal(l.height, 0);
}

static void test_color(void **state)
{
	struct look_options none = { 0 }, always = { .color = "always" };
	struct look_options never = { .color = "never" };
	struct look_options by_itself = { .color = "auto" };
	int fd = terminal(80, 24);

	(void)state;
	assert_true(look_of(none, fd).color);
	assert_true(look_of(by_itself, fd).color);
	assert_false(look_of(never, fd).color);
	assert_false(look_of(none, -1).color);
	assert_true(look_of(always, -1).color);
	setenv("NO_COLOR", "", 1);
	assert_true(look_of(none, fd).color);
	setenv("NO_COLOR", "1", 1);
	assert_false(look_of(none, fd).color);
	assert_true(look_of(always, fd).color);
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	assert_false(look_of(none, fd).color);
	unsetenv("TERM");
	assert_false(look_of(none, fd).color);
	close(fd);
}

static void test_signs(void **state)
{
	struct look_options none = { 0 }, ascii = { .ascii = true };

	(void)state;
	assert_false(look_of(none, -1).utf8);
	setenv("LC_ALL", "C.UTF-8", 1);
	assert_true(look_of(none, -1).utf8);
	assert_false(look_of(ascii, -1).utf8);
	setenv("LC_ALL", "no_SUCH.UTF-8", 1);
	/* musl has every locale that is asked for */
	if (!setlocale(LC_ALL, ""))
		assert_false(look_of(none, -1).utf8);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_size, setup),
		cmocka_unit_test_setup(test_color, setup),
		cmocka_unit_test_setup(test_signs, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
