/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same made-up disks as traces: their events go through a file, a reader
 * and the joiner before anything is looked for.
 */
#include "base/array.h"
#include "findings/findings.h"
#include "made_recipes.h"
#include "place.h"
#include "request/ios.h"
#include "run/reader.h"

enum { DISK = 8 << 20, WHOLE = 1 << 20, RESENT = 100000 /* ns */ };

struct happened {
	struct event ev;
	uint64_t place;		/* among those of the same time */
	uint8_t payload[32];
};

struct history {
	struct happened *list;
	size_t count, size;
	uint32_t sequence[64];
};

static uint32_t ways(const struct made *m)
{
	return m->op == IO_READ ? CAT(READ) | CAT(SYNC) :
	       m->op == IO_DISCARD ? CAT(WRITE) | CAT(DISCARD) :
	       m->op == IO_FLUSH_OP ? CAT(FLUSH) : CAT(WRITE);
}

static struct happened *add(struct history *h, uint64_t time, uint32_t action,
			    const struct made *m)
{
	struct happened *list = array_reserve(h->list, h->count, &h->size,
					      1024, sizeof(*list));

	assert_non_null(list);
	h->list = list;
	list[h->count] = (struct happened){ .place = h->count, .ev = {
		.time = time, .action = action, .sector = m->sector,
		.bytes = (uint32_t)m->bytes, .pid = m->pid, .cpu = m->cpu,
		.device = DISK,
	} };
	return &list[h->count++];
}

static void queued(struct history *h, const struct made *m, uint32_t action,
		   uint64_t time)
{
	add(h, time, ACT(action, CAT(QUEUE) | ways(m)), m);
}

/* an io of 1 MiB before its first part; a cut behind each but the last */
static void add_cut(struct history *h, const struct made *m)
{
	uint32_t part = (uint32_t)(m->sector % 2048 / 256);
	struct made whole = *m;
	struct happened *x;

	whole.bytes = WHOLE;
	if (!part)
		queued(h, &whole, BLK_TA_QUEUE, m->queued);
	if (part == 7)
		return;
	x = add(h, m->queued, ACT(BLK_TA_SPLIT, CAT(QUEUE) | ways(m)), m);
	big64_to(x->payload, m->sector + 256);
	x->ev.pdu_len = 8;
}

static void add_served(struct history *h, const struct made *m, bool inserted)
{
	uint32_t issue = ACT(BLK_TA_ISSUE, CAT(ISSUE) | CAT(FS) | ways(m));
	struct happened *done;

	if (inserted && m->op != IO_FLUSH_OP)
		queued(h, m, BLK_TA_INSERT, m->inserted);
	add(h, m->issued, issue, m);
	if (m->requeued) {
		add(h, m->issued + RESENT / 5,
		    ACT(BLK_TA_REQUEUE, CAT(REQUEUE) | CAT(FS) | ways(m)), m);
		add(h, m->issued + RESENT, issue, m);
	}
	if (m->open)
		return;
	done = add(h, m->done,
		   ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(FS) | ways(m)), m);
	done->ev.cpu = m->cpu_done;
	done->ev.error = (uint16_t)-m->error;
}

/* a bio of a device that makes no requests */
static void add_bare(struct history *h, const struct made *m)
{
	queued(h, m, BLK_TA_QUEUE, m->queued);
	if (!m->open)
		add(h, m->done, ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | ways(m)),
		    m)->ev.cpu = m->cpu_done;
}

static void add_made(struct history *h, const struct made *m, bool inserted)
{
	if (m->part)
		add_cut(h, m);
	else if (m->op != IO_FLUSH_OP)
		queued(h, m, BLK_TA_QUEUE, m->queued);
	if (m->op != IO_FLUSH_OP)
		queued(h, m, BLK_TA_GETRQ, m->got);
	add_served(h, m, inserted);
}

static void add_note(struct history *h, uint64_t time, uint32_t nr,
		     uint32_t pid, const char *text)
{
	struct made m = { .pid = pid };
	struct happened *note = add(h, time, NOTE(nr), &m);

	snprintf((char *)note->payload, sizeof(note->payload), "%s", text);
	note->ev.pdu_len = nr == BLK_TN_PROCESS ? 16
						: (uint16_t)strlen(text);
}

