/* SPDX-License-Identifier: GPL-2.0-only */
/* A request's life: what each event adds to the statistics. */
#include <math.h>

#include "base/buf.h"
#include "scratch.h"
#include "tools/btt/dispatch.h"
#include "tools/btt/inputs.h"
#include "tools/btt/options.h"
#include "tools/btt/state.h"

enum {
	SDA = BLK_DEVICE(8, 0),
	SDB = BLK_DEVICE(8, 16),
	DM0 = BLK_DEVICE(253, 0),
	DM1 = BLK_DEVICE(253, 1),
	PID = 100,
};

struct rig {
	struct options o;
	struct state s;
	struct buf messages;
	uint32_t device;	/* the one events are of */
	uint32_t flags;		/* more bits for their actions */
	void *scratch;		/* where btt's files are made */
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	assert_int_equal(scratch_enter(&r->scratch), 0);
	r->o = (struct options){ .pause = 0.1, .end = HUGE_VAL };
	r->device = SDA;
	assert_int_equal(buf_init(&r->messages, -1, 4096), 0);
	state_init(&r->s, &r->o);
	state_open(&r->s, &r->messages);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	assert_true(state_close(&r->s));
	state_free(&r->s);
	buf_free(&r->messages);
	assert_int_equal(scratch_leave(&r->scratch), 0);
	free(r);
	return 0;
}

/* another start with other options */
static void restart(struct rig *r)
{
	state_close(&r->s);
	state_free(&r->s);
	state_init(&r->s, &r->o);
	state_open(&r->s, &r->messages);
}

static void happen(struct rig *r, enum blk_action nr, uint64_t time,
		   uint64_t sector, uint32_t blocks)
{
	struct event ev = EVENT(.action = ACT(nr, CAT(WRITE)) | r->flags,
				.time = time, .sector = sector,
				.bytes = blocks << 9, .pid = PID,
				.device = r->device);

	assert_int_equal(dispatch_event(&r->s, &ev), DISPATCH_ON);
}

/* the request comes from that place of another device */
static void remap(struct rig *r, uint64_t time, uint64_t sector,
		  uint32_t from, uint64_t from_sector)
{
	uint8_t payload[16];
	struct event ev = EVENT(.action = ACT(BLK_TA_REMAP, CAT(WRITE)),
				.time = time, .sector = sector, .bytes = 4096,
				.device = r->device);

	big32_to(payload, from);
	big32_to(payload + 4, r->device);
	big64_to(payload + 8, from_sector);
	ev = with_payload(ev, payload, sizeof(payload));
	dispatch_event(&r->s, &ev);
}

static void unplug(struct rig *r, enum blk_action nr, uint64_t time,
		   uint64_t depth)
{
	uint8_t payload[8];
	struct event ev = EVENT(.action = ACT(nr, 0), .time = time,
				.device = r->device);

	big64_to(payload, depth);
	ev = with_payload(ev, payload, sizeof(payload));
	dispatch_event(&r->s, &ev);
}

static void say(struct rig *r, uint32_t flags, const char *text)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE) | flags,
				.device = r->device, .pid = PID);

	ev = with_payload(ev, text, strlen(text));
	dispatch_event(&r->s, &ev);
}

static struct disk *disk(struct rig *r, uint32_t device)
{
	struct disk *d = disks_find(&r->s.disks, origin_key(0, device));

	assert_non_null(d);
	return d;
}

/* the device's, the process's and, in the end, the system's are the same */
static void check_span(struct rig *r, enum span span, uint64_t count,
		       uint64_t total)
{
	const struct cell *c = &disk(r, r->device)->spans.cells[span];

	assert_int_equal(c->count, count);
	assert_int_equal(c->total, total);
}

