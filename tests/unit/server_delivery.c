/* SPDX-License-Identifier: GPL-2.0-only */
/* The acknowledged protocol, good and bad, from memory to real files. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "heard.h"
#include "base/time.h"
#include "net.h"
#include "pack/frame.h"
#include "pack/packer.h"
#include "server/packed_run.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/store.h"
#include "server/talk.h"
#include "server/tokens.h"
#include "server_reporter.h"
#include "unpacked.h"

/* 2009-02-13 23:31:30 UTC */
enum { WHEN = 1234567890 };
#define DIR "store/192.0.2.1-2009-02-13-23:31:30"

struct rig {
	struct report report;	/* its lines go nowhere */
	struct store *store;
	struct tokens *tokens;
	struct runs *runs;
	void *scratch;
	/* the last answer, and how many there were */
	struct frame answer;
	uint64_t have;		/* beyond what its sender knows, of lanes */
	uint64_t missing;	/* of that */
	char text[FRAME_TEXT + 1];
	unsigned int answers;
	unsigned int owed;	/* times that something was to be acknowledged
				 * without new bytes */
};

static int on_answer(void *ctx, const void *bytes, size_t len)
{
	struct rig *r = ctx;

	assert_true(len >= FRAME);
	assert_true(frame_decode(&r->answer, bytes));
	assert_int_equal(len, FRAME + r->answer.len);
	memcpy(r->text, (const uint8_t *)bytes + FRAME, r->answer.len);
	r->text[r->answer.len] = '\0';
	r->answers++;
	if (r->answer.kind == FRAME_HAVE && r->answer.extra)
		r->missing += r->answer.offset;
	else if (r->answer.kind == FRAME_HAVE)
		r->have += r->answer.offset;
	return 0;
}

static void on_owes(void *ctx)
{
	struct rig *r = ctx;

	r->owed++;
}

static void start(struct rig *r, uint64_t max_bytes)
{
	const struct store_options o = { "store", max_bytes, 4 };

	assert_int_equal(store_new(&r->store, &o), 0);
	assert_int_equal(tokens_open(&r->tokens, store_directory(r->store),
				     WHEN), 0);
	r->runs = runs_new(r->store, &r->report, 2);
	assert_non_null(r->runs);
	runs_use_tokens(r->runs, r->tokens);
}

static void end(struct rig *r)
{
	if (!r->runs)
		return;
	assert_int_equal(runs_count(r->runs), 0);
	runs_free(r->runs);
	tokens_free(r->tokens);
	store_free(r->store);
	r->runs = NULL;
}

/* another server for the same directory */
static void restart(struct rig *r)
{
	end(r);
	start(r, 0);
}

static int enter(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	if (!r || scratch_enter(&r->scratch))
		return 1;
	if (report_open(&r->report, -1, &server_reporter, false))
		return 1;
	start(r, 0);
	return 0;
}

