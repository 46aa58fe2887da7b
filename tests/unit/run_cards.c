/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of a run: what is in them, and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/audit.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/totals.h"
#include "machine/card.h"
#include "machine/machine_id.h"
#include "tests/unit/scratch.h"

static const char *const words[] = { "blktrace", "/dev/none" };

static void keep_line(void *text, const char *line)
{
	snprintf(text, 256, "%s", line);
}

static struct run_cards *make(const struct capture_reporter *r,
			      const char *base)
{
	const struct run_cards_options o = {
		.program = "blktrace test", .words = words, .word_count = 2,
		.via = "relay", .record_version = 8, .base = base,
		.reporter = r,
	};
	struct run_cards *c;

	assert_int_equal(run_cards_new(&c, &o), 0);
	/* no machine has it */
	assert_int_equal(run_cards_add(c, "none", makedev(4095, 1048575)), 0);
	return c;
}

static struct card *read_card(const char *path)
{
	char why[CARD_WHY];
	struct card *c;

	if (card_read(&c, path, why))
		fail_msg("%s: %s", path, why);
	return c;
}

static uint64_t number(const struct card *c, const char *key)
{
	uint64_t n;

	if (!card_number(c, key, &n))
		fail_msg("there is no %s", key);
	return n;
}

static void test_begin(void **state)
{
	struct run_cards *c = make(NULL, NULL);
	struct utsname name;
	struct card *card;
	uint64_t n;

	(void)state;
	run_cards_begin(c, NULL, NULL);
	card = read_card("none.blktrace.json");
	assert_int_equal(uname(&name), 0);
	assert_string_equal(card_text(card, "host"), name.nodename);
	assert_string_equal(card_text(card, "kernel"), name.release);
	assert_string_equal(card_text(card, "program"), "blktrace test");
	assert_string_equal(card_text(card, "command.1"), "/dev/none");
	assert_string_equal(card_text(card, "via"), "relay");
	assert_int_equal(number(card, "record_version"), 8);
	assert_string_equal(card_text(card, "device.name"), "none");
	assert_string_equal(card_text(card, "device.number"), "4095:1048575");
	assert_true(number(card, "clock.start.realtime_ns") >
		    number(card, "clock.start.monotonic_ns"));
	assert_false(card_number(card, "clock.end.realtime_ns", &n));
	assert_null(card_text(card, "end.cause"));
	card_free(card);
	run_cards_free(c);
}

static void test_end(void **state)
{
	static const struct totals_cpu cpus[] = { { 5, 300 }, { 2, 100 } };
	const struct run_cards_end end = {
		.cause = "signal", .cpus = cpus, .cpu_count = 2, .dropped = 3,
	};
	struct run_cards *c = make(NULL, "name");
	struct card *card;

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	run_cards_begin(c, "d", NULL);
	run_cards_complete(c, "d", NULL);
	card = read_card("d/name.blktrace.json");
	assert_true(number(card, "clock.end.monotonic_ns") >
		    number(card, "clock.start.monotonic_ns"));
	assert_null(card_text(card, "end.cause"));
	card_free(card);
	assert_int_equal(run_cards_finish(c, 0, &end), 0);
	run_cards_complete(c, "d", NULL);
	card = read_card("d/name.blktrace.json");
	assert_string_equal(card_text(card, "end.cause"), "signal");
	assert_int_equal(number(card, "end.events"), 7);
	assert_int_equal(number(card, "end.bytes"), 400);
	assert_int_equal(number(card, "end.dropped"), 3);
	assert_int_equal(number(card, "end.cpus.1.events"), 2);
	card_free(card);
	run_cards_free(c);
}

/* the card of a run with that audit */
static struct card *audited(const struct audit_result *audit)
{
	static const struct totals_cpu cpus[] = { { 5, 300 } };
	const struct run_cards_end end = {
		.cause = "signal", .cpus = cpus, .cpu_count = 1,
		.audit = audit,
	};
	struct run_cards *c = make(NULL, "name");
	struct card *card;