static void test_plain(void **state)
{
	struct rig *r = *state;
	struct process *p;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	happen(r, BLK_TA_GETRQ, 12, 8, 8);
	happen(r, BLK_TA_INSERT, 15, 8, 8);
	happen(r, BLK_TA_ISSUE, 25, 8, 8);
	happen(r, BLK_TA_COMPLETE, 125, 8, 8);
	check_span(r, SPAN_Q2Q, 0, 0);
	check_span(r, SPAN_Q2G, 1, 2);
	check_span(r, SPAN_G2I, 1, 3);
	check_span(r, SPAN_I2D, 1, 10);
	check_span(r, SPAN_D2C, 1, 100);
	check_span(r, SPAN_Q2C, 1, 115);
	p = processes_get(&r->s.processes, 0, PID);
	assert_int_equal(disk(r, SDA)->open, 0);
	assert_int_equal(busy_sums(&r->s.busy).time, 100);
	state_end(&r->s);
	assert_int_equal(p->spans.cells[SPAN_Q2C].total, 115);
	assert_int_equal(r->s.system.cells[SPAN_Q2C].total, 115);
	assert_int_equal(r->s.system.cells[SPAN_D2C].count, 1);
}

/* what is not later counts as 1 ns later */
static void test_no_time(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	happen(r, BLK_TA_GETRQ, 10, 8, 8);
	happen(r, BLK_TA_ISSUE, 9, 8, 8);
	happen(r, BLK_TA_COMPLETE, 5, 8, 8);
	happen(r, BLK_TA_QUEUE, 5, 8, 8);
	check_span(r, SPAN_Q2G, 1, 1);
	check_span(r, SPAN_Q2C, 1, 1);
	check_span(r, SPAN_D2C, 1, 1);
	check_span(r, SPAN_Q2Q, 1, 1);
}

static void test_sleep(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	happen(r, BLK_TA_SLEEPRQ, 20, 8, 8);
	happen(r, BLK_TA_GETRQ, 70, 8, 8);
	check_span(r, SPAN_Q2G, 1, 60);
	check_span(r, SPAN_S2G, 1, 50);
}

/* two are merged into a third, before and behind: one D and C for all */
static void test_merge(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 16, 8);
	happen(r, BLK_TA_INSERT, 11, 16, 8);
	happen(r, BLK_TA_QUEUE, 20, 24, 8);
	happen(r, BLK_TA_BACKMERGE, 23, 24, 8);
	happen(r, BLK_TA_QUEUE, 30, 8, 8);
	happen(r, BLK_TA_FRONTMERGE, 34, 8, 8);
	assert_int_equal(disk(r, SDA)->active, 1);
	happen(r, BLK_TA_ISSUE, 50, 8, 24);
	happen(r, BLK_TA_COMPLETE, 60, 8, 24);
	check_span(r, SPAN_Q2M, 2, 7);
	check_span(r, SPAN_M2D, 2, 27 + 16);
	check_span(r, SPAN_I2D, 1, 39);
	check_span(r, SPAN_D2C, 3, 30);
	check_span(r, SPAN_Q2C, 3, 50 + 40 + 30);
	assert_int_equal(disk(r, SDA)->queues, 3);
	assert_int_equal(disk(r, SDA)->issues, 1);
	assert_int_equal(disk(r, SDA)->active, 0);
	assert_int_equal(disk(r, SDA)->active_sum, 0 + 1 + 1);
}

/* a D or C reaches only what lies in its range wholly: halves do not */
static void test_split(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 0, 16);
	happen(r, BLK_TA_SPLIT, 11, 0, 16);
	happen(r, BLK_TA_ISSUE, 20, 0, 8);
	happen(r, BLK_TA_ISSUE, 21, 8, 8);
	happen(r, BLK_TA_COMPLETE, 30, 0, 8);
	happen(r, BLK_TA_COMPLETE, 31, 8, 8);
	check_span(r, SPAN_Q2C, 0, 0);
	check_span(r, SPAN_D2C, 0, 0);
	assert_int_not_equal(disk(r, SDA)->open, 0);
	/* in the report nothing is issued that was not queued */
	state_end(&r->s);
	assert_int_equal(disk(r, SDA)->queues, 2);
}

