/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of blkparse: what each line becomes, or what is wrong with it. */
#include <errno.h>
#include <inttypes.h>

#include "base/buf.h"
#include "file/source.h"
#include "import/import.h"
#include "import/printed.h"
#include "import/printed_format.h"
#include "make.h"
#include "record/payload.h"
#include "record/action.h"

/* what the receiver is told, a line each */
struct told {
	char text[8192];
	size_t len;
	uint64_t first;		/* ns, of the first event */
};

static void __attribute__((format(printf, 2, 3)))
tell(struct told *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	t->len += (size_t)vsnprintf(t->text + t->len, sizeof(t->text) - t->len,
				    format, args);
	va_end(args);
	assert_true(t->len < sizeof(t->text));
}

static int take_about(void *ctx, const struct import_about *about)
{
	if (about->lacks)
		tell(ctx, "lacks %s\n", about->lacks);
	return 0;
}

static int take_device(void *ctx, uint32_t number, const char *name)
{
	tell(ctx, "%u,%u is %s\n", BLK_MAJOR(number), BLK_MINOR(number), name);
	return 0;
}

static int take_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	tell(ctx, "%u is %.*s\n", pid, (int)len, name);
	return 0;
}

static void tell_payload(struct told *t, const struct event *ev)
{
	bool text = event_is_note(ev);
	size_t len;
	const uint8_t *body = payload_body(ev, &len);
	uint32_t ino, gen;

	if (payload_cgroup(ev, &ino, &gen))
		tell(t, " %x,%x", ino, gen);
	for (size_t i = 0; i < len; i++)
		if (text && body[i] >= ' ')
			tell(t, "%s%c", i ? "" : " ", body[i]);
		else
			tell(t, " %02x", body[i]);
}

/* number, categories above 0xff0000 for those of version 8 */
static int take_event(void *ctx, const struct event *ev)
{
	struct told *t = ctx;

	if (!t->first)
		t->first = ev->time;
	tell(t, "%u,%u %u %" PRIu64 " %u %x:%x %" PRIu64 "+%u",
	     BLK_MAJOR(ev->device), BLK_MINOR(ev->device), ev->cpu,
	     ev->time - t->first, ev->pid, ev->action & BLK_ACTION_MASK,
	     event_categories(ev), ev->sector, ev->bytes);
	if (ev->error)
		tell(t, " error %u", ev->error);
	tell_payload(t, ev);
	tell(t, "\n");
	return 0;
}

static int take_loss(void *ctx, uint32_t cpu, uint64_t events)
{
	tell(ctx, "lost %u %" PRIu64 "\n", cpu, events);
	return 0;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	tell(ctx, "fault %" PRIu64 ":%" PRIu64 " %s\n", line, at, why);
}

static void read_text(struct told *t, const char *text, const char *format)
{
	const struct import_to to = { take_about, take_device, take_process,
				      take_event, take_loss, take_fault,
				      NULL, t };
	const struct import_options o = { .format = format };
	struct source *s;

	t->len = 0;
	t->first = 0;
	*t->text = '\0';
	assert_int_equal(source_memory(&s, text, strlen(text)), 0);
	assert_int_equal(printed_read(NULL, s, &o, &to), 0);
	source_close(s);
}

static void check_format(const char *format, const char *text,
			 const char *expected)
{
	struct told t;

	read_text(&t, text, format);
	assert_string_equal(t.text, expected);
}

static void check(const char *text, const char *expected)
{
	check_format(NULL, text, expected);
}

/* --- the usual lines ------------------------------------------------------ */

#define AT "  8,0    0        1     0.000000000   100 "
#define ON "8,0 0 0 100 "

