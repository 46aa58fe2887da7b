/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings in words; see finding.h.
 *
 * In a template {key} is that number's text, or one made of several numbers
 * (made_keys).  Text in [ ] is left out if a number in it is unset; {?key} only
 * tests one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/time.h"
#include "base/unit.h"
#include "findings/course.h"
#include "findings/words.h"
#include "request/io.h"
#include "run/device.h"

struct words {
	const char *name, *sentence, *command;
};

static const struct words words[FINDING_RULES] = {
	[FINDING_LOST] = { "lost",
		"{times} records were lost while tracing: these numbers lack "
		"up to {count} of {of} I/Os",
		"blktrace -b 2048 -n 16, or -a issue -a complete" },
	[FINDING_ERRORS] = { "errors",
		"{count} of {of} I/Os failed ({errors1} x {errno}"
		"[, {errors2} x {errno2}][, {errors3} x {errno3}]) {when} in "
		"sectors {first} to {last}[, sent by {pid}][ and {pid2}]",
		"btstat --where 'error' --top=20" },
	[FINDING_STUCK] = { "stuck",
		"{open_ios}; {count} have waited {least} or longer, the oldest "
		"since {from}[; nothing has completed since {quiet}]",
		"btstat --where open --top=20" },
	[FINDING_STALL] = { "stall",
		"{nothing} completed for {longest} from {from}, while {count} "
		"requests waited (p90 is {usual})[; {times} stalls in all]"
		"[{?in_flight}; not over at the end: {open_ios}]",
		"btstat -w {look_from}:{look_until} --heatmap" },
	[FINDING_FLUSH_STORM] = { "flush-storm",
		"{when} {culprit} flushes {rate} times a second, {rate2} "
		"otherwise; {ops}[ of {pid}] {waits}",
		"btstat -w {look_from}:{look_until} --by=process,op" },
	[FINDING_THROTTLED] = { "throttled",
		"{when} {ops}[ of {pid}] {waits}, though there is no more "
		"I/O: a throttle (wbt, iolatency, iocost) or nr_requests "
		"holds them back",
		"cat {queue}/wbt_lat_usec {queue}/nr_requests" },
	[FINDING_DEPTH_CUT] = { "depth-cut",
		"{when} the device takes requests {few} at a time, {most} "
		"otherwise; {ops}[ of {pid}] {waits}",
		"btstat -w {look_from}:{look_until} --interval=0.1" },
	[FINDING_BURST] = { "burst",
		"{when} {culprit} {does}[{?times} in bursts of] {rate} a "
		"second, {rate2} otherwise; {ops}[ of {pid}] {waits}",
		"btstat -w {look_from}:{look_until} --by=process,op" },
	[FINDING_SMALLER] = { "smaller",
		"{when} {culprit} {does} in {bytes} requests, one after the "
		"other, and in {bytes2} otherwise: {rate} a second instead of "
		"{rate2}",
		"cat {queue}/read_ahead_kb" },
	[FINDING_HELD] = { "held",
		"{when} {ops}[ of {pid}] {waits}, though there is no more "
		"I/O and the device accepts as many requests",
		"cat {queue}/scheduler" },
	[FINDING_SLOWER] = { "slower",
		"{when} the device is slower: {ops}[ of {pid}] take {slow} "
		"(mean), {usual} otherwise, though there is no more I/O",
		"btstat -w {look_from}:{look_until} --heatmap" },
	[FINDING_SLOW_REGION] = { "slow-region",
		"requests between sectors {first} and {last} take {ratio} "
		"times as long as those of the same type and size elsewhere",
		"btstat --by=sector --where 'sector>={first} && "
		"sector<{last}'" },
	[FINDING_REQUEUED] = { "requeued",
		"the device or its driver sent {count} of {of} issued "
		"requests back to the queue ({share})",
		"blkparse -a requeue" },
	[FINDING_PERIODIC] = { "periodic",
		"slow requests recur every {every}: {times} times, {count} "
		"requests of {least} or longer",
		"btstat --heatmap" },
	[FINDING_FLUSHES] = { "flushes",
		"{rate} cache flushes per second keep the device busy for "
		"{share} of the time (median {usual})[, requested by {pid}]"
		"[ and {pid2}]",
		"btstat --where 'op==flush' --by=process" },
	[FINDING_STARVED] = { "starved",
		"I/O spends {share} of its time waiting for a free request "
		"({often} of I/Os over 1ms): nr_requests is used up, or a "
		"throttle (wbt, iolatency, iocost) holds I/O back",
		"cat {queue}/nr_requests" },
	[FINDING_QUEUE_FULL] = { "queue-full",
		"requests spend {share} of their time in the scheduler: the "
		"device is full and accepts only {most} at a time",
		"btstat --interval=0.1 --by=device" },
	[FINDING_SCHEDULER_HOLDS] = { "scheduler-holds",
		"requests spend {share} of their time in the scheduler though "
		"the device has room (it accepts {most}, and at most half of "
		"them are in flight)",
		"cat {queue}/scheduler" },
	[FINDING_PLUG_HELD] = { "plug-held",
		"requests[ of {pid}][ and {pid2}] spend {share} of their time "
		"in a plug ({often} over 1ms) and gain {gained} merges each",
		"btstat --where 'g2i>1ms' --by=process" },
	[FINDING_BEHIND_WRITES] = { "behind-writes",
		"reads take {slow} while large writes[ of {pid}][ and {pid2}] "
		"are in flight, and {usual} otherwise ({ratio} times as long)",
		"btstat --where 'op==read' --heatmap" },
	[FINDING_BEHIND_DISCARDS] = { "behind-discards",
		"requests take {slow} while discards are in flight, and "
		"{usual} otherwise ({ratio} times as long)",
		"btstat --where 'op==discard' --top=20" },
	[FINDING_NEIGHBOUR] = { "neighbour",
		"reads of other processes take {slow} while {culprit} does "
		"I/O, and {usual} otherwise ({ratio} times as long)",
		"btstat --by=process --interval=1" },
	[FINDING_SATURATION] = { "saturation",
		"the device completes as much with {few} requests in flight as "
		"with {most}: more depth only raises latency, from {usual} to "
		"{slow}[; {pid} has {share} of the requests in flight]",
		"btstat --by=process --interval=1" },
	[FINDING_ONE_AT_A_TIME] = { "one-at-a-time",
		"{pid}[ and {pid2}] sends each request after the previous one "
		"completes, so the device never has two: at {usual} per "
		"request that allows {rate} IO/s",
		"btstat --interval=1" },
	[FINDING_SMALL_SEQUENTIAL] = { "small-sequential",
		"{pid} {op}s sequentially in {bytes} requests, and {count} of "
		"{of} are not merged",
		"btstat --where 'op=={op}' --by=size" },
	[FINDING_SPLIT] = { "split",
		"I/Os[ of {pid}][ and {pid2}] are split into parts of {bytes}, "
		"which carry {share} of all bytes[; the device's "
		"max_sectors_kb is {limit}]",
		"cat {queue}/max_sectors_kb" },
	[FINDING_ONE_CPU] = { "one-cpu",
		"CPU {cpu} handles {share} of {rate} completions per second, "
		"though {cpus} CPUs issue requests",
		"btstat --by=complete-cpu; cat /proc/interrupts" },
	[FINDING_TAIL] = { "tail",
		"the slowest 1% of requests take {share} of all time in the "
		"device (p50 {usual}, p99.9 {rare}, longest {longest})",
		"btstat --top=20" },
	[FINDING_MISALIGNED] = { "misaligned",
		"{share} of writes do not start and end on {block} "
		"boundaries[ ({pid}][ and {pid2}][{?pid})]: a device with "
		"such blocks must read before it writes",
		"btstat --where 'op==write && misaligned' --by=process" },
	[FINDING_WRITEBACK] = { "writeback",
		"{share} of written bytes come from writeback (kworker); this "
		"trace cannot show which process dirtied the pages",
		"iotracer (shows which process writes)" },
};