/* two parts that were merged complete one after the other */
static void test_partial(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 0, 8);
	happen(r, BLK_TA_QUEUE, 11, 8, 8);
	happen(r, BLK_TA_BACKMERGE, 12, 8, 8);
	happen(r, BLK_TA_ISSUE, 20, 0, 16);
	happen(r, BLK_TA_COMPLETE, 30, 0, 8);
	check_span(r, SPAN_Q2C, 1, 20);
	happen(r, BLK_TA_COMPLETE, 40, 8, 8);
	check_span(r, SPAN_Q2C, 2, 20 + 29);
	check_span(r, SPAN_D2C, 2, 10 + 20);
}

/* it counts as one more Q, and keeps the times it had */
static void test_requeue(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	happen(r, BLK_TA_INSERT, 12, 8, 8);
	happen(r, BLK_TA_ISSUE, 20, 8, 8);
	happen(r, BLK_TA_REQUEUE, 25, 8, 8);
	happen(r, BLK_TA_ISSUE, 40, 8, 8);
	happen(r, BLK_TA_COMPLETE, 50, 8, 8);
	check_span(r, SPAN_I2D, 2, 8 + 28);
	check_span(r, SPAN_D2C, 1, 10);
	check_span(r, SPAN_Q2C, 1, 40);
	assert_int_equal(disk(r, SDA)->queues, 2);
	assert_int_equal(disk(r, SDA)->issues, 2);
}

/* down two floors: each hands it on to the next */
static void two_floors(struct rig *r)
{
	r->device = DM1;
	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	r->device = DM0;
	remap(r, 13, 200, DM1, 100);
	happen(r, BLK_TA_QUEUE, 14, 200, 8);
	r->device = SDA;
	remap(r, 19, 300, DM0, 200);
	happen(r, BLK_TA_QUEUE, 20, 300, 8);
	happen(r, BLK_TA_ISSUE, 30, 300, 8);
	happen(r, BLK_TA_COMPLETE, 80, 300, 8);
	r->device = DM0;
	happen(r, BLK_TA_COMPLETE, 82, 200, 8);
	r->device = DM1;
	happen(r, BLK_TA_COMPLETE, 85, 100, 8);
}

static void test_remap(void **state)
{
	struct rig *r = *state;

	two_floors(r);
	state_end(&r->s);
	check_span(r, SPAN_Q2A_DM, 1, 3);
	check_span(r, SPAN_Q2C_DM, 1, 75);
	check_span(r, SPAN_Q2C, 0, 0);
	r->device = DM0;
	check_span(r, SPAN_Q2A_DM, 1, 5);
	check_span(r, SPAN_Q2C_DM, 1, 68);
	r->device = SDA;
	check_span(r, SPAN_Q2C, 1, 60);
	assert_true(disk(r, DM0)->remapper);
	assert_false(disk(r, SDA)->remapper);
	/* one clock for all: each Q is compared with the last of the system */
	assert_int_equal(r->s.system.cells[SPAN_Q2Q].total, 6);
	assert_int_equal(r->s.system.cells[SPAN_Q2Q_DM].total, 4);
}

static void test_no_remaps(void **state)
{
	struct rig *r = *state;

	r->o.no_remaps = true;
	two_floors(r);
	state_end(&r->s);
	check_span(r, SPAN_Q2A_DM, 0, 0);
	check_span(r, SPAN_Q2C_DM, 1, 75);
}

/* a Q of each device, a remap from the first to the second in between */
static void queue_remap(struct rig *r, uint32_t above, uint32_t below)
{
	r->device = above;
	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	r->device = below;
	remap(r, 13, 200, above, 100);
	happen(r, BLK_TA_QUEUE, 14, 200, 8);
	happen(r, BLK_TA_ISSUE, 20, 200, 8);
	happen(r, BLK_TA_COMPLETE, 30, 200, 8);
	r->device = above;
	happen(r, BLK_TA_COMPLETE, 34, 100, 8);
}

