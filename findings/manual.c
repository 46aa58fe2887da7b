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

/* of all findings about changes */
#define CHANGE \
	"The median or the 90th percentile of reads, writes or flushes grows " \
	"threefold, and by five times what it usually varies; 10 I/Os or " \
	"more, with 2% of all waiting."

static const struct entry {
	const char *meaning, *threshold, *evidence, *caveat, *todo;
} entries[FINDING_RULES] = {
	[FINDING_LOST] = {
		"Records were lost while tracing, so counts and percentiles "
		"are bounds, not values.",
		"{share} of the I/Os or more are missing.",
		"Drops reported by the kernel, gaps in sequence numbers, and "
		"the number of records that a measured I/O of the device "
		"produces.",
		"None: the trace is incomplete, whatever the device did.",
		"Capture again with larger buffers (blktrace -b 2048 -n 16), "
		"or with fewer events (-a issue -a complete)."
	},
	[FINDING_ERRORS] = {
		"I/Os failed.",
		"{count} failed I/O; refused discards and failed passthrough "
		"commands do not count.",
		"The error number of the completion (C).",
		"A layer above may have retried the I/O with success, so that "
		"no program saw the error.",
		"List them with btstat --where error --top=20, and search the "
		"kernel log for the same sectors."
	},
	[FINDING_STUCK] = {
		"I/Os in flight have not completed, and are far older than "
		"any that did: the device, its driver or its path hangs.",
		"An I/O in flight at the end of the trace is {span} old or "
		"older, and {ratio} times as old as the slowest one that "
		"completed; if nothing completed in the last {span}, {ratio} "
		"times the 90th percentile.",
		"I/Os without a completion up to the end of the trace, with "
		"or without a request; also on stacked devices. Silent where "
		"records were lost.",
		"The capture stopped without its last buffers, or the command "
		"is slow by nature (an erase, a large discard).",
		"List them with btstat --where open --top=20; check the same "
		"I/Os on the device below, and the kernel log for timeouts."
	},
	[FINDING_STALL] = {
		"For a while nothing completed although requests waited.",
		"No completion for {span} or longer, and for {ratio} times "
		"the 90th percentile, while at least 3 I/Os wait; {ios} "
		"requests completed in all. If it lasts to the end of the "
		"trace: 200ms or longer.",
		"Times of completions, and the I/Os that waited between them. "
		"Silent where drops may hide completions.",
		"The device cleans up, a controller was reset, a path failed "
		"over, a device-mapper device was suspended, or the host did "
		"not run.",
		"Show that time with btstat -w and --heatmap; compare with "
		"the kernel log and with the device below."
	},
	[FINDING_FLUSH_STORM] = {
		"I/O is slow at times when a process flushes the cache far "
		"more often than otherwise.",
		CHANGE " Flushes grow threefold, and make up a quarter of the "
		"new I/O or more.",
		"Latency and I/O by process in 128 to 256 spans of time.",
		"The process may flush because something else made it wait.",
		"List them with btstat --by=process,op at that time; see which "
		"files it syncs (iotracer)."
	},
	[FINDING_THROTTLED] = {
		"I/O waits for a request at times when there is no more of it "
		"than otherwise.",
		CHANGE " Most of what they wait longer is before they get a "
		"request (Q2G).",
		"Latency by phase in 128 to 256 spans of time.",
		"A device that completes nothing uses up requests, too; then "
		"the finding is a stall.",
		"Check nr_requests, wbt_lat_usec and the cgroups' io.latency, "
		"io.cost.qos and io.max."
	},
	[FINDING_DEPTH_CUT] = {
		"At times the device has half as many requests in flight as "
		"otherwise, or fewer, while others wait to be issued.",
		CHANGE " Most of what they wait longer is before they are "
		"issued; the greatest depth halves.",
		"Latency by phase, and the depth at the driver, in 128 to 256 "
		"spans of time.",
		"Some drivers lower the depth by themselves after errors or "
		"when the device reports that its queue is full.",
		"Check queue_depth and the kernel log; show it with btstat "
		"--interval=0.1."
	},
	[FINDING_BURST] = {
		"I/O is slow at times when a process does far more of it than "
		"otherwise.",
		CHANGE " A process at least doubles its I/Os or bytes by half "
		"of what all processes do otherwise, or more.",
		"Latency and I/O by process in 128 to 256 spans of time.",
		"A process that waits for the device may do more because the "
		"device became faster.",
		"List them with btstat --by=process,op at that time; spread "
		"the burst, or limit it (io.max, ionice)."
	},
	[FINDING_SMALLER] = {
		"At times a process reads or writes in sequence in far smaller "
		"requests than otherwise.",
		"Its mean size falls to a quarter and by five times what it "
		"usually varies; 3 of 5 start where the one before ended, and "
		"there are twice as many.",
		"Sizes by process in 128 to 256 spans of time.",
		"The program may have asked for small blocks itself.",
		"Check read_ahead_kb, and whether the program opens the file "
		"with O_DIRECT or advises random access."
	},
	[FINDING_HELD] = {
		"At times requests wait to be issued although there is no more "
		"I/O than otherwise and the device accepts as many.",
		CHANGE " Most of what they wait longer is in the plug or the "
		"scheduler.",
		"Latency by phase in 128 to 256 spans of time.",
		"Without an event of insertion (I) it cannot be said whether "
		"the plug or the scheduler holds them.",
		"Try another scheduler; show them with btstat --top=20 at that "
		"time."
	},
	[FINDING_SLOWER] = {
		"At times the device takes longer although there is no more "
		"I/O than otherwise.",
		CHANGE " Most of what they wait longer is in the device.",
		"Latency by phase in 128 to 256 spans of time.",
		"Another partition, guest or host may use the same device, "
		"which this trace cannot show.",
		"Show that time with btstat --heatmap; check the medium, its "
		"temperature, and rebuilds."
	},
	[FINDING_SLOW_REGION] = {
		"Requests to a range of sectors take longer than others of "
		"the same type and size.",
		"The range in use is divided into 128 equal parts. At most "
		"half of them are slow and adjacent (or at most 16, "
		"anywhere): {count} requests or more, half of them {ratio} "
		"times slower than usual, in {spread} twentieths of the time "
		"or more; {ios} requests in all.",
		"Time in the device by sector, compared with the median of "
		"the same type and size.",
		"Another tier, a cache that holds the rest, a rebuild, or "
		"compressed or unwritten space below.",
		"Show it with btstat --by=sector; check the medium (SMART) "
		"and what is stored there (filefrag, dmsetup table)."
	},
	[FINDING_REQUEUED] = {
		"The device or its driver returned issued requests to the "
		"queue.",
		"{share} of the issues or more, {count} or more, of {ios} "
		"issues.",
		"Requeues (R) between two issues (D) of a request. Requeues "
		"of requests that were never issued do not count.",
		"SCSI devices do this when their queue is full; so does a "
		"failing path.",
		"List them with blkparse -a requeue; lower the queue depth, "
		"or check paths and cables."
	},
	[FINDING_PERIODIC] = {
		"Slow requests come at regular times.",
		"{count} groups of slow requests or more ({ios} requests in "
		"all), {span} or more apart; {share} of the distances are "
		"within {spread} thousandths of their median. Among other "
		"slow requests: {count} cycles or more, {share} of them with "
		"a burst in the same tenth and few in other tenths.",
		"Requests that take 5ms and 8 times the median; a group ends "
		"when none was issued for 100ms.",
		"Firmware housekeeping, a timer on the host (writeback, "
		"checkpoints, cron), or another guest.",
		"Find what has this period: compare with btstat --heatmap, "
		"marks, and timers of the host."
	},
	[FINDING_FLUSHES] = {
		"Cache flushes keep the device busy.",
		"{rate} flushes per second or more, {count} or more, in "
		"flight for {share} of the time.",
		"I/Os that request a flush, each counted once, and the time "
		"with a flush request of the kernel in flight.",
		"The device may have to flush data of other writers.",
		"List the processes with btstat --where 'op==flush' "
		"--by=process; group commits, or use a device with a "
		"protected cache."
	},
	[FINDING_STARVED] = {
		"I/O waits for a free request before it reaches the "
		"scheduler.",
		"{share} of the time from Q to C is spent there, with 1ms or "
		"more for {often} of the I/Os ({ios} or more).",
		"Time from Q to G.",
		"nr_requests is used up, or a throttle holds I/O back: wbt, "
		"iolatency, iocost.",
		"Check queue/nr_requests, queue/wbt_lat_usec and io.max, "
		"io.latency, io.cost of the cgroups."
	},
	[FINDING_QUEUE_FULL] = {
		"Requests wait in the scheduler because the device has no "
		"room for more.",
		"{share} of the time is spent between I and D, with more than "
		"1ms for {often} of the requests ({ios} or more); during "
		"{ratio} of that time the device has 9 tenths of the most it "
		"ever holds (at least {depth}).",
		"Time from I to D, and the number of requests at the device "
		"meanwhile.",
		"The load may be too large for the device, or its queue too "
		"short.",
		"List the processes with btstat --interval=0.1 --by=process; "
		"raise queue_depth if the device can use it."
	},
	[FINDING_SCHEDULER_HOLDS] = {
		"The scheduler holds requests back although the device has "
		"room.",
		"{share} of the time is spent between I and D, with more than "
		"1ms for {often} of the requests ({ios} or more); during "
		"{ratio} of that time the device has at most half of the most "
		"it ever holds ({depth} or more).",
		"Time from I to D, and the number of requests at the device "
		"meanwhile. Silent if requeued explains it.",
		"The scheduler idles or throttles on purpose, for fairness or "
		"latency (bfq, kyber, ionice).",
		"Check queue/scheduler; compare with none or mq-deadline."
	},
	[FINDING_PLUG_HELD] = {
		"Requests stay in the plug of their process before they are "
		"sent.",
		"{share} of the time is spent between G and I, with more than "
		"1ms for {often} of the requests ({ios} or more).",
		"Time from G to I, and the number of I/Os merged meanwhile.",
		"The process was busy or off the CPU between submitting and "
		"unplugging.",
		"List the processes with btstat --where 'g2i>1ms' "
		"--by=process; check their CPU load."
	},
	[FINDING_BEHIND_WRITES] = {
		"Reads take longer while large writes are in flight.",
		"The median of reads queued meanwhile is {ratio} times that "
		"of other reads of the same size, and {span} longer; {ios} on "
		"each side, {count} large writes or more.",
		"Reads queued while a write of 64 KiB or more is in its usual "
		"time. Silent if stall explains it.",
		"Both may have the same cause, such as a checkpoint.",
		"Limit the writer (io.max, smaller batches), or use a "
		"scheduler that prefers reads."
	},
	[FINDING_BEHIND_DISCARDS] = {
		"Requests take longer while discards are in flight.",
		"The median of requests queued meanwhile is {ratio} times "
		"that of others of the same size, and {span} longer; {ios} on "
		"each side, {count} discards or more.",
		"Requests queued while a discard is in its usual time. Silent "
		"if stall explains it.",
		"Both may have the same cause, such as the removal of large "
		"files.",
		"Mount without discard and run fstrim at quiet times, or "
		"lower queue/discard_max_bytes."
	},
	[FINDING_NEIGHBOUR] = {
		"Reads of other processes take longer while one process does "
		"I/O.",
		"The median of others' reads queued meanwhile is {ratio} "
		"times that at other times, and {span} longer; the process "
		"moves {share} of the bytes; {ios} on each side, {count} of "
		"its requests or more.",
		"Reads queued while a request of that process is in its usual "
		"time. Silent if behind-writes, behind-discards or stall "
		"explains it.",
		"Both may have the same cause.",
		"Limit that process (io.max, io.weight, ionice), or move it."
	},
	[FINDING_SATURATION] = {
		"The device completes no more at the usual depth than at half "
		"of it or less: more depth only adds latency.",
		"At the median a request finds {depth} requests or more at "
		"the device, itself included; {ios} requests find that many, "
		"{count} between a quarter and half of it. The former take "
		"{ratio} times as long, and throughput is at most a quarter "
		"higher.",
		"Time in the device by the number of requests found there; "
		"throughput is that number divided by the time. Needs no "
		"baseline. Silent if stuck or stall explains it.",
		"Larger requests at greater depth are excluded; background "
		"work of the device is not.",
		"Lower the depth of the process with most requests (iodepth, "
		"io.max), or spread the load over more devices."
	},
	[FINDING_ONE_AT_A_TIME] = {
		"A process sends each request after the previous one "
		"completes, so the device never works on two.",
		"{ios} requests or more, the device busy {share} of the time, "
		"with one request during {often} of that, and the next one "
		"queued within {ratio} of the median.",
		"The number of requests at the device, and the time from a "
		"completion to the next queued I/O.",
		"Some work is serial by nature (a log, a chain of pointers).",
		"Use more threads, a greater iodepth, or readahead; otherwise "
		"only a device with less latency helps."
	},
	[FINDING_SMALL_SEQUENTIAL] = {
		"A process reads or writes sequentially in small requests "
		"that are not merged.",
		"{share} of the requests of that type ({ios} or more) are at "
		"most 16 KiB and start where the previous one of the process "
		"ended; fewer than {often} of I/Os merged.",
		"Sectors of each process in queueing order. Silent if split "
		"explains it. Stacked devices are left out: merging happens "
		"below them.",
		"A log that must be written record by record.",
		"Use larger I/O, readahead (queue/read_ahead_kb) or "
		"buffering."
	},
	[FINDING_SPLIT] = {
		"I/Os are split into parts, and the parts cost more than "
		"larger requests would.",
		"{count} splits or more, {share} of the bytes or more in "
		"parts, and smaller requests take {ratio} or more of a part's "
		"time, so time does not depend on size; without smaller "
		"requests to compare with, parts below {bytes}.",
		"Splits (X), and the fastest tenth of requests by size. "
		"Writeback does not count: no process waits for it.",
		"The limit may be the device's own (queue/max_hw_sectors_kb) "
		"or a stripe.",
		"Raise queue/max_sectors_kb, or send aligned I/O of that "
		"size."
	},
	[FINDING_ONE_CPU] = {
		"One CPU handles nearly all completions, though several issue "
		"requests.",
		"{ios} requests or more, {rate} per second or more; one CPU "
		"completes {share} of them, issues at most {often}, and at "
		"least {ratio} CPUs issue.",
		"CPUs of D and C records.",
		"The device has one interrupt, or its affinity is set so.",
		"Check /proc/interrupts, irqbalance and queue/rq_affinity."
	},
	[FINDING_TAIL] = {
		"The slowest 1% of requests take much of the time in the "
		"device.",
		"{share} of the time, with {ios} requests or more.",
		"The histogram of time in the device. Silent if stall, "
		"periodic, slow-region or flushes explains it.",
		"Different operations or sizes may differ that much.",
		"List the slowest with btstat --top=20, and look for what "
		"they have in common."
	},
	[FINDING_MISALIGNED] = {
		"Writes do not start and end on boundaries of physical "
		"blocks, so the device must read before it writes.",
		"{share} of {ios} writes or more; {bytes} blocks if the card "
		"has no physical block size.",
		"Sectors and sizes of writes.",
		"Without a card the block size is assumed; devices with "
		"blocks of 512 bytes are not affected.",
		"Check queue/physical_block_size, the start of the partition, "
		"and the block size of the program."
	},
	[FINDING_WRITEBACK] = {
		"Most written bytes come from writeback, so the trace cannot "
		"show which processes dirtied the pages.",
		"{share} of the bytes of {ios} writes or more come from "
		"kworkers.",
		"Process names of writes.",
		"None: this is how the page cache works.",
		"Run iotracer, which shows the processes that write."
	},
};

/* --- thresholds ----------------------------------------------------------- */

enum { COLUMN = 13 };	/* start of texts */

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
		{ "caveat", e->caveat },
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