/* --- what numbers are ---------------------------------------------------- */

enum style {
	PLAIN,
	SHARE,
	THOUSANDTHS,
	RATE,
	TIME,			/* of the trace */
	WINDOW,			/* the same, for -w */
	SPAN,
	BYTES,
	OP,
	WAIT,
	PROCESS,
	ERROR
};

static const struct number {
	const char *key;	/* in templates */
	const char *unit;	/* after it in json */
	enum style style;
} numbers[FINDING_NUMBERS] = {
	[FINDING_COUNT] = { "count", "", PLAIN },
	[FINDING_OF] = { "of", "", PLAIN },
	[FINDING_TIMES] = { "times", "", PLAIN },
	[FINDING_REGULAR] = { "regular", "", PLAIN },
	[FINDING_ALIKE] = { "alike", "", THOUSANDTHS },
	[FINDING_IN_FLIGHT] = { "in_flight", "", PLAIN },
	[FINDING_CPU] = { "cpu", "", PLAIN },
	[FINDING_CPUS] = { "cpus", "", PLAIN },
	[FINDING_SHARE] = { "share", "", SHARE },
	[FINDING_OFTEN] = { "often", "", SHARE },
	[FINDING_RATE] = { "rate", "", RATE },
	[FINDING_RATE2] = { "rate2", "", RATE },
	[FINDING_RATIO] = { "ratio", "", THOUSANDTHS },
	[FINDING_GAINED] = { "gained", "", THOUSANDTHS },
	[FINDING_FROM] = { "from", "_ns", TIME },
	[FINDING_UNTIL] = { "until", "_ns", TIME },
	[FINDING_LOOK_FROM] = { "look_from", "_ns", WINDOW },
	[FINDING_LOOK_UNTIL] = { "look_until", "_ns", WINDOW },
	[FINDING_QUIET] = { "quiet", "_ns", TIME },
	[FINDING_LONGEST] = { "longest", "_ns", SPAN },
	[FINDING_AGE] = { "age", "_ns", SPAN },
	[FINDING_EVERY] = { "every", "_ns", SPAN },
	[FINDING_SLOW] = { "slow", "_ns", SPAN },
	[FINDING_USUAL] = { "usual", "_ns", SPAN },
	[FINDING_RARE] = { "rare", "_ns", SPAN },
	[FINDING_LEAST] = { "least", "_ns", SPAN },
	[FINDING_FIRST] = { "first", "", PLAIN },
	[FINDING_LAST] = { "last", "", PLAIN },
	[FINDING_BYTES] = { "bytes", "", BYTES },
	[FINDING_BYTES2] = { "bytes2", "", BYTES },
	[FINDING_BLOCK] = { "block", "", BYTES },
	[FINDING_LIMIT] = { "limit", "", BYTES },
	[FINDING_MOST] = { "most", "", PLAIN },
	[FINDING_FEW] = { "few", "", PLAIN },
	[FINDING_OP] = { "op", "", OP },
	[FINDING_OP2] = { "op2", "", OP },
	[FINDING_WAIT] = { "wait", "", WAIT },
	[FINDING_PID] = { "pid", "", PROCESS },
	[FINDING_PID2] = { "pid2", "", PROCESS },
	[FINDING_CULPRIT] = { "culprit", "", PROCESS },
	[FINDING_ERRNO] = { "errno", "", ERROR },
	[FINDING_ERRNO2] = { "errno2", "", ERROR },
	[FINDING_ERRNO3] = { "errno3", "", ERROR },
	[FINDING_ERRORS1] = { "errors1", "", PLAIN },
	[FINDING_ERRORS2] = { "errors2", "", PLAIN },
	[FINDING_ERRORS3] = { "errors3", "", PLAIN },
};