static int leave(void **state)
{
	struct rig *r = *state;

	end(r);
	report_close(&r->report);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

static struct talk *talk_as(struct rig *r, const char *host,
			    const char *address)
{
	struct talk_options o = {
		.runs = r->runs, .report = &r->report,
		.peer = { host, WHEN, NULL, address },
		.answer = on_answer, .owes = on_owes, .ctx = r,
	};
	struct talk *t = talk_new(&o);

	assert_non_null(t);
	return t;
}

static struct talk *talk(struct rig *r)
{
	return talk_as(r, "192.0.2.1", "192.0.2.1");
}

/* --- what a sender says --------------------------------------------------- */

static void add_frame(struct bytes *b, struct frame f, const void *content)
{
	uint8_t raw[FRAME];

	frame_encode(&f, raw);
	add_bytes(b, raw, sizeof(raw));
	if (f.len)
		add_bytes(b, content, f.len);
}

static void add_begin(struct bytes *b, uint8_t token)
{
	const struct frame_hello h = { .token = { token }, .run = 7 };
	uint8_t raw[FRAME_HELLO];

	frame_hello_encode(&h, raw);
	add_frame(b, (struct frame){ .kind = FRAME_BEGIN,
				     .lane = FRAME_VERSION,
				     .len = sizeof(raw) }, raw);
}

static void add_open(struct bytes *b, uint32_t lane, uint32_t cpu,
		     uint64_t offset, uint64_t stored)
{
	struct net_header h = { .name = "sda", .cpu = cpu, .max_cpus = 2 };
	uint8_t raw[FRAME_LANE];

	frame_lane_encode(&h, stored, raw);
	add_frame(b, (struct frame){ .kind = FRAME_OPEN, .lane = lane,
				     .offset = offset, .len = sizeof(raw) },
		  raw);
}

static void add_start(struct bytes *b, uint32_t lanes)
{
	add_frame(b, (struct frame){ .kind = FRAME_START, .lane = lanes },
		  NULL);
}

/* all that begins a connection with one lane */
static void add_beginning(struct bytes *b, uint64_t offset, uint64_t stored)
{
	add_begin(b, 1);
	add_open(b, 0, 0, offset, stored);
	add_start(b, 1);
}

static void add_block(struct bytes *b, uint32_t lane, uint64_t offset,
		      const uint8_t *data, size_t len)
{
	add_frame(b, (struct frame){ .kind = FRAME_DATA, .lane = lane,
				     .offset = offset, .len = (uint32_t)len },
		  data);
}

static void add_end(struct bytes *b, const struct frame_totals *t)
{
	uint8_t raw[FRAME_TOTALS];

	frame_totals_encode(t, raw);
	add_frame(b, (struct frame){ .kind = FRAME_CLOSE,
				     .len = sizeof(raw), .extra = 5 }, raw);
	add_frame(b, (struct frame){ .kind = FRAME_END }, NULL);
}

/* says it in pieces, and hears acknowledgements */
static enum talk_state say(struct talk *t, const struct bytes *b, size_t step)
{
	enum talk_state state = TALK_ON;

	for (size_t at = 0; at < b->len && state == TALK_ON; at += step) {
		state = talk_add(t, b->data + at,
				 b->len - at < step ? b->len - at : step);
		if (state != TALK_ON || !talk_owes(t))
			continue;
		talk_mark(t);
		state = talk_acknowledge(t);
	}
	return state;
}

static struct bytes *records(uint32_t n)
{
	struct bytes *b = bytes_new();

	for (uint32_t i = 0; i < n; i++)
		add_record(b, &(struct event){ .magic = BLK_MAGIC | 7,
					       .version = 7, .sequence = i,
					       .payload = (uint8_t *)"note",
					       .pdu_len = 4 });
	return b;
}

static void check_stored(const void *want, size_t len)
{
	struct bytes *b = bytes_new();
	int fd = open(DIR "/sda.blktrace.0", O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, b->data, sizeof(b->data)), len);
	assert_memory_equal(b->data, want, len);
	close(fd);
	free(b);
}

/* --- good ones ------------------------------------------------------------ */

enum { RECORD = 52 };		/* bytes of one of records() */

/* a whole run, in pieces of any size */
static void check_run(struct rig *r, size_t step)
{
	struct bytes *b = bytes_new(), *data = records(20);
	const struct frame_totals t = { 20, data->len, 0, 0 };
	struct talk *to = talk(r);

	add_beginning(b, 0, 0);
	assert_int_equal(say(to, b, step), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_WELCOME);
	assert_int_equal(r->answer.extra, 0);
	assert_int_equal(talk_opens(to), 1);
	assert_true(talk_is_silent(to));
	b->len = 0;
	add_block(b, 0, 0, data->data, 5 * RECORD);
	add_block(b, 0, 5 * RECORD, data->data + 5 * RECORD, 15 * RECORD);
	assert_int_equal(say(to, b, step), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_ACK);
	assert_int_equal(r->answer.offset, 2);
	assert_false(talk_is_silent(to));
	b->len = 0;
	add_end(b, &t);
	assert_int_equal(say(to, b, step), TALK_DONE);
	assert_int_equal(r->answer.kind, FRAME_BYE);
	talk_free(to);
	check_stored(data->data, data->len);
	free(data);
	free(b);
}

static void test_run(void **state)
{
	static const size_t steps[] = { 1, 2, 7, 23, 24, 25, 1000, 65536 };
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		check_run(r, steps[i]);
		assert_int_equal(system("rm -r store/1* store/.runs/*"), 0);
		restart(r);
	}
}