/* what is after the pid, and after "8,0 0 0 100 " */
static const struct {
	const char *rest, *event;
} events[] = {
	{ " Q  WS 2048 + 8 [(null)]", "1:1a 2048+4096" },
	{ " M   W 2048 + 8 [(null)]", "2:12 2048+4096" },
	{ " F   R 2048 + 8 [(null)]", "3:11 2048+4096" },
	{ " G   R 2048 + 8 [(null)]", "4:11 2048+4096" },
	{ " S   R 2048 + 8 [(null)]", "5:11 2048+4096" },
	{ " R   R 2048 + 8 [5]", "6:121 2048+4096 error 5" },
	{ " D  RA 2048 + 8 [(null)]", "7:941 2048+4096" },
	/* no request is known of the device */
	{ " C   R 2048 + 8 [65531]", "8:81 2048+4096 error 65531" },
	{ " P   N [(null)]", "9:11 0+0" },
	{ " U   N [(null)] 3", "a:11 0+0 00 00 00 00 00 00 00 03" },
	{ "UT   N [(null)] 0", "b:11 0+0 00 00 00 00 00 00 00 00" },
	{ " I FWFSM 8 + 8 [(null)]", "c:911e 8+4096" },
	{ " B   R 2048 + 8 [(null)]", "e:1 2048+4096" },
	{ "ZP  WS [(null)]", "12:1a 0+0" },
	{ "ZU  WS [(null)]", "13:1a 0+0" },
	{ "ZU  WS [(null)] 2", "13:1a 0+0 00 00 00 00 00 00 00 02" },
	/* a split: its length, and the upper half of the sector */
	{ " X  WS 2048 / 2056 [(null)]",
	  "d:a 2048+4096 00 00 00 00 00 00 08 08" },
	{ " X   R 4294967292 / 4 [(null)]",
	  "d:1 4294967292+4096 00 00 00 01 00 00 00 04" },
	{ " X   N 8 / 8 [(null)]", "d:1 8+0 00 00 00 00 00 00 00 08" },
	{ " A   R 2056 + 8 <- (8,1) 8",
	  "f:11 2056+4096 00 80 00 01 00 80 00 00 00 00 00 00 00 00 00 08" },
	/* without a size */
	{ " Q  FN [(null)]", "1:15 0+0" },
	{ " Q   R [(null)]", "1:11 0+1" },
	{ " Q  FR [(null)]", "1:15 0+1" },
	{ " C  FN 0 [0]", "8:85 0+0" },
	{ " C   W 64 [0]", "8:82 64+0" },
	/* latencies */
	{ " I   R 8 + 8 (    1000) [(null)]", "c:111 8+4096" },
	{ " D  FW (    1000) [(null)]", "7:146 0+0" },
	{ " C   R 8 + 8 (12345678901) [0]", "8:81 8+4096" },
	{ " C  FW 0 (    1000) [0]", "8:86 0+0" },
	/* packet commands */
	{ " Q   R 36 [(null)]", "1:211 0+36" },
	{ " D   R 36 (12 00 00 00 24 00 ..) [(null)]",
	  "7:241 0+36 12 00 00 00 24 00 00" },
	{ " D   R 36 (12 00 ..) [(null)]", "7:241 0+36 12 00 00 00 00 00" },
	{ " I   N 0 (00 ..) [(null)]", "c:211 0+0 00 00 00 00 00 00" },
	{ " D   R 512 (28 01) [(null)]", "7:241 0+512 28 01" },
	{ " C   R (9e ..) [2]",
	  "8:281 0+1 error 2 9e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00" },
	{ " C   W [0]", "8:282 0+0" },
	{ " R   N [0]", "6:221 0+0" },
	/* letters of version 8 */
	{ " Q FZRAFASM [(null)]", "1:4981e 0+0" },
	{ " Q  WZ 8 + 8 [(null)]", "1:400012 8+4096" },
	{ " Q   D 8 + 8 [(null)]", "1:2012 8+4096" },
	/* messages */
	{ " m   N any [text] 1 2", "2:400 0+0 any [text] 1 2" },
	{ "1,a  m   N bfq", "102:400 0+0 1,a bfq" },
	{ " m   N ", "2:400 0+0 00" },
};

