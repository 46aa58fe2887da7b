/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packs files of a trace in memory and unpacks them, and does the same with zlib
 * at level 1, as `blktrace --gzip` does: CPU time and bytes an event, the best of
 * some rounds.  Exit 1 if packing needs more than it may beside gzip.
 *
 *	bench/pack FILE...
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/msg.h"
#include "blktrace.h"
#include "pack/format.h"
#include "pack/packer.h"
#include "pack/unpacker.h"

enum { ROUNDS = 7, PIECE = 65536 };

/* of gzip's */
#define SIZE_ALLOWED 0.40
#define TIME_ALLOWED 0.25

struct bytes {
	uint8_t *p;
	size_t len, size;
};

/* ns of CPU time, and bytes; the best of all rounds, summed over files */
struct cost {
	double pack, unpack, bytes;
};

static void *room(struct bytes *b, size_t more)
{
	if (b->len + more > b->size) {
		b->size = 2 * (b->len + more);
		b->p = realloc(b->p, b->size);
		if (!b->p)
			msg_die("out of memory");
	}
	return b->p + b->len;
}

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void read_file(struct bytes *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t n = 1;

	if (!f)
		msg_die("cannot read %s:", path);
	while (n) {
		n = fread(room(b, PIECE), 1, PIECE, f);
		b->len += n;
	}
	fclose(f);
}

/* --- packed --------------------------------------------------------------- */

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct bytes *to = ctx;

	(void)h;
	memcpy(room(to, len), block, len);
	to->len += len;
	return 0;
}

static void pack(const struct bytes *from, struct bytes *to)
{
	struct packer *p = packer_new(&(struct packer_options){
			.name = "sda.blktrace.0", .put = put, .ctx = to });

	if (!p || packer_add(p, from->p, from->len, true) < 0 || packer_end(p))
		msg_die("cannot pack");
	packer_free(p);
}

/* Unpacks where the reader's buffer would be; the bytes. */
static size_t unpack(const struct bytes *from)
{
	static uint8_t buf[PIECE];
	struct unpacker *u = unpacker_new();
	struct pack_header h;
	const char *why;
	size_t done = 0;

	for (size_t at = 0; at < from->len; at += pack_block_size(&h)) {
		int head = pack_header_get(&h, from->p + at, from->len - at,
					   &why);
		ssize_t n = 1;

		if (!u || head <= 0 ||
		    unpacker_begin(u, &h, from->p + at + head))
			msg_die("cannot unpack");
		while ((n = unpacker_read(u, buf, sizeof(buf))) > 0)
			done += (size_t)n;
	}
	unpacker_free(u);
	return done;
}

/* --- gzip'd --------------------------------------------------------------- */

static void deflate_all(const struct bytes *from, struct bytes *to)
{
	uLongf len = compressBound(from->len);

	room(to, len);
	if (compress2(to->p, &len, from->p, from->len, 1) != Z_OK)
		msg_die("cannot deflate");
	to->len = len;
}

static size_t inflate_all(const struct bytes *from)
{
	static uint8_t buf[PIECE];
	z_stream z = { .next_in = from->p, .avail_in = (uInt)from->len };
	int got = inflateInit(&z);

	while (got == Z_OK) {
		z.next_out = buf;
		z.avail_out = sizeof(buf);
		got = inflate(&z, Z_NO_FLUSH);
	}
	inflateEnd(&z);
	return z.total_out;
}

/* --- both ----------------------------------------------------------------- */

static double least(double a, double b)
{
	return a && a < b ? a : b;
}

static void measure(const struct bytes *from,
		    void (*in)(const struct bytes *, struct bytes *),
		    size_t (*out)(const struct bytes *), struct cost *sum)
{
	struct cost best = { 0 };
	struct bytes to = { NULL };

	for (int i = 0; i < ROUNDS; i++) {
		double start = cpu(), middle;

		to.len = 0;
		in(from, &to);
		middle = cpu();
		if (out(&to) != from->len)
			msg_die("not the same bytes");
		best.pack = least(best.pack, middle - start);
		best.unpack = least(best.unpack, cpu() - middle);
	}
	sum->pack += best.pack;
	sum->unpack += best.unpack;
	sum->bytes += (double)to.len;
	free(to.p);
}

static bool row(const char *what, double ours, double gzip, double events,
		double allowed)
{
	bool fine = ours <= allowed * gzip;

	printf("%-22s %8.2f %8.2f %8.3f  %.2f  %s\n", what, ours / events,
	       gzip / events, ours / gzip, allowed, fine ? "ok" : "OVER");
	return fine;
}

int main(int argc, char **argv)
{
	struct cost ours = { 0 }, gzip = { 0 };
	double events = 0;
	bool fine = true;

	for (int i = 1; i < argc; i++) {
		struct bytes file = { NULL };

		read_file(&file, argv[i]);
		events += (double)file.len / BLK_HEADER_7;
		measure(&file, pack, unpack, &ours);
		measure(&file, deflate_all, inflate_all, &gzip);
		free(file.p);
	}
	printf("an event of 48 bytes     packed     gzip    ratio  most\n");
	fine &= row("bytes", ours.bytes, gzip.bytes, events, SIZE_ALLOWED);
	fine &= row("ns to pack", ours.pack, gzip.pack, events, TIME_ALLOWED);
	fine &= row("ns to unpack", ours.unpack, gzip.unpack, events,
		    TIME_ALLOWED);
	return !fine;
}