	assert_int_equal(run_cards_finish(c, 0, &end), 0);
	run_cards_complete(c, ".", NULL);
	card = read_card("name.blktrace.json");
	run_cards_free(c);
	return card;
}

/* a card has the numbers of an audit, or why there are none */
static void test_audit(void **state)
{
	struct audit_result r = {
		.verdict = AUDIT_MISSING, .has_ios = true, .completed = 9,
		.recorded = 7, .missing = 2, .completed_bytes = 900,
		.recorded_bytes = 700, .missing_bytes = 200, .from = 5, .to = 6,
	};
	struct card *card = audited(&r);
	uint64_t n;

	(void)state;
	assert_string_equal(card_text(card, "audit.verdict"), "missing");
	assert_null(card_text(card, "audit.reason"));
	assert_int_equal(number(card, "audit.completed"), 9);
	assert_int_equal(number(card, "audit.recorded"), 7);
	assert_int_equal(number(card, "audit.missing"), 2);
	assert_int_equal(number(card, "audit.completed_bytes"), 900);
	assert_int_equal(number(card, "audit.recorded_bytes"), 700);
	assert_int_equal(number(card, "audit.missing_bytes"), 200);
	assert_int_equal(number(card, "audit.from_ns"), 5);
	assert_int_equal(number(card, "audit.to_ns"), 6);
	card_free(card);
	r = (struct audit_result){ .verdict = AUDIT_NONE, .reason = "why" };
	card = audited(&r);
	assert_string_equal(card_text(card, "audit.verdict"), "none");
	assert_string_equal(card_text(card, "audit.reason"), "why");
	assert_false(card_number(card, "audit.completed_bytes", &n));
	card_free(card);
	r = (struct audit_result){ .verdict = AUDIT_COMPLETE, .tolerance = 4,
				   .completed_bytes = 5, .recorded_bytes = 5 };
	card = audited(&r);
	assert_int_equal(number(card, "audit.tolerance"), 4);
	assert_string_equal(card_text(card, "audit.verdict"), "complete");
	assert_false(card_number(card, "audit.completed", &n));
	assert_false(card_number(card, "audit.missing_bytes", &n));
	card_free(card);
}

static void test_unwritable(void **state)
{
	char line[256] = "";
	const struct capture_reporter r = { keep_line, line };
	struct run_cards *c = make(&r, NULL);

	(void)state;
	run_cards_begin(c, "missing", NULL);
	assert_string_equal(line, "cannot write missing/none.blktrace.json:"
				  " No such file or directory");
	run_cards_free(c);
	run_cards_begin(NULL, NULL, NULL);
	run_cards_complete(NULL, NULL, NULL);
	run_cards_free(NULL);
}

/* as systemd-id128 has it, which is asked where it is */
static void test_machine_id(void **state)
{
	char id[MACHINE_ID], theirs[64] = "";
	FILE *f = popen("systemd-id128 machine-id --app-specific="
			MACHINE_ID_APPLICATION " 2>/dev/null", "r");

	(void)state;
	assert_non_null(f);
	if (!fgets(theirs, sizeof(theirs), f))
		*theirs = '\0';
	pclose(f);
	if (!machine_id(id) || !*theirs)
		skip();
	theirs[strcspn(theirs, "\n")] = '\0';
	assert_string_equal(id, theirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_begin),
		IN_SCRATCH(test_end),
		IN_SCRATCH(test_audit),
		IN_SCRATCH(test_unwritable),
		cmocka_unit_test(test_machine_id),
	};
	const struct CMUnitTest writes[] = {
		IN_SCRATCH(test_unwritable),
		cmocka_unit_test(test_machine_id),
	};

	return card_is_readable() ? cmocka_run_group_tests(tests, NULL, NULL) :
				    cmocka_run_group_tests(writes, NULL, NULL);
}