static void test_events(void **state)
{
	char line[256], expected[256];

	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		snprintf(line, sizeof(line), AT "%s\n", events[i].rest);
		snprintf(expected, sizeof(expected), ON "%s\n",
			 events[i].event);
		check(line, expected);
	}
}

/* Columns that are as wide as they can be. */
static void test_header(void **state)
{
	(void)state;
	check("4095,1048575 8191 -2147483648 0.000000000 4294967295  Q   R"
	      " 18446744073709551615 + 8388607 [a]\n",
	      "4294967295 is a\n"
	      "4095,1048575 8191 0 4294967295 1:11"
	      " 18446744073709551615+4294966784\n");
	/* without the blanks that align them */
	check("8,0 3 1 0.000000000 7 Q R 8 + 8 [a]\r\n",
	      "7 is a\n8,0 3 0 7 1:11 8+4096\n");
}

/* A name ends where the line does. */
static void test_names(void **state)
{
	static const char *const names[] = {
		"dd", "a b", " ", "[x] 1", "a] 3", "(sd-pam)", "(12 00)",
		"8,0  Q", "", "x]", "+ 8 [y]",
	};
	char line[256], expected[256];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool any = *names[i];

		snprintf(line, sizeof(line), AT " Q   R 8 + 8 [%s]\n"
			 "  8,0    0        2     0.000000000   100  U   N"
			 " [%s] 1\n", names[i], names[i]);
		snprintf(expected, sizeof(expected), "%s%s%s%s%s%s%s",
			 any ? "100 is " : "", names[i], any ? "\n" : "",
			 any ? "100 is " : "", names[i], any ? "\n" : "",
			 ON "1:11 8+4096\n"
			 ON "a:11 0+0 00 00 00 00 00 00 00 01\n");
		check(line, expected);
	}
	check(AT " Q   R 8 + 8 [unknown]\n", ON "1:11 8+4096\n");
}

/* Earlier ones come first; times before 0 are printed wrapped round. */
static void test_times(void **state)
{
	(void)state;
	check("8,0 0 1 0.000000005 1 P N [(null)]\n"
	      "8,0 1 1 0.000000007 1 P N [(null)]\n"
	      "8,0 0 2 0.000000006 1 P N [(null)]\n"
	      "8,0 1 2 1266874889.709551616 1 P N [(null)]\n"
	      "8,0 1 3 1266874889.709551614 1 P N [(null)]\n",
	      "8,0 1 0 1 9:11 0+0\n"
	      "8,0 1 2 1 9:11 0+0\n"
	      "8,0 0 7 1 9:11 0+0\n"
	      "8,0 0 8 1 9:11 0+0\n"
	      "8,0 1 9 1 9:11 0+0\n");
}

/* --- what earlier lines say ----------------------------------------------- */

/* A remap is of the device whose number it has. */
static void test_remaps(void **state)
{
	(void)state;
	check("8,0 0 1 0.000000000 1 P N [(null)]\n"
	      "8,1 0 2 0.000000001 1 A R 8 + 8 <- (253,0) 0\n"
	      "8,0 0 3 0.000000002 1 P N [(null)]\n",
	      "8,0 0 0 1 9:11 0+0\n"
	      "8,0 0 1 1 f:11 8+4096 0f d0 00 00 00 80 00 01"
	      " 00 00 00 00 00 00 00 00\n"
	      "8,0 0 2 1 9:11 0+0\n");
}

