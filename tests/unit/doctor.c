/* SPDX-License-Identifier: GPL-2.0-only */
/* Why relay files are closed to root: the cause, and what to do, if anything. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/doctor.h"
#include "capture/system.h"

static void explain(char text[DOCTOR_TEXT], bool tries_ftrace)
{
	const struct patient p = {
		.path = "/dev/sda", .debugfs = "/sys/kernel/debug", .why = "",
		.tries_ftrace = tries_ftrace,
	};

	doctor_explain(text, &p, STAGE_RELAY, EPERM);
}

/* Only a lockdown refuses root, who is sent to ftrace unless on the way. */
static void test_locked(void **state)
{
	char text[DOCTOR_TEXT];

	(void)state;
	if (geteuid() || !system_may_mount() ||
	    system_lockdown() == LOCKDOWN_CONFIDENTIALITY)
		skip();
	explain(text, false);
	assert_string_equal(text, "the kernel is locked down (Secure Boot) and"
			    " keeps relay files closed; use --via=ftrace");
	explain(text, true);
	assert_string_equal(text, "the kernel is locked down (Secure Boot) and"
			    " keeps relay files closed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