/* one that goes on at another server, where the first has more than it said */
static void test_resume(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct talk *t = talk(r);

	hear(STDERR_FILENO);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 5 * RECORD);
	add_block(b, 0, 5 * RECORD, data->data + 5 * RECORD, 5 * RECORD);
	/* half a block, in the middle of a record */
	b->len -= RECORD + 10;
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->answer.offset, 1);
	talk_free(t);
	check_stored(data->data, 8 * RECORD);
	restart(r);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 5 * RECORD, 5 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_WELCOME);
	assert_int_equal(r->have, 3 * RECORD);
	check_stored(data->data, 8 * RECORD);
	b->len = 0;
	add_block(b, 0, 7 * RECORD, NULL, 0);
	add_block(b, 0, 8 * RECORD, data->data + 8 * RECORD, 12 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->answer.offset, 2);
	talk_free(t);
	check_stored(data->data, data->len);
	check_heard("*192.0.2.1: connection lost; its run waits for it\n*");
	free(data);
	free(b);
}

/* where what is there cannot be trusted, or is no records, it goes */
static void test_cut(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct talk *t = talk(r);
	FILE *f;

	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 10 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	f = fopen(DIR "/sda.blktrace.0", "a");
	assert_non_null(f);
	for (int i = 0; i < 300; i++)
		fputc(0, f);
	fclose(f);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, 2 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 8 * RECORD);
	check_stored(data->data, 10 * RECORD);
	talk_free(t);
	/* the sender says so */
	t = talk(r);
	b->len = 0;
	add_begin(b, 1);
	add_open(b, 0, 0, 5 * RECORD, 5 * RECORD);
	b->data[b->len - FRAME_LANE - 4] = 1;
	add_start(b, 1);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 8 * RECORD);
	check_stored(data->data, 5 * RECORD);
	talk_free(t);
	/* the machine was started anew */
	assert_int_equal(system("sed -i '/boot/d' store/.runs/*"), 0);
	restart(r);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, 2 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 8 * RECORD);
	check_stored(data->data, 2 * RECORD);
	talk_free(t);
	free(data);
	free(b);
}

/* so much is read for a sender, and no more */
static void test_read_bound(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(2);
	struct talk *t = talk(r);

	add_begin(b, 1);
	add_open(b, 0, 0, 0, 0);
	add_open(b, 1, 1, 0, 0);
	add_start(b, 2);
	add_block(b, 1, 0, data->data, data->len);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	assert_int_equal(truncate(DIR "/sda.blktrace.0", RUN_EXTRA_MAX), 0);
	t = talk(r);
	b->len = 0;
	add_begin(b, 1);
	add_open(b, 0, 0, 0, 0);
	add_open(b, 1, 1, 0, 0);
	add_start(b, 2);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 0);
	talk_free(t);
	check_text(DIR "/sda.blktrace.0", "");
	check_text(DIR "/sda.blktrace.1", "");
	free(data);
	free(b);
}

/* it ended, but its sender has not heard so */
static void test_ended(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new();
	const struct frame_totals t = { .records = 0 };
	struct talk *to = talk(r);

	add_beginning(b, 0, 0);
	add_end(b, &t);
	assert_int_equal(say(to, b, 1000), TALK_DONE);
	talk_free(to);
	restart(r);
	to = talk(r);
	b->len = 0;
	add_beginning(b, 0, 0);
	assert_int_equal(say(to, b, 1000), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_WELCOME);
	assert_int_equal(r->answer.extra, 1);
	assert_false(talk_is_silent(to));
	b->len = 0;
	add_frame(b, (struct frame){ .kind = FRAME_END }, NULL);
	assert_int_equal(say(to, b, 1000), TALK_DONE);
	assert_int_equal(r->answer.kind, FRAME_BYE);
	talk_free(to);
	free(b);
}

/* the sender is back before we know that it was away */
static void test_taken(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(4);
	struct talk *old = talk(r), *new;

	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, RECORD);
	add_block(b, 0, RECORD, data->data + RECORD, RECORD);
	b->len -= 10;
	assert_int_equal(say(old, b, 1000), TALK_ON);
	new = talk(r);
	b->len = 0;
	add_beginning(b, RECORD, RECORD);
	add_block(b, 0, RECORD, data->data + RECORD, 3 * RECORD);
	assert_int_equal(say(new, b, 1000), TALK_ON);
	assert_int_equal(runs_count(r->runs), 1);
	b->len = 0;
	add_block(b, 0, 0, data->data, RECORD);
	assert_int_equal(say(old, b, 1000), TALK_BAD);
	assert_string_equal(r->text, "its sender has another connection");
	talk_free(old);
	talk_free(new);
	check_stored(data->data, data->len);
	free(data);
	free(b);
}

