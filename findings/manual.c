/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The manual's entry of each rule; see manual.h.
 *
 * In a threshold {key} is that limit of the rule in findings/rules.c,
 * in the unit that it has there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "findings/explain.h"
#include "findings/manual.h"
#include "findings/rules.h"
#include "findings/words.h"

static const struct entry {
	const char *meaning, *threshold, *evidence, *others, *todo;
} entries[FINDING_RULES] = {
	[FINDING_LOST] = {
		"Records were lost while tracing, so counts and percentiles "
		"are bounds, not values.",
		"{share} of the I/Os or more are missing.",
		"Drops reported by the kernel, holes in sequence numbers, "
		"and the records that a measured I/O of the device leaves.",
		"None: the trace is incomplete, whatever the device did.",
		"Capture again with larger buffers (blktrace -b 2048 -n "
		"16), or only what is needed (-a issue -a complete)."
	},
	[FINDING_ERRORS] = {
		"I/Os failed.",
		"{count} failed I/O; refused discards and failed "
		"passthrough commands do not count.",
		"The error number in the completion (C).",
		"A layer above may have repeated the I/O with success: no "
		"program need have seen the error.",
		"List them with btstat --where error --top=20, and look for "
		"the same sectors in the kernel log."
	},
	[FINDING_STUCK] = {
		"I/Os in flight have not completed, and are far older than "
		"any that did: the device, its driver or its path hangs.",
		"An I/O in flight at the end of the trace is {span} old or "
		"older, and {ratio} times as old as the longest that "
		"completed; if nothing completed in the last {span}, "
		"{ratio} times what 9 in 10 take.",
		"I/Os without a completion up to the end of the trace, with "
		"or without a request, on stacked devices, too. Silent "
		"where records were lost.",
		"A capture stopped without its last buffers, or a command "
		"that takes long by nature (an erase, a large discard).",
		"List them with btstat --where open --top=20; look at the "
		"same I/Os on the device below, and for timeouts in the "
		"kernel log."
	},
	[FINDING_STALL] = {
		"For a while nothing completed although requests waited.",
		"No completion for {span} or longer, and for {ratio} times "
		"what 9 in 10 take, while at least 3 I/Os wait; {ios} "
		"requests completed in all. If it is not over at the end of "
		"the trace: 200ms or longer.",
		"Times of completions, and the I/Os that waited in between. "
		"Silent where drops may have hidden completions.",
		"A device that cleans up, a controller reset, a path that "
		"failed over, a suspended device-mapper device, or a host "
		"that did not run.",
		"Look at that time with btstat -w and --heatmap; compare "
		"with the kernel log and with the device below."
	},
	[FINDING_SLOW_REGION] = {
		"Requests to a range of sectors take longer than others of "
		"the same operation and size.",
		"Of 128 equal parts of the range in use, at most half are "
		"slow and lie together (or at most 16, wherever they lie): "
		"{count} requests or more, half of them {ratio} times "
		"slower than usual, in {spread} twentieths of the time or "
		"more; {ios} requests in all.",
		"Time in the device by sector, compared with the median of "
		"the same operation and size.",
		"Another tier, a cache that holds the rest, a rebuild, or "
		"compressed or unwritten space below.",
		"Show it with btstat --by=sector; check the medium (SMART) "
		"and what lies there (filefrag, dmsetup table)."
	},
	[FINDING_REQUEUED] = {
		"The device or its driver returned requests that had been "
		"issued.",
		"{share} of the issues or more, {count} or more, of {ios} "
		"issues.",
		"Requeues (R) between two issues (D) of a request. Requeues "
		"of requests that were never issued do not count.",
		"SCSI devices answer so when their queue is full; a path "
		"that fails does, too.",
		"See which with blkparse -a requeue; lower the queue depth, "
		"or check paths and cables."
	},
	[FINDING_PERIODIC] = {
		"Slow requests come at regular times.",
		"{count} groups of slow requests or more ({ios} requests in "
		"all), {span} or more apart; {share} of the distances are "
		"within {spread} thousandths of their median. Among other slow requests: "
		"{count} cycles or more, of which {share} have a burst in the "
		"same tenth, and other tenths hardly ever.",
		"Requests that take 5ms and 8 times the median; a group "
		"ends when none was issued for 100ms.",
		"Firmware housekeeping, a timer on the host (writeback, "
		"checkpoints, cron), or another guest.",
		"Find what has this period: compare with btstat --heatmap, "
		"marks, and timers of the host."
	},
	[FINDING_FLUSHES] = {
		"Cache flushes keep the device busy.",
		"{rate} flushes a second or more, {count} or more, under "
		"way for {share} of the time.",
		"I/Os that ask for a flush, each counted once, and the time "
		"that the kernel's flush requests are under way.",
		"The device may have to flush for what others wrote.",
		"See who asks with btstat --where 'op==flush' --by=process; "
		"group commits, or use a device with a protected cache."
	},
	[FINDING_STARVED] = {
		"I/O waits for a free request before it reaches the "
		"scheduler.",
		"{share} of the time from Q to C is spent there, with 1ms "
		"or more for {often} of the I/Os ({ios} or more).",
		"Time from Q to G.",
		"nr_requests is used up, or a throttle holds I/O back: wbt, "
		"iolatency, iocost.",
		"Check queue/nr_requests, queue/wbt_lat_usec and io.max, "
		"io.latency, io.cost of the cgroups."
	},
	[FINDING_QUEUE_FULL] = {
		"Requests wait in the scheduler because the device has no "
		"room for more.",
		"{share} of the time is spent between I and D, over 1ms for "
		"{often} of {ios} requests or more, and during {ratio} of that the device has 9 tenths of the most it "
		"ever takes (at least {depth}).",
		"Time from I to D, and the number of requests at the device "
		"meanwhile.",
		"The load may be too large for the device, or its queue too "
		"short.",
		"See who sends with btstat --interval=0.1 --by=process; "
		"raise queue_depth if the device can use it."
	},
	[FINDING_SCHEDULER_HOLDS] = {
		"The scheduler holds requests back although the device has "
		"room.",
		"{share} of the time is spent between I and D, over 1ms for "
		"{often} of {ios} requests or more, and during {ratio} of that the device has half of the most it "
		"takes ({depth} or more), or less.",
		"Time from I to D, and the number of requests at the device "
		"meanwhile. Silent if requeued explains it.",
		"The scheduler idles or throttles on purpose, for fairness "
		"or latency (bfq, kyber, ionice).",
		"Check queue/scheduler; compare with none or mq-deadline."
	},
	[FINDING_PLUG_HELD] = {
		"Requests stay in the plug of their process before they are "
		"sent.",
		"{share} of the time is spent between G and I, over 1ms for "
		"{often} of {ios} requests or more.",
		"Time from G to I, and how many I/Os merged meanwhile.",
		"The process was busy or off the CPU between submitting and "
		"unplugging.",
		"See who with btstat --where 'g2i>1ms' --by=process; check "
		"the CPU load of these."
	},
	[FINDING_BEHIND_WRITES] = {
		"Reads take longer while large writes are under way.",
		"Median of reads queued meanwhile {ratio} times that of the others of the same size, and {span} more; "
		"{ios} on each side, {count} large writes or more.",
		"Reads queued while a write of 64 KiB or more is in its "
		"usual time. Silent if stall explains it.",
		"Both may have the same cause, such as a checkpoint.",
		"Limit the writer (io.max, smaller batches), or use a "
		"scheduler that prefers reads."
	},
	[FINDING_BEHIND_DISCARDS] = {
		"Requests take longer while discards are under way.",
		"Median of what is queued meanwhile {ratio} times that of the others of the same size, and {span} more; "
		"{ios} on each side, {count} discards or more.",
		"Requests queued while a discard is in its usual time. "
		"Silent if stall explains it.",
		"Both may have the same cause, such as the removal of large "
		"files.",
		"Mount without discard and run fstrim at quiet times, or "
		"lower queue/discard_max_bytes."
	},
	[FINDING_NEIGHBOUR] = {
		"Reads of others take longer while one process is at work.",
		"Median of reads of others meanwhile {ratio} times that at other times, and {span} more; the process moves "
		"{share} of the bytes; {ios} on each side, {count} of its "
		"requests or more.",
		"Reads queued while a request of that process is in its "
		"usual time. Silent if behind-writes, behind-discards or "
		"stall explains it.",
		"Both may have the same cause.",
		"Limit that process (io.max, io.weight, ionice), or move "
		"it."
	},
	[FINDING_SATURATION] = {
		"The device completes no more with the usual number of "
		"requests than with half as many or fewer: more depth only "
		"adds latency.",
		"Requests find {depth} or more at the device at the median "
		"(themselves included), {ios} find that many, {count} "
		"between a quarter and half of it; the former take {ratio} times as long, and throughput is at "
		"most a quarter higher.",
		"Time in the device by the number of requests found there; "
		"throughput is that number by the time. Needs no baseline. "
		"Silent if stuck or stall explains it.",
		"Larger requests at greater depth are excluded; a device "
		"that does background work meanwhile is not.",
		"Lower the depth of the process that holds it (iodepth, "
		"io.max), or spread the load over more devices."
	},
	[FINDING_ONE_AT_A_TIME] = {
		"The process sends a request only when the one before is "
		"done, so the device never works on two.",
		"{ios} requests or more, the device busy {share} of the "
		"time, with one request during {often} of that, and the "
		"next queued within {ratio} of the median.",
		"The number of requests at the device, and the time from a "
		"completion to the next queued I/O.",
		"Some work is serial by nature (a log, a chain of "
		"pointers).",
		"Use more threads, a greater iodepth, or readahead; else "
		"only a device with less latency helps."
	},
	[FINDING_SMALL_SEQUENTIAL] = {
		"A process reads or writes sequentially in small requests "
		"that are not merged.",
		"{share} of the operation's requests ({ios} or more) are at "
		"most 16 KiB and start where the process's last ended; "
		"fewer than {often} of I/Os merged.",
		"Sectors of each process in the order in which they were "
		"queued. Silent if split explains it. Stacked devices are "
		"left out: merging is decided below them.",
		"A log that must be written record by record.",
		"Use larger I/O, readahead (queue/read_ahead_kb) or "
		"buffering."
	},
	[FINDING_SPLIT] = {
		"I/Os are cut into parts, and the parts cost more than "
		"larger requests would.",
		"{count} cuts or more, {share} of the bytes or more in "
		"parts, and smaller requests take {ratio} or more of a part's time, so time does not go with the bytes; "
		"without smaller requests to compare with, parts below "
		"{bytes}.",
		"Splits (X), and the fast tenth of requests by size. What "
		"kworkers write does not count: nobody waits for it.",
		"The limit may be the device's own "
		"(queue/max_hw_sectors_kb) or a stripe.",
		"Raise queue/max_sectors_kb, or send I/O of that size, "
		"aligned."
	},
	[FINDING_ONE_CPU] = {
		"One CPU takes nearly all completions, though several "
		"issue.",
		"{ios} requests or more, {rate} a second or more; one CPU "
		"completes {share} of them, issues at most {often}, and at least {ratio} CPUs issue.",
		"CPUs of D and C records.",
		"The device has one interrupt, or its affinity is set so.",
		"Check /proc/interrupts, irqbalance and queue/rq_affinity."
	},
	[FINDING_TAIL] = {
		"The slowest 1% of the requests take much of the time in "
		"the device.",
		"{share} of the time, with {ios} requests or more.",
		"The histogram of time in the device. Silent if stall, "
		"periodic, slow-region or flushes explains it.",
		"Different operations or sizes may differ that much.",
		"List the slowest with btstat --top=20, and see what they "
		"share."
	},
	[FINDING_MISALIGNED] = {
		"Writes do not start and end on borders of the physical "
		"block, so the device must read first.",
		"{share} of {ios} writes or more; {bytes} where the card "
		"has no physical block size.",
		"Sectors and sizes of writes.",
		"Without a card the block size is assumed; devices with "
		"blocks of 512 bytes do not mind.",
		"Check queue/physical_block_size, the start of the "
		"partition, and the block size of the program."
	},
	[FINDING_WRITEBACK] = {
		"Writeback sent most of the written bytes, so the processes "
		"that dirtied the pages are unknown here.",
		"{share} of the bytes of {ios} writes or more come from "
		"kworkers.",
		"Process names of writes.",
		"None: this is how the page cache works.",
		"iotracer shows which process wrote them."
	},
};