/* --- numbers as text ----------------------------------------------------- */

/* errors of the block layer */
static const struct {
	uint16_t number;
	const char *name;
} errors[] = {
	{ 5, "EIO" }, { 6, "ENXIO" }, { 11, "EAGAIN" }, { 12, "ENOMEM" },
	{ 16, "EBUSY" }, { 19, "ENODEV" }, { 22, "EINVAL" },
	{ 28, "ENOSPC" }, { 52, "EBADE" }, { 61, "ENODATA" }, { 62, "ETIME" },
	{ 67, "ENOLINK" }, { 75, "EOVERFLOW" }, { 84, "EILSEQ" },
	{ 95, "EOPNOTSUPP" }, { 110, "ETIMEDOUT" }, { 121, "EREMOTEIO" },
};

static void error_text(char *text, size_t size, uint64_t error)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].number == error) {
			snprintf(text, size, "%s", errors[i].name);
			return;
		}
	snprintf(text, size, error ? "error %" PRIu64 : "other errors", error);
}

static void process_text(char *text, size_t size, const struct finding *f,
			 uint64_t pid, const struct finding_names *names)
{
	const char *name = names && names->name
		? names->name(names->names, f->disk->origin, (uint32_t)pid)
		: NULL;

	if (name)
		escape_text(text, size, name, strlen(name));
	else
		snprintf(text, size, "pid %" PRIu64, pid);
}