static void test_missing(void **state)
{
	(void)state;
	check("8,0 0 5 0.000000000 1 P N [(null)]\n"
	      "8,0 1 1 0.000000001 1 P N [(null)]\n"
	      "8,0 0 9 0.000000002 1 P N [(null)]\n"
	      "8,0 0 8 0.000000003 1 P N [(null)]\n"	/* late */
	      "8,0 0 10 0.000000004 1 P N [(null)]\n",
	      "8,0 0 0 1 9:11 0+0\n"
	      "8,0 1 1 1 9:11 0+0\n"
	      "lost 0 3\n"
	      "8,0 0 2 1 9:11 0+0\n"
	      "8,0 0 3 1 9:11 0+0\n"
	      "8,0 0 4 1 9:11 0+0\n");
	check("8,0 0 1 0.000000000 1 P N [(null)]\n"
	      "8,0 0 5 0.000000001 1 P N [(null)]\n"
	      "8,0 0 9 0.000000002 1 P N [(null)]\n",
	      "8,0 0 0 1 9:11 0+0\n"
	      "lacks not all events\n"
	      "8,0 0 1 1 9:11 0+0\n"
	      "8,0 0 2 1 9:11 0+0\n");
}

/* With an issue, what completes is a request; and a command has its size. */
static void test_requests(void **state)
{
	(void)state;
	check("8,0 0 1 0.000000000 1 C R 8 + 8 [0]\n"
	      "8,0 0 2 0.000000001 1 D R 36 [(null)]\n"
	      "8,0 0 3 0.000000002 1 D W 24 [(null)]\n"
	      "8,0 0 4 0.000000003 0 C R [0]\n"
	      "8,0 0 5 0.000000004 0 C W [0]\n"
	      "8,1 0 1 0.000000005 1 C R 8 + 8 [0]\n"
	      "8,2 0 1 0.000000006 1 I R 8 + 8 [(null)]\n"
	      "8,2 0 2 0.000000007 1 C R 8 + 8 [0]\n",
	      "8,0 0 0 1 8:181 8+4096\n"
	      "8,0 0 1 1 7:241 0+36\n"
	      "8,0 0 2 1 7:242 0+24\n"
	      "8,0 0 3 0 8:281 0+36\n"
	      "8,0 0 4 0 8:282 0+24\n"
	      "8,1 0 5 1 8:81 8+4096\n"
	      "8,2 0 6 1 c:111 8+4096\n"
	      "8,2 0 7 1 8:181 8+4096\n");
}

/* Parts are printed up to their end; those that were issued are as long as
 * their request. */
static void test_split_requests(void **state)
{
	(void)state;
	check("8,0 0 1 0.000000000 1 Q R 0 + 24 [(null)]\n"
	      "8,0 0 2 0.000000001 1 X R 0 / 8 [(null)]\n"
	      "8,0 0 3 0.000000002 1 D R 0 + 8 [(null)]\n"
	      "8,0 0 4 0.000000003 1 X R 8 / 16 [(null)]\n"
	      "8,0 0 5 0.000000004 1 D R 8 + 16 [(null)]\n"
	      "8,0 0 6 0.000000005 0 C R 0 + 24 [0]\n"
	      "8,0 0 7 0.000000006 0 C R 0 + 8 [0]\n"
	      "8,0 0 8 0.000000007 0 C R 0 + 24 [0]\n"
	      "8,0 0 9 0.000000008 1 D R 0 + 24 [(null)]\n"
	      "8,0 0 10 0.000000009 0 C R 0 + 24 [0]\n",
	      "8,0 0 0 1 1:11 0+12288\n"
	      "8,0 0 1 1 d:1 0+4096 00 00 00 00 00 00 00 08\n"
	      "8,0 0 2 1 7:141 0+4096\n"
	      "8,0 0 3 1 d:1 8+4096 00 00 00 00 00 00 00 10\n"
	      "8,0 0 4 1 7:141 8+8192\n"
	      "8,0 0 5 0 8:181 8+8192\n"
	      "8,0 0 6 0 8:181 0+4096\n"
	      "8,0 0 7 0 8:181 0+12288\n"
	      "8,0 0 8 1 7:141 0+12288\n"
	      "8,0 0 9 0 8:181 0+12288\n");
}

