/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Save files for libFuzzer: read whole and in pieces, which must give the same;
 * what was read is within its bounds, and written and read again it gives the
 * same bytes.
 *
 * An input is a byte for the size of pieces, and a save file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "stat/saved.h"
#include "stat/saved_reader.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* what a file came to */
struct outcome {
	int err;
	struct saved_fault fault;
	char *text;		/* written again */
	size_t len;
};

static int read_file(struct saved *s, const char *bytes, size_t len,
		     size_t piece, struct saved_fault *fault)
{
	struct saved_reader *r;
	int err;

	must(!saved_reader_new(&r, s));
	for (size_t at = 0; at < len; at += piece)
		saved_reader_add(r, bytes + at,
				 piece < len - at ? piece : len - at);
	err = saved_reader_end(r);
	*fault = saved_reader_fault(r);
	must(!err || (err == -EBADMSG && fault->what && fault->line));
	saved_reader_free(r);
	return err;
}

/* What numbers cannot make is not in there. */
static void check_histogram(const struct histogram *h)
{
	uint64_t sum = 0, count, last = 0;
	int cell = -1;

	must(h->count && h->min <= h->max);
	must(!wide_less(h->sum, wide_product(h->min, h->count)));
	must(!wide_less(wide_product(h->max, h->count), h->sum));
	while (histogram_next(h, &cell, &count))
		sum += count;
	must(sum == h->count);
	for (uint32_t p = 0; p <= HISTOGRAM_ALL; p += HISTOGRAM_ALL / 4) {
		uint64_t v = histogram_kth(h, histogram_rank(h->count, p));

		must(v >= last && v >= h->min && v <= h->max);
		last = v;
	}
}

static void write_file(struct saved *s, struct outcome *o)
{
	int fd = memfd_create("saved", 0);
	struct buf b;

	must(fd >= 0 && !buf_init(&b, fd, 65536));
	must(!saved_write(s, &b));
	buf_free(&b);
	o->len = (size_t)lseek(fd, 0, SEEK_END);
	o->text = malloc(o->len);
	must(o->text && pread(fd, o->text, o->len, 0) == (ssize_t)o->len);
	close(fd);
}

static struct outcome run(const char *bytes, size_t len, size_t piece)
{
	struct outcome o;
	struct saved_key key;
	struct saved *s;

	must(!saved_new(&s));
	o.err = read_file(s, bytes, len, piece, &o.fault);
	for (size_t i = 0; i < saved_histograms(s); i++)
		check_histogram(saved_histogram(s, i, &key));
	write_file(s, &o);
	saved_free(s);
	return o;
}

static void must_be_same(const struct outcome *a, const struct outcome *b)
{
	must(a->err == b->err && a->fault.what == b->fault.what);
	must(a->fault.line == b->fault.line);
	must(a->len == b->len && !memcmp(a->text, b->text, a->len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;
	struct outcome whole, pieces, again;

	if (!size)
		return 0;
	whole = run(bytes, size - 1, 1 << 20);
	pieces = run(bytes, size - 1, data[0] + (size_t)1);
	must_be_same(&whole, &pieces);
	again = run(whole.text, whole.len, 4096);
	must(!again.err && again.len == whole.len);
	must(!memcmp(again.text, whole.text, whole.len));
	free(whole.text);
	free(pieces.text);
	free(again.text);
	return 0;
}