/* what the sender had no room for leaves a gap of offsets, and none in the file */
static void test_gap(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(3);
	const struct frame_totals t = { 10, 10 * RECORD, 7, 7 * RECORD };
	struct talk *to = talk(r);

	hear(STDERR_FILENO);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, RECORD);
	add_block(b, 0, 8 * RECORD, data->data + RECORD, 2 * RECORD);
	assert_int_equal(say(to, b, 1000), TALK_ON);
	b->len = 0;
	add_end(b, &t);
	assert_int_equal(say(to, b, 1000), TALK_DONE);
	check_heard("*192.0.2.1:sda: CPU 0: 364 bytes do not come: the"
		    " sender's spool was full\n"
		    "*sda.blktrace.0: 7 records (364 bytes) did not come: the"
		    " sender's spool was full\n*");
	talk_free(to);
	check_stored(data->data, data->len);
	free(data);
	free(b);
}

/* the disk has lost what was acknowledged, or somebody has removed it */
static void test_missing(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(3);
	struct talk *t = talk(r);

	hear(STDERR_FILENO);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 2 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	assert_int_equal(truncate(DIR "/sda.blktrace.0", RECORD), 0);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, 2 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->missing, RECORD);
	/* the sender counts as we do from now on, and nothing comes twice */
	b->len = 0;
	add_block(b, 0, 2 * RECORD, data->data + 2 * RECORD, RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, RECORD);
	talk_free(t);
	assert_int_equal(system("rm -r " DIR), 0);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, 2 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->missing, 3 * RECORD);
	check_heard("*192.0.2.1: 104 bytes that were acknowledged are"
		    " missing*");
	talk_free(t);
	free(data);
	free(b);
}

/* a run is its sender's; an address may change, a name may not */
static void test_strangers(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new();
	struct talk *t = talk_as(r, "web1", "192.0.2.1");

	add_beginning(b, 0, 0);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	t = talk_as(r, "web2", "192.0.2.1");
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(r->text, "run 7: it is another sender's run");
	talk_free(t);
	t = talk_as(r, "web1", "192.0.2.99");
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	free(b);
}

static void test_card(void **state)
{
	const struct frame large = { .kind = FRAME_DATA, .offset = 15,
				     .len = NET_CARD_MAX + 1 };
	struct rig *r = *state;
	struct bytes *b = bytes_new();
	struct talk *t = talk(r);

	add_begin(b, 1);
	add_open(b, 0, NET_CPU_CARD, 0, 0);
	add_start(b, 1);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_true(talk_is_silent(t));
	b->len = 0;
	add_block(b, 0, 0, (const uint8_t *)"{\"a\":1}", 7);
	add_block(b, 0, 7, (const uint8_t *)"{\"b\":12}", 8);
	assert_int_equal(say(t, b, 3), TALK_ON);
	assert_false(talk_is_silent(t));
	check_text(DIR "/sda.blktrace.json", "{\"b\":12}");
	b->len = 0;
	add_block(b, 0, 15, NULL, 0);
	frame_encode(&large, b->data);
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	talk_free(t);
	free(b);
}

/* --- packed runs ---------------------------------------------------------- */

/* what the packed file has of a CPU */
static void check_packed(uint32_t cpu, const void *want, size_t len)
{
	struct pack_list l;
	struct bytes *b;
	char name[32];

	snprintf(name, sizeof(name), "sda.blktrace.%u", cpu);
	b = unpack_member(DIR "/sda.btz", name, &l);
	assert_non_null(b);
	assert_int_equal(b->len, len);
	assert_memory_equal(b->data, want, len);
	pack_list_free(&l);
	free(b);
}

/* a second later */
static void wait_for_put(struct rig *r)
{
	int64_t left = runs_deadline(r->runs) - time_now_ms();

	assert_true(left <= RUN_GATHER_MS);
	if (left > 0)
		usleep((useconds_t)left * 1000);
	runs_put_due(r->runs);
	assert_true(runs_deadline(r->runs) == INT64_MAX);
}