/* Without requests the last part completes, or all of a later I/O. */
static void test_split_ios(void **state)
{
	(void)state;
	check("9,0 0 1 0.000000000 1 Q R 0 + 24 [(null)]\n"
	      "9,0 0 2 0.000000001 1 X R 0 / 8 [(null)]\n"
	      "9,0 0 3 0.000000002 0 C R 0 + 24 [0]\n"
	      "9,0 0 4 0.000000003 1 Q R 8 + 8 [(null)]\n"
	      "9,0 0 5 0.000000004 0 C R 0 + 16 [0]\n"
	      "9,0 0 6 0.000000005 1 Q R 0 + 24 [(null)]\n"
	      "9,0 0 7 0.000000006 0 C R 0 + 24 [0]\n",
	      "9,0 0 0 1 1:11 0+12288\n"
	      "9,0 0 1 1 d:1 0+4096 00 00 00 00 00 00 00 08\n"
	      "9,0 0 2 0 8:81 8+8192\n"
	      "9,0 0 3 1 1:11 8+4096\n"
	      "9,0 0 4 0 8:81 8+4096\n"
	      "9,0 0 5 1 1:11 0+12288\n"
	      "9,0 0 6 0 8:81 0+12288\n");
	/* dm's, at the sector of what is left */
	check("253,0 0 1 0.000000000 1 Q R 0 + 24 [(null)]\n"
	      "253,0 0 2 0.000000001 1 X R 8 / 8 [(null)]\n"
	      "253,0 0 3 0.000000002 0 C R 8 + 16 [0]\n",
	      "253,0 0 0 1 1:11 0+12288\n"
	      "253,0 0 1 1 d:1 8+8192 00 00 00 00 00 00 00 08\n"
	      "253,0 0 2 0 8:81 8+8192\n");
}

/* --- other lines ---------------------------------------------------------- */

#define EVENT_LINE AT " P   N [(null)]\n"
#define EVENT_TOLD ON "9:11 0+0\n"

static void test_others(void **state)
{
	(void)state;
	check("Input file x.blktrace.0 added\n\n  \t\n"
	      "[3 records skipped]\n" EVENT_LINE
	      "CPU0 (x):\n Reads Queued:           0,        0KiB\n"
	      "no more\n", EVENT_TOLD);
	check(EVENT_LINE "dd (100)\n Reads Queued:  0,\n", EVENT_TOLD);
	check(EVENT_LINE "Trace started at Thu Jan  1 00:00:00 1970\n\n",
	      EVENT_TOLD);
	check(EVENT_LINE "Throughput (R/W): 0KiB/s / 0KiB/s\nany\n",
	      EVENT_TOLD);
	/* other text is */
	check(EVENT_LINE "dd (100)\n Writes Queued:  0,\n",
	      "fault 2:1 \"dd\" is not a device, such as 8,0\n"
	      "fault 3:2 \"Writes\" is not a device, such as 8,0\n"
	      EVENT_TOLD);
	check("Trace started at Thu\n" EVENT_LINE EVENT_LINE,
	      "fault 2:1 events after the summary are of another run, and are"
	      " not read: divide the file\n");
}

