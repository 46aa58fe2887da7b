/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packed traces for libFuzzer.  The first byte of an input chooses:
 *
 *	0	the others are a packed stream, read whole and in pieces: both
 *		must have the same bytes and damage
 *	1	a header's fields and the columns of a block, which is then
 *		whole, with right checksums
 *	2	a file, which must come back the same, packed and unpacked
 *	3	the columns of an index, by which that file is read
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "file/hooks.h"
#include "file/source.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/packer.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIELDS = 40 };

/* packed bytes */
struct packed {
	uint8_t *bytes;
	size_t len;
};

static int append(void *ctx, const uint8_t *block, size_t len, uint64_t *at)
{
	struct packed *to = ctx;

	to->bytes = realloc(to->bytes, to->len + len);
	must(to->bytes != NULL);
	memcpy(to->bytes + to->len, block, len);
	*at = to->len;
	to->len += len;
	return 0;
}

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	(void)h;
	return append(ctx, block, len, &(uint64_t){ 0 });
}

/* --- reading -------------------------------------------------------------- */

/* what reading gave, and of packed bytes a bound of how much that is */
struct tale {
	unsigned long sum, damage;
	uint64_t bytes;
};

static void add_damage(struct tale *t, const struct damage *d)
{
	uint64_t where[2] = { d->at, d->lost };

	t->damage = crc32(t->damage, (const uint8_t *)where, sizeof(where));
	t->damage = crc32(t->damage, (const uint8_t *)d->what,
			  (unsigned int)strlen(d->what));
}

static void read_all(struct source *s, struct tale *t)
{
	uint8_t buf[4096];
	ssize_t n;

	while ((n = source_read(s, buf, sizeof(buf)))) {
		if (n == -EUCLEAN)
			add_damage(t, source_damage(s));
		if (n == -EUCLEAN || n == -EAGAIN)
			continue;
		if (n < 0)
			break;
		t->sum = crc32(t->sum, buf, (unsigned int)n);
		t->bytes += (uint64_t)n;
	}
	source_close(s);
}

static void read_stream(const uint8_t *data, size_t size)
{
	struct tale whole = { 0 }, pieces = { 0 };
	struct source *s = NULL;

	if (!pack_is(data, size))	/* gzip fails earlier in pieces */
		return;
	must(!source_memory(&s, data, size));
	read_all(s, &whole);
	must(!trickle_open(&s, data, size, 7));
	read_all(s, &pieces);
	must(!memcmp(&whole, &pieces, sizeof(whole)));
}

/* --- a made block --------------------------------------------------------- */

static uint32_t field(const uint8_t *data, unsigned int i)
{
	uint32_t v;

	memcpy(&v, data + 4 * i, sizeof(v));
	return v;
}

static void add_frame(struct packed *to, const uint8_t *data, size_t size)
{
	static struct frame_packer *f;
	const struct iovec part = { (void *)data, size };
	size_t room = frame_bound(size, 1);

	if (!f)
		f = frame_packer_new();
	to->bytes = realloc(to->bytes, to->len + room);
	must(to->bytes != NULL);
	to->len += (size_t)frame_pack(f, &part, 1, to->bytes + to->len, room);
}

static void add_block(struct packed *to, struct pack_header *h,
		      const uint8_t *notes, const uint8_t *columns)
{
	uint8_t head[PACK_HEADER_MAX];
	struct packed body = { NULL, 0 };

	if (h->notes)
		add_frame(&body, notes, h->notes_len);
	h->notes_packed = (uint32_t)body.len;
	add_frame(&body, columns, h->columns_len);
	h->columns_packed = (uint32_t)body.len - h->notes_packed;
	append(to, head, pack_header_put(h, head), &(uint64_t){ 0 });
	append(to, body.bytes, body.len, &(uint64_t){ 0 });
	free(body.bytes);
}

static void read_made(const uint8_t *data, size_t size)
{
	struct pack_header h = { .kind = data[0] % 3, .cpu = -1 };
	struct packed to = { NULL, 0 };
	struct tale t = { 0 };
	struct source *s = NULL;
	size_t rest = size - FIELDS;

	h.flags = data[1];
	h.at = field(data, 1);
	h.number = field(data, 2);
	h.len = field(data, 3);
	h.events = field(data, 4) % (PACK_EVENTS + 2);
	h.notes = field(data, 5) % (PACK_NOTES + 2);
	h.notes_len = h.notes ? (uint32_t)(field(data, 6) % (rest + 1)) : 0;
	h.columns_len = (uint32_t)rest - h.notes_len;
	add_block(&to, &h, data + FIELDS, data + FIELDS + h.notes_len);
	must(!source_memory(&s, to.bytes, to.len));
	read_all(s, &t);
	/* a record has at most a header and a payload of 65,535 bytes */
	must(t.bytes <= (uint64_t)(h.events + h.notes + 1) * 66000 + size);
	free(to.bytes);
}

/* --- files ---------------------------------------------------------------- */

static void pack_file(struct packed *to, const uint8_t *data, size_t size)
{
	struct packer *p = packer_new(&(struct packer_options){
			.name = "sda.blktrace.0", .put = put, .ctx = to });

	must(p && packer_add(p, data, size, true) == (ssize_t)size);
	must(!packer_end(p));
	packer_free(p);
}

static void round_trip(const uint8_t *data, size_t size)
{
	struct packed to = { NULL, 0 };
	struct tale t = { 0 };
	struct source *s = NULL;

	pack_file(&to, data, size);
	must(!source_memory(&s, to.bytes, to.len));
	read_all(s, &t);
	must(t.bytes == size && t.sum == crc32(0, data, (unsigned int)size));
	free(to.bytes);
}

/* Reads the file in the packed one at fd, from the start and from elsewhere. */
static void read_member(int fd, size_t size)
{
	struct tale t = { 0 };
	struct source *s = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d/sda.blktrace.0", fd);
	if (source_open(&s, path))
		return;
	if (size % 2)
		source_seek(s, size / 2);
	read_all(s, &t);
}

static void read_indexed(const uint8_t *data, size_t size)
{
	struct packed to = { NULL, 0 };
	struct pack_header h = { .kind = PACK_INDEX, .cpu = -1 };
	uint8_t end[PACK_HEADER_MAX];
	int fd = memfd_create("fuzz", 0);
	uint64_t at;

	pack_file(&to, data, size);
	at = to.len;
	h.number = data[0] % 4;
	h.columns_len = (uint32_t)(size - 1 - (size - 1) % INDEX_ENTRY);
	add_block(&to, &h, NULL, data + 1);
	h = (struct pack_header){ .kind = PACK_END, .at = at,
				  .number = h.columns_len / INDEX_ENTRY };
	append(&to, end, pack_header_put(&h, end), &at);
	must(write(fd, to.bytes, to.len) == (ssize_t)to.len);
	read_member(fd, size);
	close(fd);
	free(to.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (data[0] % 4 == 0)
		read_stream(data + 1, size - 1);
	else if (data[0] % 4 == 1 && size > FIELDS + 1)
		read_made(data + 1, size - 1);
	else if (data[0] % 4 == 2)
		round_trip(data + 1, size - 1);
	else if (data[0] % 4 == 3)
		read_indexed(data + 1, size - 1);
	return 0;
}