/* a time of the trace, as it is counted in sentences */
static uint64_t since(const struct finding_names *names, uint64_t ns)
{
	uint64_t start = names ? names->start : 0;

	return ns > start ? ns - start : 0;
}

static void time_text(char *text, size_t size, uint64_t ns)
{
	snprintf(text, size, "%" PRIu64 ".%03" PRIu64 "s", ns / NS_PER_SECOND,
		 ns % NS_PER_SECOND / NS_PER_MS);
}

/* as option -w takes it */
static void window_text(char *text, size_t size, uint64_t ns)
{
	snprintf(text, size, "%" PRIu64 ".%02" PRIu64, ns / NS_PER_SECOND,
		 ns % NS_PER_SECOND / (10 * NS_PER_MS));
}

/* what I/Os wait for: its key, and text before and after a span */
static const struct {
	const char *key, *before, *after;
} waits[COURSE_WAITS] = {
	[COURSE_REQUEST] = { "request", "wait up to ", " for a request" },
	[COURSE_PLUG] = { "plug", "wait up to ", " in the plug" },
	[COURSE_SCHEDULER] = { "scheduler", "wait up to ",
			       " in the scheduler" },
	[COURSE_ISSUE] = { "issue", "wait up to ", " before they are issued" },
	[COURSE_FLUSHES] = { "flushes", "wait up to ", " for cache flushes" },
	[COURSE_DEVICE] = { "device", "take up to ", " in the device" },
};

static void op_text(char *text, size_t size, uint64_t op)
{
	snprintf(text, size, "%s", op < IO_OPS ? io_op_name(op) : "");
}

/* ", sector 81920, postgres" as far as they are known */
static void where_text(char *text, size_t size, const struct in_flight *f)
{
	char process[FINDING_TEXT_MAX / 2];
	size_t len = 0;

	*text = '\0';
	if (f->sector != IO_NONE && f->op != IO_FLUSH_OP)
		len = (size_t)snprintf(text, size, ", sector %" PRIu64,
				       f->sector);
	if (!f->process)
		return;
	escape_text(process, sizeof(process), f->process, strlen(f->process));
	snprintf(text + len, size - len, ", %s", process);
}