static enum talk_state acknowledge(struct talk *t)
{
	assert_true(talk_owes(t));
	talk_mark(t);
	return talk_acknowledge(t);
}

/* What is acknowledged has been put: after a second, or at the end. */
static void test_packed(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	const struct frame_totals totals = { 20, data->len, 0, 0 };
	struct talk *t = talk(r);

	runs_pack(r->runs);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 5 * RECORD);
	add_block(b, 0, 5 * RECORD, data->data + 5 * RECORD, 5 * RECORD);
	b->len -= 7;
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_WELCOME);
	assert_false(talk_owes(t));
	wait_for_put(r);
	check_packed(0, data->data, 9 * RECORD);
	assert_int_equal(r->owed, 1);
	assert_int_equal(acknowledge(t), TALK_ON);
	assert_int_equal(r->answer.offset, 1);
	b->len = 0;
	add_bytes(b, data->data + 10 * RECORD - 7, 7);
	add_block(b, 0, 10 * RECORD, data->data + 10 * RECORD, 10 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->answer.offset, 1);
	b->len = 0;
	add_end(b, &totals);
	assert_int_equal(say(t, b, 1000), TALK_DONE);
	talk_free(t);
	check_packed(0, data->data, data->len);
	check_packed(1, NULL, 0);
	assert_int_equal(access(DIR "/sda.blktrace.0", F_OK), -1);
	free(data);
	free(b);
}

/* --- packed blocks -------------------------------------------------------- */

static int keep_block(void *ctx, const struct pack_header *h,
		      const uint8_t *block, size_t len)
{
	(void)h;
	add_bytes(ctx, block, len);
	return 0;
}

/* whole records as a client packs them */
static struct bytes *pack(const uint8_t *data, size_t len)
{
	struct bytes *b = bytes_new();
	struct packer *p = packer_new(&(struct packer_options){
			.name = "", .put = keep_block, .ctx = b });

	assert_int_equal(packer_add(p, data, len, true), len);
	assert_int_equal(packer_flush(p), 0);
	packer_free(p);
	return b;
}

static void add_packed(struct bytes *b, uint64_t offset, const uint8_t *data,
		       size_t len)
{
	struct bytes *packed = pack(data, len);

	add_frame(b, (struct frame){ .kind = FRAME_PACKED, .offset = offset,
				     .len = (uint32_t)packed->len,
				     .extra = (uint32_t)len }, packed->data);
	free(packed);
}

/* a beginning of one that may send them */
static void add_packed_beginning(struct bytes *b, uint64_t stored)
{
	struct frame f;

	add_beginning(b, stored, stored);
	assert_true(frame_decode(&f, b->data));
	f.extra = FRAME_TAKES_PACKED;
	frame_encode(&f, b->data);
}

/* in pieces of any size; what is stored is plain, or not */
static void check_packed_frames(struct rig *r, size_t step, bool packs)
{
	struct bytes *b = bytes_new(), *data = records(20);
	const struct frame_totals t = { 20, data->len, 0, 0 };
	struct talk *to = talk(r);

	if (packs)
		runs_pack(r->runs);
	add_packed_beginning(b, 0);
	assert_int_equal(say(to, b, step), TALK_ON);
	assert_int_equal(r->answer.kind, FRAME_WELCOME);
	assert_int_equal(r->answer.lane, FRAME_TAKES_PACKED);
	b->len = 0;
	add_packed(b, 0, data->data, 5 * RECORD);
	add_block(b, 0, 5 * RECORD, data->data + 5 * RECORD, 5 * RECORD);
	add_packed(b, 10 * RECORD, data->data + 10 * RECORD, 10 * RECORD);
	assert_int_equal(say(to, b, step), TALK_ON);
	b->len = 0;
	add_end(b, &t);
	assert_int_equal(say(to, b, step), TALK_DONE);
	talk_free(to);
	if (packs)
		check_packed(0, data->data, data->len);
	else
		check_stored(data->data, data->len);
	free(data);
	free(b);
}