static const struct cell *process_cell(struct rig *r, enum span span)
{
	struct process *p = processes_get(&r->s.processes, 0, PID);

	return &p->spans.cells[span];
}

/* what came before the first remap is a remapper's, too, whatever its major */
static void test_late_remapper(void **state)
{
	struct rig *r = *state;

	r->device = SDA;
	happen(r, BLK_TA_QUEUE, 1, 400, 8);
	happen(r, BLK_TA_COMPLETE, 3, 400, 8);
	assert_false(disk(r, SDA)->remapper);
	queue_remap(r, SDA, DM0);
	assert_true(disk(r, SDA)->remapper);
	assert_false(disk(r, DM0)->remapper);
	state_end(&r->s);
	r->device = SDA;
	check_span(r, SPAN_Q2Q_DM, 1, 9);
	check_span(r, SPAN_Q2A_DM, 1, 3);
	check_span(r, SPAN_Q2C_DM, 2, 2 + 24);
	check_span(r, SPAN_Q2C, 0, 0);
	assert_int_equal(r->s.system.cells[SPAN_Q2Q_DM].total, 9);
	assert_int_equal(r->s.system.cells[SPAN_Q2Q].total, 4);
	assert_int_equal(r->s.system.cells[SPAN_Q2C].total, 16);
	assert_int_equal(process_cell(r, SPAN_Q2C_DM)->total, 26);
	assert_int_equal(process_cell(r, SPAN_Q2C)->total, 16);
	assert_int_equal(process_cell(r, SPAN_Q2Q_DM)->count, 1);
	assert_int_equal(process_cell(r, SPAN_Q2Q)->total, 4);
	assert_int_equal(r->s.queue_sizes.counts[8], 1);
	assert_int_equal(r->s.issue_sizes.counts[8], 1);
}

/* a remap that names a device before that one has been met */
static void test_early_remap(void **state)
{
	struct rig *r = *state;

	r->device = SDB;
	remap(r, 13, 200, SDA, 100);
	r->device = SDA;
	happen(r, BLK_TA_QUEUE, 20, 300, 8);
	assert_true(disk(r, SDA)->remapper);
	assert_false(disk(r, SDB)->remapper);
}

/* where a partition is traced its remaps come from itself: it is no remapper */
static void test_partition(void **state)
{
	struct rig *r = *state;

	remap(r, 5, 2148, SDA, 100);
	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	happen(r, BLK_TA_COMPLETE, 20, 100, 8);
	state_end(&r->s);
	assert_false(disk(r, SDA)->remapper);
	check_span(r, SPAN_Q2C, 1, 10);
}

/* remaps outside of the window are not counted, but say what a device is */
static void test_remap_before_window(void **state)
{
	struct rig *r = *state;

	r->o.windowed = true;
	r->o.start = 1e-6;
	restart(r);
	r->device = SDB;
	remap(r, 13, 200, SDA, 100);
	assert_int_equal(r->s.events, 0);
	r->device = SDA;
	happen(r, BLK_TA_QUEUE, 2000, 300, 8);
	assert_true(disk(r, SDA)->remapper);
}

/* 1.3.0: by major */
static void test_classic_remappers(void **state)
{
	struct rig *r = *state;

	r->o.classic_remappers = true;
	restart(r);
	queue_remap(r, SDA, DM0);
	state_end(&r->s);
	r->device = SDA;
	check_span(r, SPAN_Q2A, 1, 3);
	check_span(r, SPAN_Q2C, 1, 24);
	r->device = DM0;
	check_span(r, SPAN_Q2C_DM, 1, 16);
	assert_int_equal(r->s.queue_sizes.counts[8], 1);
	assert_int_equal(r->s.issue_sizes.counts[8], 0);
}