/* --- thresholds ----------------------------------------------------------- */

enum { COLUMN = 13 };	/* where texts begin */

enum style { PLAIN, SHARE, RATIO, SPAN, BYTES };

static const struct limit {
	const char *key;
	enum style style;
	size_t at;		/* in struct rule_limits */
} limits[] = {
	{ "ios", PLAIN, offsetof(struct rule_limits, ios) },
	{ "count", PLAIN, offsetof(struct rule_limits, count) },
	{ "share", SHARE, offsetof(struct rule_limits, share) },
	{ "often", SHARE, offsetof(struct rule_limits, often) },
	{ "rate", PLAIN, offsetof(struct rule_limits, rate) },
	{ "ratio", RATIO, offsetof(struct rule_limits, ratio) },
	{ "span", SPAN, offsetof(struct rule_limits, span) },
	{ "spread", PLAIN, offsetof(struct rule_limits, spread) },
	{ "depth", PLAIN, offsetof(struct rule_limits, depth) },
	{ "bytes", BYTES, offsetof(struct rule_limits, bytes) },
};

static void print_ratio(FILE *out, uint64_t v)
{
	fprintf(out, "%" PRIu64, v / 1000);
	if (v % 1000)
		fprintf(out, ".%" PRIu64, v % 1000 / 100);
}