size_t in_flight_text(char text[FINDING_TEXT_MAX], const struct in_flight *f)
{
	char age[UNIT_SPACED_MAX], where[FINDING_TEXT_MAX - 128];

	if (f->count) {
		unit_time(age, f->age);
		if (f->page)
			unit_space(age);
		where_text(where, sizeof(where), f);
		snprintf(text, FINDING_TEXT_MAX,
			 "in flight %" PRIu64 ", oldest %s (%s%s)", f->count,
			 age, f->op < IO_OPS ? io_op_name(f->op) : "", where);
	} else {
		snprintf(text, FINDING_TEXT_MAX, "in flight 0");
	}
	return strlen(text);
}

size_t finding_number_text(char text[FINDING_TEXT_MAX],
			   const struct finding *f, enum finding_number n,
			   const struct finding_names *names)
{
	uint64_t v = f->numbers[n];
	enum style style = numbers[n].style;

	switch (style) {
	case SHARE: unit_share(text, v, 1000); break;
	case THOUSANDTHS: unit_decimal(text, v, 1000); break;
	case RATE: unit_decimal(text, v, 1000); break;
	case TIME: time_text(text, FINDING_TEXT_MAX, since(names, v)); break;
	case WINDOW: window_text(text, FINDING_TEXT_MAX, v); break;
	case SPAN: unit_time(text, v); break;
	case BYTES: unit_round_size(text, v); break;
	case WAIT: snprintf(text, FINDING_TEXT_MAX, "%s", waits[v].key); break;
	case OP: op_text(text, FINDING_TEXT_MAX, v); break;
	case PROCESS: process_text(text, FINDING_TEXT_MAX, f, v, names); break;
	case ERROR: error_text(text, FINDING_TEXT_MAX, v); break;
	case PLAIN: snprintf(text, FINDING_TEXT_MAX, "%" PRIu64, v); break;
	}
	if (names && names->page && (style == TIME || style == SPAN ||
				     style == BYTES))
		unit_space(text);
	return strlen(text);
}

size_t finding_number_key(char text[FINDING_TEXT_MAX], enum finding_number n)
{
	snprintf(text, FINDING_TEXT_MAX, "%s%s", numbers[n].key,
		 numbers[n].unit);
	return strlen(text);
}

size_t finding_number_json(char text[FINDING_TEXT_MAX],
			   const struct finding *f, enum finding_number n)
{
	uint64_t v = f->numbers[n];
	enum style style = numbers[n].style;

	if (style == SHARE || style == THOUSANDTHS || style == RATE)
		snprintf(text, FINDING_TEXT_MAX, "%" PRIu64 ".%03" PRIu64,
			 v / 1000, v % 1000);
	else if (style == WAIT)
		snprintf(text, FINDING_TEXT_MAX, "\"%s\"", waits[v].key);
	else if (style == OP)
		snprintf(text, FINDING_TEXT_MAX, "\"%s\"",
			 v < IO_OPS ? io_op_name(v) : "");
	else
		snprintf(text, FINDING_TEXT_MAX, "%" PRIu64, v);
	return strlen(text);
}

/* --- templates ----------------------------------------------------------- */

struct text {
	char *to;
	size_t len;
};

static void append(struct text *t, const char *from, size_t len)
{
	size_t room = FINDING_TEXT_MAX - 1 - t->len;

	if (len > room)
		len = room;
	memcpy(t->to + t->len, from, len);
	t->len += len;
	t->to[t->len] = '\0';
}

/* the number that a key is of, len characters; -1: none */
static int find_number(const char *key, size_t len)
{
	for (int i = 0; i < FINDING_NUMBERS; i++)
		if (!strncmp(numbers[i].key, key, len) &&
		    !numbers[i].key[len])
			return i;
	return -1;
}

/* a name that is safe in a path, and in a shell */
static bool is_disk_name(const char *name)
{
	return name && *name && name[0] != '.' &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_.-")];
}