/* an empty flush means nothing, a discard is a request like any other */
static void test_flush_and_discard(void **state)
{
	struct rig *r = *state;

	r->flags = BLK_TC_ACT(BLK_TC_FLUSH);
	happen(r, BLK_TA_QUEUE, 10, 0, 0);
	happen(r, BLK_TA_COMPLETE, 20, 0, 0);
	assert_int_equal(r->s.disks.count, 0);
	assert_int_equal(r->s.events, 2);
	r->flags = BLK_TC_ACT(BLK_TC_DISCARD);
	happen(r, BLK_TA_QUEUE, 30, 0, 8388607);
	happen(r, BLK_TA_ISSUE, 31, 0, 8388607);
	happen(r, BLK_TA_COMPLETE, 40, 0, 8388607);
	check_span(r, SPAN_Q2C, 1, 10);
	assert_int_equal(disk(r, SDA)->blocks.max, 8388607);
	state_end(&r->s);
	assert_int_equal(r->s.queue_sizes.counts[SIZES_MAX + 1], 1);
}

static void test_packet_commands(void **state)
{
	struct rig *r = *state;

	r->flags = BLK_TC_ACT(BLK_TC_PC);
	happen(r, BLK_TA_QUEUE, 10, 0, 8);
	assert_int_equal(r->s.events, 0);
	assert_int_equal(r->s.disks.count, 0);
}

/* until a Q or A comes a device is known, and that is all */
static void test_asleep(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_COMPLETE, 10, 8, 8);
	happen(r, BLK_TA_ISSUE, 11, 8, 8);
	say(r, 0, "unheard");
	assert_int_equal(disk(r, SDA)->issues, 0);
	assert_int_equal(disk(r, SDA)->first, 10);
	assert_int_equal(disk(r, SDA)->last, 0);
	happen(r, BLK_TA_QUEUE, 20, 8, 8);
	happen(r, BLK_TA_ISSUE, 21, 8, 8);
	assert_int_equal(disk(r, SDA)->issues, 1);
	assert_int_equal(disk(r, SDA)->last, 21);
	assert_int_equal(r->messages.len, 0);
}

static void test_plugs(void **state)
{
	struct rig *r = *state;
	const struct plugs *p;

	happen(r, BLK_TA_PLUG, 5, 0, 0);	/* nobody has met it */
	assert_int_equal(r->s.disks.count, 0);
	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	p = &disk(r, SDA)->plugs;
	unplug(r, BLK_TA_UNPLUG_IO, 11, 7);	/* not plugged */
	happen(r, BLK_TA_PLUG, 1000, 0, 0);
	happen(r, BLK_TA_PLUG, 2000, 0, 0);
	unplug(r, BLK_TA_UNPLUG_TIMER, 3000, 3);
	assert_int_equal(p->count[0], 0);
	assert_int_equal(p->count[1], 1);
	assert_int_equal(p->requests[1], 3);
	assert_true(fabs(p->seconds - 2e-6) < 1e-15);
	happen(r, BLK_TA_PLUG, 4000, 0, 0);
	happen(r, BLK_TA_QUEUE, 4500, 8, 8);
	state_end(&r->s);			/* plugged up to the end */
	assert_int_equal(p->count[0], 1);
	assert_true(fabs(p->seconds - 2.5e-6) < 1e-15);
	assert_int_equal(disk(r, SDA)->unplugs.counts[1], 1);
}

/* counts that no kernel has sent, and payloads that are not there */
static void test_hostile_payloads(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	happen(r, BLK_TA_PLUG, 11, 0, 0);
	happen(r, BLK_TA_UNPLUG_IO, 12, 0, 0);
	happen(r, BLK_TA_REMAP, 13, 8, 8);
	assert_true(disk(r, SDA)->plugs.plugged);
	unplug(r, BLK_TA_UNPLUG_IO, 14, UINT64_MAX);
	assert_int_equal(
		disk(r, SDA)->unplugs.counts[UNPLUGS_BUCKETS - 1], 1);
}