/* what is after the pid; the column of the fault, and what it is */
static const struct {
	const char *rest;
	unsigned int column;
	const char *why;
} faults[] = {
	{ "", 43, "the line ends before an action" },
	{ " Y   R 8 + 8 [a]", 44, "\"Y\" is not an action" },
	{ " Q   Y 8 + 8 [a]", 48, "\"Y\" is not RWBS letters" },
	{ " Q   R 8 * 8 [a]", 52, "\"*\" is not a process in brackets" },
	{ " G   R 8 * 8 [a]", 52, "\"*\" is not a number of sectors" },
	{ " B   R 8 [a]", 52, "\"[a]\" is not a number of sectors" },
	{ " Q   R 8 + x [a]", 54, "\"x\" is not a number of sectors" },
	{ " Q   R 8 + 8388608 [a]", 54,
	  "\"8388608\" is not a number of sectors" },
	{ " Q   R 8 + 8 [a", 56, "\"[a\" is not a process in brackets" },
	{ " Q   R 8 + 8 ", 56,
	  "the line ends before a process in brackets" },
	{ " Q   R 18446744073709551616 + 8 [a]", 50,
	  "\"18446744073709551616\" is not a sector" },
	{ " C   R 8 + 8 [65536]", 57,
	  "\"65536]\" is not an error in brackets" },
	{ " C   R 8 + 8 [0] ", 59, "a blank is not the end of the line" },
	{ " C   R (1) [0]", 51, "\"1)\" is not a packet command" },
	{ " C   R (12 0) [0]", 53,
	  "a blank is not the end of a packet command" },
	{ " D   R 8 + 8 (x) [a]", 57,
	  "\"x)\" is not a latency in parentheses" },
	{ " D   R 4294967296 [a]", 50,
	  "\"4294967296\" is not a number of bytes" },
	{ " U   N [a] x", 50, "\"[a]\" is not a process in brackets" },
	{ " A   R 8 + 8 -> (8,0) 8", 56, "\"->\" is not <- and a device" },
	{ " A   R 8 + 8 <- (8,0) x", 65, "\"x\" is not a sector" },
	{ " X   R 8 + 8 [a]", 52, "\"+\" is not the new sector" },
	{ " P   N", 49, "the line ends before a blank" },
};

static void test_faults(void **state)
{
	char line[256], expected[256];

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		snprintf(line, sizeof(line), AT "%s\n", faults[i].rest);
		snprintf(expected, sizeof(expected), "fault 1:%u %s\n",
			 faults[i].column, faults[i].why);
		check(line, expected);
	}
	check("4096,0 0 1 0.000000000 1 P N [a]\n",
	      "fault 1:1 \"4096,0\" is not a device, such as 8,0\n");
	check("8,0 8192 1 0.000000000 1 P N [a]\n",
	      "fault 1:5 \"8192\" is not a CPU\n");
	check("8,0 0 4294967296 0.000000000 1 P N [a]\n",
	      "fault 1:7 \"4294967296\" is not a sequence number\n");
	check("8,0 0 1 0.00000000 1 P N [a]\n",
	      "fault 1:11 \"00000000\" is not nine digits of a time\n");
	check("host 8,0 0 1 0.000000000 1 P N [a]\n\033[1m\n",
	      "fault 1:1 \"host\" is not a device, such as 8,0\n"
	      "fault 2:1 \"\\x1b[1m\" is not a device, such as 8,0\n");
}

/* A longer line than is kept is one fault, and the next one is read. */
static void test_long_line(void **state)
{
	size_t len = 300000;
	char *text = malloc(len + sizeof(AT EVENT_LINE));
	struct told t;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', len);
	memcpy(text, AT " Q   R 8 + 8 [", sizeof(AT " Q   R 8 + 8 [") - 1);
	strcpy(text + len, "]\n" EVENT_LINE);
	read_text(&t, text, NULL);
	assert_non_null(strstr(t.text, "fault 1:56 \"[xxx"));
	assert_non_null(strstr(t.text, EVENT_TOLD));
	free(text);
}

static void test_is(void **state)
{
	static const struct {
		const char *begin;
		bool is;
	} begins[] = {
		{ EVENT_LINE, true },
		{ "Input file x added\n\n" EVENT_LINE, true },
		{ AT " m   N any", true },
		{ AT " Q   R 8 + ", true },	/* cut */
		{ AT " Q", false },
		{ "1,2,3\n" EVENT_LINE, false },
		{ "", false },
		{ "\n\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		assert_int_equal(printed_is(NULL, begins[i].begin,
					    strlen(begins[i].begin)),
				 begins[i].is);
}

/* --- formats -------------------------------------------------------------- */