/* the device's directory of settings in sysfs */
static void append_queue(struct text *t, const struct finding *f,
			 const struct finding_names *names)
{
	const struct device *disk = f->disk;
	char path[128];

	(void)names;

	if (is_disk_name(disk->label))
		snprintf(path, sizeof(path), "/sys/block/%s/queue",
			 disk->label);
	else if (disk->number)
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/queue",
			 disk->number >> 20, disk->number & 0xfffff);
	else
		snprintf(path, sizeof(path), "/sys/block/DEV/queue");
	append(t, path, strlen(path));
}

static void append_open_ios(struct text *t, const struct finding *f,
			    const struct finding_names *names)
{
	const struct in_flight open = {
		.count = f->numbers[FINDING_IN_FLIGHT],
		.age = f->numbers[FINDING_AGE],
		.op = (enum io_op)f->numbers[FINDING_OP],
		.sector = f->numbers[FINDING_FIRST],
		.process = names && names->name
			? names->name(names->names, f->disk->origin,
				      (uint32_t)f->numbers[FINDING_PID])
			: NULL,
		.page = names && names->page,
	};
	char value[FINDING_TEXT_MAX];

	append(t, value, in_flight_text(value, &open));
}

/* a time: "14.2", or with ms where the span is short */
static void append_time(struct text *t, uint64_t ns, uint64_t span)
{
	char text[32];

	if (span >= 100 * NS_PER_MS)
		snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64,
			 ns / NS_PER_SECOND,
			 ns % NS_PER_SECOND / (100 * NS_PER_MS));
	else
		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64,
			 ns / NS_PER_SECOND, ns % NS_PER_SECOND / NS_PER_MS);
	append(t, text, strlen(text));
}

static void append_text(struct text *t, const char *text)
{
	append(t, text, strlen(text));
}

enum { SPANS_TOLD = 4 };

/* "from 4.0 to 6.0 s", or "at 14.2, 36.2 and 51.9 s" */
static void append_when(struct text *t, const struct finding *f,
			const struct finding_names *names)
{
	const struct finding_span *s = f->spans;
	uint32_t count = f->span_count < SPANS_TOLD ? f->span_count
						    : SPANS_TOLD;
	char more[48] = "";

	if (s->from == s->until) {
		append_text(t, "at ");
		append_time(t, since(names, s->from), 0);
		append_text(t, " s");
		return;
	}
	if (count < 2) {
		append_text(t, "from ");
		append_time(t, since(names, s->from), s->until - s->from);
		append_text(t, " to ");
		append_time(t, since(names, s->until), s->until - s->from);
		append_text(t, " s");
		return;
	}
	if (finding_has(f, FINDING_TIMES) && f->numbers[FINDING_TIMES] > count)
		snprintf(more, sizeof(more), " and %" PRIu64 " more times",
			 f->numbers[FINDING_TIMES] - count);
	append_text(t, "at ");
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			append_text(t, i + 1 == count && !*more ? " and "
								: ", ");
		append_time(t, since(names, s[i].from),
			    s[i].until - s[i].from);
	}
	append_text(t, " s");
	append_text(t, more);
}

/* "wait up to 84.0ms in the scheduler" */
static void append_waits(struct text *t, const struct finding *f,
			 const struct finding_names *names)
{
	char value[FINDING_TEXT_MAX];
	uint64_t wait = f->numbers[FINDING_WAIT];

	if (wait >= COURSE_WAITS)
		return;
	finding_number_text(value, f, FINDING_LONGEST, names);
	append_text(t, waits[wait].before);
	append_text(t, value);
	append_text(t, waits[wait].after);
}

/* an operation as a plural and as a verb is one word: "reads" */
static void append_op(struct text *t, uint64_t op)
{
	char value[FINDING_TEXT_MAX];

	op_text(value, sizeof(value), op);
	append_text(t, value);
	append_text(t, op == IO_FLUSH_OP ? "es" : "s");
}