static int by_time(const void *a, const void *b)
{
	const struct happened *x = a, *y = b;

	if (x->ev.time != y->ev.time)
		return x->ev.time < y->ev.time ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static struct history tell(const struct made_disk *d)
{
	static const uint32_t pids[] = { POSTGRES, RSYNC, JOURNAL, KWORKER };
	struct history h = { 0 };
	char text[32];
	uint32_t gone = 0;

	for (int i = 0; i < 4; i++)
		add_note(&h, 0, BLK_TN_PROCESS, pids[i],
			 made_name(NULL, 0, pids[i]));
	for (size_t i = 0; i < d->count; i++) {
		gone += d->list[i].gone ? 5 : 0;
		if (d->stacked)
			add_bare(&h, &d->list[i]);
		else if (!d->list[i].gone)
			add_made(&h, &d->list[i], !d->no_scheduler);
	}
	snprintf(text, sizeof(text), "blktrace: %u dropped", gone);
	if (gone)
		add_note(&h, LENGTH - 1, BLK_TN_MESSAGE, 0, text);
	if (d->ends)
		add_note(&h, d->ends, BLK_TN_MESSAGE, 0, "the end");
	qsort(h.list, h.count, sizeof(*h.list), by_time);
	return h;
}

/* all CPUs' records in one file, as blkparse -d writes it */
static void save(struct history *h, const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (size_t i = 0; i < h->count; i++) {
		struct happened *e = &h->list[i];
		uint8_t raw[BLK_HEADER_MAX];

		e->ev.sequence = ++h->sequence[e->ev.cpu];
		make_header(shape_of(V7), false, &e->ev, NULL, raw);
		fwrite(raw, 1, 48, f);
		fwrite(e->payload, 1, e->ev.pdu_len, f);
	}
	assert_int_equal(fclose(f), 0);
	free(h->list);
}

/* --- looking ------------------------------------------------------------- */

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

static struct findings *look_at(const char *path)
{
	struct reader_options o = { .window = WINDOW_ALL };
	struct findings_facts facts = { 0 };
	const struct device *disk = NULL;
	struct findings *f;
	const struct io *io;
	struct ios *ios;
	struct loss loss;
	int got;

	assert_int_equal(ios_open(&ios, &o), 0);
	assert_int_equal(reader_add(ios_reader(ios), path), 0);
	assert_int_equal(findings_new(&f, name_of, ios_reader(ios)), 0);
	while ((got = ios_next(ios, &io)) == 1) {
		disk = io->disk;
		assert_int_equal(findings_io(f, io), 0);
	}
	assert_int_equal(got, 0);
	reader_loss(ios_reader(ios), disk->id, &loss);
	facts.lost = facts.dropped = loss.missing;
	facts.missing = loss.missing / 5;
	assert_int_equal(findings_device(f, disk, &facts), 0);
	assert_int_equal(findings_end(f, 0, ios_time(ios)), 0);
	ios_close(ios);
	return f;
}

static struct findings *try(void (*make)(struct made_disk *),
			    void (*spoil)(struct made_disk *))
{
	struct made_disk d = made_plain(4711);
	struct history h;

	make(&d);
	made_run(&d);
	if (spoil)
		spoil(&d);
	h = tell(&d);
	made_free(&d);
	save(&h, "made.bin");
	return look_at("made.bin");
}

static void test_recipes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(made_recipes) / sizeof(made_recipes[0]);
	     i++) {
		const struct made_recipe *r = &made_recipes[i];
		struct findings *f = try(r->make, r->spoil);
		bool found = false;

		for (size_t k = 0; k < findings_count(f); k++)
			found |= findings_get(f, k)->rule == r->rule;
		if (!found)
			fail_msg("rule %d: not found", r->rule);
		findings_free(f);
	}
}

static void test_healthy(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct findings *f = try(made_healthy[i], NULL);

		if (findings_count(f))
			fail_msg("disk %d: found rule %d", i,
				 findings_get(f, 0)->rule);
		findings_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_recipes),
		PLACE_TEST(test_healthy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