static void test_packed_frames(void **state)
{
	static const size_t steps[] = { 1, 7, 24, 1000, 65536 };
	struct rig *r = *state;

	for (size_t i = 0; i < 2 * sizeof(steps) / sizeof(*steps); i++) {
		check_packed_frames(r, steps[i / 2], i % 2);
		assert_int_equal(system("rm -r store/1* store/.runs/*"), 0);
		restart(r);
	}
}

/* the first packed block of a run, which ends it */
static void check_bad_packed(struct rig *r, const struct bytes *packed,
			     uint32_t len, uint32_t extra, const char *why)
{
	struct bytes *b = bytes_new();
	struct talk *t = talk(r);

	add_packed_beginning(b, 0);
	add_frame(b, (struct frame){ .kind = FRAME_PACKED,
				     .len = (uint32_t)packed->len,
				     .extra = extra }, packed->data);
	frame_encode(&(struct frame){ .kind = FRAME_PACKED, .len = len,
				      .extra = extra },
		     b->data + b->len - packed->len - FRAME);
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(r->text, why);
	talk_free(t);
	check_stored("", 0);
	free(b);
}

static void test_bad_packed(void **state)
{
	struct rig *r = *state;
	struct bytes *data = records(20), *b = pack(data->data, data->len);
	struct bytes *begin = bytes_new();
	uint32_t len = (uint32_t)b->len, extra = (uint32_t)data->len;
	struct talk *t = talk(r);

	check_bad_packed(r, b, len, extra - 1,
			 "a packed block has other bytes than announced");
	check_bad_packed(r, b, len, extra + 1,
			 "packed blocks have fewer bytes than announced");
	check_bad_packed(r, b, len - 1, extra, "a packed block is cut short");
	check_bad_packed(r, b, len, FRAME_PACKED_MAX + 1, "bad length");
	check_bad_packed(r, b, 1, 200, "bad length");
	b->data[b->len - 5] ^= 1;
	check_bad_packed(r, b, len, extra, "a packed block is damaged");
	b->data[30] ^= 1;
	check_bad_packed(r, b, len, extra,
			 "the header of a packed block is damaged");
	add_zeros(b, 9);
	b->data[0] = 0;
	check_bad_packed(r, b, len, extra, "no packed block");
	/* to a server that was not asked */
	add_beginning(begin, 0, 0);
	add_packed(begin, 0, data->data, data->len);
	assert_int_equal(say(t, begin, 1000), TALK_BAD);
	assert_string_equal(r->text, "a frame that is not expected");
	talk_free(t);
	free(begin);
	free(data);
	free(b);
}

/* --- packed runs that go on ----------------------------------------------- */

/* a server that is killed here, where its files are saved, is replaced */
static void save(void)
{
	assert_int_equal(system("cp -a store saved"), 0);
}

static void be_killed(struct rig *r, struct talk *t)
{
	talk_free(t);
	end(r);
	assert_int_equal(system("rm -r store && mv saved store"), 0);
	start(r, 0);
}

/* The next server goes on with the packed file, whether it packs or not; and
 * what the first has put and not acknowledged does not come again. */
static void test_packed_resume(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct talk *t = talk(r);

	runs_pack(r->runs);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 5 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	wait_for_put(r);
	assert_int_equal(acknowledge(t), TALK_ON);
	b->len = 0;
	add_block(b, 0, 5 * RECORD, data->data + 5 * RECORD, 3 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	wait_for_put(r);
	save();
	be_killed(r, t);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 5 * RECORD, 5 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 3 * RECORD);
	b->len = 0;
	add_block(b, 0, 8 * RECORD, data->data + 8 * RECORD, 12 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	check_packed(0, data->data, data->len);
	free(data);
	free(b);
}

/* What cannot be cut off is skipped when it comes again. */
static void test_packed_again(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct frame open;
	struct talk *t = talk(r);

	runs_pack(r->runs);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 10 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 2 * RECORD, 2 * RECORD);
	/* the sender has dropped the third and fourth, and does not know */
	assert_true(frame_decode(&open, b->data + FRAME + FRAME_HELLO));
	open.extra = 1;
	frame_encode(&open, b->data + FRAME + FRAME_HELLO);
	add_block(b, 0, 4 * RECORD, data->data + 4 * RECORD, 3 * RECORD);
	add_block(b, 0, 7 * RECORD, data->data + 7 * RECORD, 6 * RECORD);
	add_block(b, 0, 13 * RECORD, data->data + 13 * RECORD, 7 * RECORD);
	r->have = 0;
	assert_int_equal(say(t, b, 1000), TALK_ON);
	assert_int_equal(r->have, 0);
	talk_free(t);
	check_packed(0, data->data, data->len);
	free(data);
	free(b);
}