static const struct {
	const char *format, *line, *told;
} formats[] = {
	{ "%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\\n",
	  "  8,0    3        1     1.000000002   697  G   W 223490 + 8"
	  " [kjournald]\n",
	  "lacks no errors\n697 is kjournald\n"
	  "8,0 3 0 697 4:12 223490+4096\n" },
	{ "%T.%t,%a,%d,%M:%m,%S,%N,%e,%p,%c,%C\\n",
	  "0.000000001,C,R,8:16,64,1000,5,7,1,a,b 12\n",
	  "7 is a,b 12\n8,16 1 0 7 8:81 64+1000 error 5\n" },
	/* padded, and aligned to the left */
	{ "%-5T|%12t|%-3a|%-4d|%-8S|%5n|%-16C|%20C\\n", NULL,
	  "it has %C twice" },
	{ "%-5T|%12t|%-3a|%-4d|%-8S|%5n|%-16C|\\n",
	  "0    |000000000005|UT |N   |0       |    0|a b             |\n",
	  "lacks no devices, CPUs, pids, errors\n240,0 is disk\n"
	  "0 is a b\n240,0 0 0 0 b:11 0+0\n" },
	{ "%16C %a %T %t\\n", "             a b Q 0 000000001\n",
	  "lacks no devices, CPUs, pids, RWBS, sectors, errors, sizes\n"
	  "240,0 is disk\n0 is a b\n240,0 0 0 0 1:11 0+0\n" },
	/* where one ends is clear */
	{ "%T.%9t%p%a%S%d\\n", "0.0000000015Q64R\n",
	  "lacks no devices, CPUs, process names, errors, sizes\n"
	  "240,0 is disk\n240,0 0 0 5 1:11 64+1\n" },
	{ "%T.%t %a %D%d %U\\n", "0.000000001 U   8,0  N 7\n",
	  "lacks no CPUs, pids, process names, sectors, errors, sizes\n"
	  "8,0 0 0 0 a:11 0+0 00 00 00 00 00 00 00 07\n" },
	{ "%z%p %a %N %n\\n", "01:00:00.0000007 Q 513 1\n",
	  "lacks no devices, CPUs, process names, RWBS, sectors, errors\n"
	  "240,0 is disk\n240,0 0 0 7 1:11 0+513\n" },
	/* packet commands, with what could be one after it */
	{ "%T.%t %a %d %P %n %N\\n", "0.000000001 D R 12 00 .. 0 36\n",
	  "lacks no devices, CPUs, pids, process names, sectors, errors\n"
	  "240,0 is disk\n240,0 0 0 0 7:241 0+36 12 00 00 00 00 00\n" },
	{ "%T.%t %a %d %P %n %N\\n", "0.000000001 D R 12 00 16 8192\n",
	  "lacks no devices, CPUs, pids, process names, sectors, errors\n"
	  "240,0 is disk\n240,0 0 0 0 7:241 0+8192 12 00\n" },
	{ "%T.%t %a %d %P %n %N\\n", "0.000000001 D R  16 8192\n",
	  "lacks no devices, CPUs, pids, process names, sectors, errors\n"
	  "240,0 is disk\n240,0 0 0 0 7:141 0+8192\n" },
	{ "%T.%t %a %P\\n", "0.000000001 P 12\n",
	  "lacks no devices, CPUs, pids, process names, RWBS, sectors, errors,"
	  " sizes\n240,0 is disk\n240,0 0 0 0 9:11 0+0\n" },
	/* names with what follows them */
	{ "%T.%t %a %C %n\\n", "0.000000001 Q a 1 b 8\n",
	  "lacks no devices, CPUs, pids, RWBS, sectors, errors\n"
	  "240,0 is disk\n0 is a 1 b\n240,0 0 0 0 1:11 0+4096\n" },
	/* the cgroup, the latency, and what is printed as it is */
	{ "%%%T.%t\\t%a %g %u%x%2y\\n", "%0.000000001\tQ 1a,2 33x y\n",
	  "lacks no devices, CPUs, pids, process names, RWBS, sectors, errors,"
	  " sizes\n240,0 is disk\n"
	  "240,0 0 0 0 101:11 0+0 1a,2\n" },
	/* the time of day, over midnight and a little back */
	{ "%z %a\\n", "23:59:59.999999 Q\n00:00:00.000001 Q\n"
	  "23:59:59.999998 Q\n",
	  "lacks no devices, CPUs, pids, process names, RWBS, sectors, errors,"
	  " sizes\n240,0 is disk\n"
	  "240,0 0 0 0 1:11 0+0\n240,0 0 1000 0 1:11 0+0\n"
	  "240,0 0 3000 0 1:11 0+0\n" },
	/* messages are printed as ever; holes */
	{ "%D %c %s %a %T.%t\\n", "  8,0   0 1 P 0.000000001\n" AT
	  " m   N text\n  8,0   0 3 P 0.000000002\n",
	  "lacks no pids, process names, RWBS, sectors, errors, sizes\n"
	  "8,0 0 0 100 2:400 0+0 text\n8,0 0 1 0 9:11 0+0\n"
	  "lost 0 1\n8,0 0 2 0 9:11 0+0\n" },
	/* faults */
	{ "%T.%t %a %S + %n [%C]\\n", "0.000000001 Q 8 + x [a]\n"
	  "0.000000001 Q 8 - 8 [a]\n0.000000001 Q 8 + 8 [a\n"
	  "x.000000001\n0.000000001 q\n0.000000001 Q 8 + 8 [a] \n",
	  "lacks no devices, CPUs, pids, RWBS, errors\n240,0 is disk\n"
	  "fault 1:19 \"x\" is not a number of sectors\n"
	  "fault 2:16 a blank is not the format's text\n"
	  "fault 3:22 \"a\" is not a process and the text after it\n"
	  "fault 4:1 \"x.000000001\" is not a time, such as 0.000005000\n"
	  "fault 5:13 \"q\" is not an action\n"
	  "fault 6:24 a blank is not the end of the line\n" },
	/* not usable */
	{ "%T.%t %a", NULL,
	  "it does not end in \\n, so that its lines cannot be told apart" },
	{ "%T.%t\\n%a\\n", NULL, "it has more than one line" },
	{ "%T.%t %S\\n", NULL, "it has no action, %a" },
	{ "%a %S\\n", NULL, "it has no time: %T and %t, or %z" },
	{ "%a %T\\n", NULL, "it has no time: %T and %t, or %z" },
	{ "%a %T.%t %z\\n", NULL, "it has two times: %z, and %T or %t" },
	{ "%a%d %T.%t\\n", NULL,
	  "where %a ends is not clear: put a character after it" },
	{ "%T%t %a\\n", NULL,
	  "where %T ends is not clear: put a character after it" },
	{ "%T.%3t%p %a\\n", NULL,
	  "where %t ends is not clear: put a character after it" },
	{ "%T.%t %S0%a\\n", NULL,
	  "where %S ends is not clear: put a character after it" },
	{ "%T.%t %C%a\\n", NULL,
	  "where %C ends is not clear: put a character after it" },
	{ "%T.%t %a\\x\\n", NULL,
	  "after a backslash there must be b, n, r or t" },
	{ "", NULL,
	  "it does not end in \\n, so that its lines cannot be told apart" },
	{ "%T.%t %a%2000y\\n", NULL, "it is too long" },
};

static void test_formats(void **state)
{
	struct printed_format f;
	char why[IMPORT_WHY];

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (formats[i].line) {
			check_format(formats[i].format, formats[i].line,
				     formats[i].told);
			continue;
		}
		assert_int_equal(printed_format_parse(&f, formats[i].format,
						      why, sizeof(why)),
				 -EINVAL);
		assert_string_equal(why, formats[i].told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_remaps),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_split_requests),
		cmocka_unit_test(test_split_ios),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_is),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