/* events with a cgroup id are events; messages with one need such events */
static void test_cgroups(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 8, 8);
	say(r, BLK_CGROUP_FLAG, "12345678unheard");
	say(r, 0, "heard");
	r->flags = BLK_CGROUP_FLAG;
	happen(r, BLK_TA_ISSUE, 20, 8, 8);
	happen(r, BLK_TA_COMPLETE, 30, 8, 8);
	happen(r, BLK_TA_QUEUE, 40, 8, 8);
	check_span(r, SPAN_Q2C, 1, 20);
	say(r, BLK_CGROUP_FLAG, "12345678flagged");
	r->messages.data[r->messages.len] = '\0';
	assert_string_equal(r->messages.data,
			    "(  8,  0)     0.000000000 heard\n"
			    "(  8,  0)     0.000000000 flagged\n");
}

static enum dispatch_result at(struct rig *r, uint64_t time)
{
	return dispatch_event(&r->s, &EVENT(
		.action = ACT(BLK_TA_QUEUE, CAT(WRITE)), .time = time,
		.bytes = 4096, .device = SDA));
}

/* both ends are inside */
static void test_window(void **state)
{
	struct rig *r = *state;

	r->o.windowed = true;
	r->o.start = 0.5;
	r->o.end = 1;
	restart(r);
	assert_int_equal(at(r, NS_PER_SECOND / 2 - 1), DISPATCH_ON);
	assert_int_equal(r->s.events, 0);
	assert_int_equal(at(r, NS_PER_SECOND / 2), DISPATCH_ON);
	assert_int_equal(at(r, NS_PER_SECOND), DISPATCH_ON);
	assert_int_equal(r->s.events, 2);
	assert_int_equal(at(r, NS_PER_SECOND + 1), DISPATCH_STOP);
	assert_int_equal(r->s.events, 2);
}

/* a dump of version 8, in the other byte order, its last record cut */
static void test_version_8(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new();
	struct diary d;
	struct inputs in;
	struct event *ev;
	FILE *f = fopen("dump", "w");

	add_shaped(b, V8, true, &EVENT(.action = ACT(BLK_TA_QUEUE, CAT(WRITE)),
		.zone = 1, .bytes = 4096, .time = 100, .device = SDA), NULL);
	add_shaped(b, V8, true, &EVENT(.action = ACT(BLK_TA_COMPLETE,
		CAT(WRITE)), .bytes = 4096, .time = 150, .device = SDA), NULL);
	add_shaped(b, V8, true, &EVENT(.action = ACT(BLK_TA_QUEUE, 0),
		.bytes = 4096, .time = 200, .device = SDA), NULL);
	assert_non_null(f);
	fwrite(b->data, 1, b->len - 1, f);
	fclose(f);
	free(b);

	diary_init(&d);
	r->o.input = "dump";
	inputs_init(&in, &d.hooks);
	inputs_open(&in, &r->o);
	while (inputs_next(&in, &ev) == 1)
		dispatch_event(&r->s, ev);
	inputs_close(&in);
	check_span(r, SPAN_Q2C, 1, 50);
	check_span(r, SPAN_Q2Q, 0, 0);
	assert_string_equal(d.text,
			    "added dump\n128+63 a record cut short\n");
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_plain), TEST(test_no_time), TEST(test_sleep),
		TEST(test_merge), TEST(test_split), TEST(test_partial),
		TEST(test_requeue), TEST(test_remap), TEST(test_no_remaps),
		TEST(test_late_remapper), TEST(test_early_remap),
		TEST(test_partition), TEST(test_remap_before_window),
		TEST(test_classic_remappers), TEST(test_flush_and_discard),
		TEST(test_packet_commands), TEST(test_asleep),
		TEST(test_plugs), TEST(test_hostile_payloads),
		TEST(test_cgroups), TEST(test_window), TEST(test_version_8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