/* Where it cannot be put, it is not acknowledged, also long after it came. */
static void test_packed_full(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct talk *t;

	end(r);
	start(r, 100);
	runs_pack(r->runs);
	t = talk(r);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, data->len);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	wait_for_put(r);
	assert_int_equal(acknowledge(t), TALK_BAD);
	assert_string_equal(r->text, "cannot store: --max-bytes is reached");
	talk_free(t);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, data->len);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	b->len = 0;
	add_end(b, &(struct frame_totals){ .records = 20 });
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(r->text, "cannot store: --max-bytes is reached");
	talk_free(t);
	free(data);
	free(b);
}

/* A run that has plain files keeps them. */
static void test_packed_later(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(20);
	struct talk *t = talk(r);

	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 10 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	restart(r);
	runs_pack(r->runs);
	t = talk(r);
	b->len = 0;
	add_beginning(b, 10 * RECORD, 10 * RECORD);
	add_block(b, 0, 10 * RECORD, data->data + 10 * RECORD, 10 * RECORD);
	assert_int_equal(say(t, b, 1000), TALK_ON);
	talk_free(t);
	check_stored(data->data, data->len);
	free(data);
	free(b);
}

/* the last card counts, which is there at once */
static void test_packed_card(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new();
	struct talk *t = talk(r);
	struct pack_list l;

	runs_pack(r->runs);
	add_begin(b, 1);
	add_open(b, 0, NET_CPU_CARD, 0, 0);
	add_start(b, 1);
	add_block(b, 0, 0, (const uint8_t *)"{\"a\":1}", 7);
	add_block(b, 0, 7, (const uint8_t *)"{\"b\":12}", 8);
	assert_int_equal(say(t, b, 3), TALK_ON);
	assert_int_equal(r->answer.offset, 2);
	b->len = 0;
	free(b);
	b = unpack_member(DIR "/sda.btz", "sda.blktrace.json", &l);
	assert_int_equal(b->len, 8);
	assert_memory_equal(b->data, "{\"b\":12}", 8);
	pack_list_free(&l);
	talk_free(t);
	free(b);
}

/* --- bad ones ------------------------------------------------------------- */

/* what follows a good beginning of one lane, and ends it */
static void check_bad(struct rig *r, const struct frame *f, const char *why)
{
	static const uint8_t content[64];
	struct bytes *b = bytes_new();
	struct talk *t = talk(r);

	add_beginning(b, 100, 0);
	add_frame(b, (struct frame){ f->kind, f->lane, f->offset,
				     f->len > 64 ? 0 : f->len, f->extra },
		  content);
	/* the length as it is meant */
	frame_encode(f, b->data + b->len - FRAME -
		     (f->len > 64 ? 0 : f->len));
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(talk_error(t), why);
	assert_int_equal(r->answer.kind, FRAME_REFUSAL);
	assert_string_equal(r->text, why);
	talk_free(t);
	free(b);
}