static void append_ops(struct text *t, const struct finding *f,
		       const struct finding_names *names)
{
	(void)names;
	append_op(t, f->numbers[FINDING_OP]);
}

static void append_does(struct text *t, const struct finding *f,
			const struct finding_names *names)
{
	(void)names;
	append_op(t, f->numbers[FINDING_OP2]);
}

/* of all, or of one operation */
static void append_nothing(struct text *t, const struct finding *f,
			   const struct finding_names *names)
{
	char value[FINDING_TEXT_MAX];

	if (!finding_has(f, FINDING_OP2)) {
		append_text(t, "nothing");
		return;
	}
	finding_number_text(value, f, FINDING_OP2, names);
	append_text(t, "no ");
	append_text(t, value);
}

static const struct {
	const char *key;
	void (*append)(struct text *t, const struct finding *f,
		       const struct finding_names *names);
} made_keys[] = {
	{ "open_ios", append_open_ios },
	{ "queue", append_queue },
	{ "when", append_when },
	{ "waits", append_waits },
	{ "nothing", append_nothing },
	{ "ops", append_ops },
	{ "does", append_does },
};

static void append_made(struct text *t, const char *key, size_t len,
			const struct finding *f,
			const struct finding_names *names)
{
	for (size_t i = 0; i < sizeof(made_keys) / sizeof(made_keys[0]); i++)
		if (!strncmp(made_keys[i].key, key, len) &&
		    !made_keys[i].key[len])
			made_keys[i].append(t, f, names);
}

static void append_key(struct text *t, const char *key, size_t len,
		       const struct finding *f,
		       const struct finding_names *names)
{
	char value[FINDING_TEXT_MAX];
	int n = find_number(key, len);

	if (*key == '?')
		return;
	if (n < 0)
		append_made(t, key, len, f, names);
	else
		append(t, value, finding_number_text(value, f, n, names));
}

/* whether all numbers up to the ] are there */
static bool all_there(const char *p, const struct finding *f)
{
	for (p = strpbrk(p, "{]"); *p == '{'; p = strpbrk(p + 1, "{]")) {
		const char *key = p + 1 + (p[1] == '?');
		int n = find_number(key, strcspn(key, "}"));

		if (n >= 0 && !finding_has(f, n))
			return false;
	}
	return true;
}

static size_t fill(char *to, const char *p, const struct finding *f,
		   const struct finding_names *names)
{
	struct text t = { to, 0 };

	*to = '\0';
	while (*p) {
		size_t len = strcspn(p, "{[]");

		append(&t, p, len);
		p += len;
		if (*p == '{') {
			len = strcspn(++p, "}");
			append_key(&t, p, len, f, names);
			p += len + 1;
		} else if (*p == '[' && !all_there(p, f)) {
			p = strchr(p, ']') + 1;
		} else if (*p) {
			p++;
		}
	}
	return t.len;
}

size_t finding_sentence(char text[FINDING_TEXT_MAX], const struct finding *f,
			const struct finding_names *names)
{
	return fill(text, words[f->rule].sentence, f, names);
}

size_t finding_command(char text[FINDING_TEXT_MAX], const struct finding *f)
{
	return fill(text, words[f->rule].command, f, NULL);
}

/* --- names --------------------------------------------------------------- */

const char *finding_severity_name(enum finding_severity severity)
{
	static const char *const names[FINDING_SEVERITIES] = {
		"caution", "high", "medium", "advice", "info",
	};

	return names[severity];
}

const char *finding_state_name(enum finding_state state)
{
	static const char *const names[FINDING_STATES] = {
		"found", "silent", "absent",
	};

	return names[state];
}

const char *finding_rule_name(enum finding_rule rule)
{
	return words[rule].name;
}

int finding_rule_find(const char *name)
{
	for (int i = 0; i < FINDING_RULES; i++)
		if (!strcmp(words[i].name, name))
			return i;
	return -1;
}