static void print_share(FILE *out, uint64_t v)
{
	fprintf(out, "%" PRIu64, v / 10);
	if (v % 10)
		fprintf(out, ".%" PRIu64, v % 10);
	putc('%', out);
}

static void print_limit(FILE *out, enum style style, uint64_t v)
{
	char text[UNIT_MAX];

	switch (style) {
	case SHARE: print_share(out, v); break;
	case RATIO: print_ratio(out, v); break;
	case SPAN: unit_step(text, v); fputs(text, out); break;
	case BYTES: fprintf(out, "%" PRIu64 " KiB", v >> 10); break;
	case PLAIN: fprintf(out, "%" PRIu64, v); break;
	}
}

static void print_key(FILE *out, const char *key, size_t len,
		      const struct rule_limits *of)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct limit *l = &limits[i];
		uint64_t v;

		if (strncmp(l->key, key, len) || l->key[len])
			continue;
		memcpy(&v, (const char *)of + l->at, sizeof(v));
		print_limit(out, l->style, v);
		return;
	}
}

static void fill(FILE *out, const char *p, const struct rule_limits *of)
{
	while (*p) {
		size_t len = strcspn(p, "{");

		fprintf(out, "%.*s", (int)len, p);
		p += len;
		if (!*p++)
			break;
		len = strcspn(p, "}");
		print_key(out, p, len, of);
		p += len + 1;
	}
}

static int print_field(FILE *out, const char *name, const char *p,
		       const struct rule_limits *of, unsigned int width)
{
	char *text = NULL;
	size_t len;
	FILE *field = open_memstream(&text, &len);
	bool failed = !field;

	if (field) {
		fill(field, p, of);
		failed = fclose(field);
	}
	if (!failed) {
		fprintf(out, "  %-*s", COLUMN - 2, name);
		explain_wrap(out, text, COLUMN, width);
	}
	free(text);
	return failed ? -ENOMEM : 0;
}

int finding_rule_print(FILE *out, enum finding_rule rule, unsigned int width)
{
	const struct rule *r = &findings_rules[rule];
	const struct entry *e = &entries[rule];
	const struct { const char *name, *text; } fields[] = {
		{ "meaning", e->meaning },
		{ "threshold", e->threshold },
		{ "evidence", e->evidence },
		{ "or else", e->others },
		{ "to do", e->todo },
	};

	fprintf(out, "%s (%s)\n", finding_rule_name(rule),
		finding_severity_name(r->severity));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		int err = print_field(out, fields[i].name, fields[i].text,
				      &r->limits, width);

		if (err)
			return err;
	}
	return 0;
}