static void test_bad_frames(void **state)
{
	static const char odd[] = "a frame that is not expected";
	static const struct {
		struct frame f;
		const char *why;
	} rows[] = {
		{ { FRAME_BEGIN, 1, 0, FRAME_HELLO, 0 }, odd },
		{ { FRAME_OPEN, 1, 0, FRAME_LANE, 0 }, odd },
		{ { FRAME_START, 1, 0, 0, 0 }, odd },
		{ { FRAME_ACK, 0, 0, 0, 0 }, odd },
		{ { FRAME_BYE, 0, 0, 0, 0 }, odd },
		{ { FRAME_END, 0, 0, 1, 0 }, odd },
		{ { FRAME_CLOSE, 0, 0, 3, 0 }, odd },
		{ { FRAME_CLOSE, 1, 0, FRAME_TOTALS, 0 },
		  "a lane is closed that was not opened" },
		{ { FRAME_DATA, 1, 100, 10, 0 },
		  "data of a lane that was not opened" },
		{ { FRAME_DATA, 0, 99, 10, 0 }, "data comes twice" },
		{ { FRAME_DATA, 0, 100, 0x80000000, 0 }, "bad length" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_bad(*state, &rows[i].f, rows[i].why);
}

/* a beginning that is refused */
static void check_refused(struct rig *r, struct bytes *b, const char *why)
{
	struct talk *t = talk(r);

	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(r->text, why);
	talk_free(t);
	b->len = 0;
}

static void test_bad_beginnings(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new();

	add_start(b, 1);
	check_refused(r, b, "a frame that is not expected");
	add_bytes(b, "BLKx01234567890123456789", FRAME);
	check_refused(r, b, "bad magic");
	add_begin(b, 1);
	b->data[4] = 2;
	check_refused(r, b, "version 2 of the protocol is unknown here");
	add_begin(b, 1);
	add_start(b, 0);
	check_refused(r, b, "bad number of lanes");
	add_begin(b, 1);
	add_open(b, 1, 0, 0, 0);
	check_refused(r, b, "bad number of a lane");
	add_begin(b, 1);
	add_open(b, 0, 2, 0, 0);
	check_refused(r, b, "bad CPU");
	add_begin(b, 1);
	add_open(b, 0, 0, 0, 0);
	b->data[b->len - FRAME_LANE] = '/';
	check_refused(r, b, "bad device name");
	add_begin(b, 1);
	add_open(b, 0, 0, 0, 0);
	add_open(b, 1, 0, 0, 0);
	check_refused(r, b, "sda, CPU 0: already open");
	free(b);
}

/* as many runs as there may be, and more bytes than may be stored */
static void test_limits(void **state)
{
	struct rig *r = *state;
	struct bytes *b = bytes_new(), *data = records(4);
	struct talk *one = talk(r), *two = talk(r);

	add_begin(b, 1);
	assert_int_equal(say(one, b, 1000), TALK_ON);
	b->len = 0;
	add_begin(b, 2);
	assert_int_equal(say(two, b, 1000), TALK_ON);
	b->len = 0;
	add_begin(b, 3);
	check_refused(r, b, "run 7: too many clients");
	talk_free(one);
	talk_free(two);
	end(r);
	start(r, 3 * RECORD + 20);
	add_beginning(b, 0, 0);
	add_block(b, 0, 0, data->data, 2 * RECORD);
	add_block(b, 0, 2 * RECORD, data->data + 2 * RECORD, 2 * RECORD);
	one = talk(r);
	assert_int_equal(say(one, b, 150), TALK_BAD);
	assert_string_equal(r->text, "cannot store: --max-bytes is reached");
	talk_free(one);
	check_stored(data->data, 3 * RECORD);
	free(data);
	free(b);
}

/* skipped without libzstd */
static void not_built(void **state)
{
	(void)state;
	skip();
}

#define RUN_PACKED(f) { #f, frame_built() ? f : not_built, enter, leave, NULL }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_run, enter, leave),
		cmocka_unit_test_setup_teardown(test_resume, enter, leave),
		cmocka_unit_test_setup_teardown(test_cut, enter, leave),
		cmocka_unit_test_setup_teardown(test_read_bound, enter, leave),
		cmocka_unit_test_setup_teardown(test_ended, enter, leave),
		cmocka_unit_test_setup_teardown(test_taken, enter, leave),
		cmocka_unit_test_setup_teardown(test_gap, enter, leave),
		cmocka_unit_test_setup_teardown(test_missing, enter, leave),
		cmocka_unit_test_setup_teardown(test_strangers, enter, leave),
		cmocka_unit_test_setup_teardown(test_card, enter, leave),
		cmocka_unit_test_setup_teardown(test_bad_frames, enter, leave),
		cmocka_unit_test_setup_teardown(test_bad_beginnings, enter,
						leave),
		cmocka_unit_test_setup_teardown(test_limits, enter, leave),
		RUN_PACKED(test_packed),
		RUN_PACKED(test_packed_resume),
		RUN_PACKED(test_packed_again),
		RUN_PACKED(test_packed_full),
		RUN_PACKED(test_packed_later),
		RUN_PACKED(test_packed_card),
		RUN_PACKED(test_packed_frames),
		RUN_PACKED(test_bad_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
