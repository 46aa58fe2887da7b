/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replay files for libFuzzer: read twice, which must give the same; every
 * bunch within its bounds, and the same bytes again when it is encoded.  And
 * whatever flushes there are: when each I/O has come back before the next is
 * sent, none has to wait.
 *
 * An input is a replay file, header and all.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tests/fuzz/must.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct bunch_reader *open_bytes(const uint8_t *data, size_t size)
{
	struct bunch_reader *r = NULL;
	char path[32];
	int fd = memfd_create("replay", 0), err;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = bunch_reader_open(&r, path);
	close(fd);
	must(err == (size == 0		      ? -ENODATA :
		     size < BUNCH_FILE_HEAD ? -EBADMSG :
					      0));
	return r;
}

/* The bytes of a bunch; without kinds, but for the padding of its packets. */
static void check_again(const struct bunch *b, const uint8_t *raw, bool kinds)
{
	static uint8_t again[BUNCH_BYTES];
	size_t len = bunch_encode(b, again);
	size_t same = BUNCH_PACKET - (kinds ? 0 : 4);

	must(b->count >= 1 && b->count <= BUNCH_MAX);
	must(!memcmp(again, raw, BUNCH_HEAD));
	for (size_t at = BUNCH_HEAD; at < len; at += BUNCH_PACKET)
		must(!memcmp(again + at, raw + at, same));
}

/* How it ends; *used is how many bytes are whole bunches. */
static int read_all(struct bunch_reader *r, const uint8_t *data, size_t *used)
{
	static struct bunch b;
	int got;

	*used = BUNCH_FILE_HEAD;
	while ((got = bunch_reader_next(r, &b)) > 0) {
		check_again(&b, data + *used, bunch_reader_header(r)->kinds);
		*used += bunch_size(&b);
		if (b.count % 2)
			bunch_reader_fill(r);
	}
	return got;
}

/* --- flushes ------------------------------------------------------------- */

static void never(struct order_item *i)
{
	must(!i);
}

static void send_all(struct order *o, struct bunch_reader *r,
		     const struct replay_options *options)
{
	struct order_place at = { .begun = false };
	struct order_item places[2];
	static struct bunch b;

	order_begin(o);
	while (bunch_reader_next(r, &b) > 0)
		for (uint32_t i = 0; i < b.count; i++) {
			const struct packet *p = &b.packets[i];
			unsigned int n = 0;

			if (order_read_counts(p, options))
				n = order_read_places(o, &at, b.time, p,
						      places);
			for (unsigned int j = 0; j < n; j++) {
				must(order_enter(o, &places[j]));
				order_leave(o, &places[j]);
			}
		}
	must(order_is_done(o));
}

static void check_order(struct bunch_reader *r, const struct scan *s,
			bool no_discard)
{
	const struct replay_options options = { .write = true,
						.no_discard = no_discard };
	struct job_file file = { .reader = r, .scan = *s };
	struct target target = { .fd = -1 };
	const struct job job = { .files = &file, .file_count = 1,
				 .targets = &target, .target_count = 1 };
	struct order *o;

	must(!order_read(&o, &job, 0, &options, never));
	must(!o == !s->kinds[KIND_FLUSH].ios);
	if (o)
		send_all(o, r, &options);
	order_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct region region = { .start = 100, .end = 1000 };
	struct scan s = { &region, 1, 5000, .bunches = 0 };
	struct bunch_reader *r = open_bytes(data, size);
	size_t used, again;
	int got;

	if (!r)
		return 0;
	got = read_all(r, data, &used);
	must(got || used == size);
	bunch_reader_rewind(r);
	must(read_all(r, data, &again) == got && again == used);
	bunch_reader_rewind(r);
	must((scan_read(&s, r) == -1) == (got < 0));
	must(region.writes <= region.ios);
	if (got >= 0)
		check_order(r, &s, data[size - 1] & 1);
	bunch_reader_close(r);
	return 0;
}
