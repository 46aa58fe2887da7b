/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data for libFuzzer.  The first byte of an input chooses what the others
 * are:
 *
 *	0	a pipe's bytes, which come in pieces
 *	1	a file
 *	2	records that follow the description of three tracepoints
 *	3	the same, compressed
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/source.h"
#include "import/formats.h"
#include "pack/frame.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/receiver.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	ATTR = 64, TRACING_DATA = 66, COMPRESSED = 81,
	MOST = 60000,		/* bytes of a record's body */
	SAMPLE_TYPE = 1 << 16 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 10,
	SAMPLE_ID_ALL = 1 << 18,
	TRACEPOINT = 2,
};

struct text {
	uint8_t *bytes;
	size_t len;
};

static void append(struct text *t, const void *bytes, size_t len)
{
	t->bytes = realloc(t->bytes, t->len + len);
	must(t->bytes != NULL);
	memcpy(t->bytes + t->len, bytes, len);
	t->len += len;
}

static void append_number(struct text *t, uint64_t n, size_t size)
{
	append(t, &n, size);	/* a little-endian machine's */
}

static void append_record(struct text *t, uint32_t type, const void *body,
			  size_t len)
{
	append_number(t, type, 4);
	append_number(t, (uint64_t)(8 + len) << 16, 4);
	append(t, body, len);
}

/* --- three tracepoints ---------------------------------------------------- */

#define COMMON "format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define IO "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n" \
	"\tfield:char rwbs[8];\toffset:28;\tsize:8;\tsigned:1;\n"

static const char *const formats[] = {
	"name: block_bio_queue\nID: 1\n" COMMON IO
	"\tfield:char comm[16];\toffset:36;\tsize:16;\tsigned:1;\n\n",
	"name: block_rq_issue\nID: 2\n" COMMON IO
	"\tfield:unsigned int bytes;\toffset:36;\tsize:4;\tsigned:0;\n\n",
	"name: block_bio_remap\nID: 3\n" COMMON IO
	"\tfield:dev_t old_dev;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\tfield:sector_t old_sector;\toffset:40;\tsize:8;\tsigned:0;\n\n",
};

enum { EVENTS = sizeof(formats) / sizeof(*formats) };

static void append_attr(struct text *t, uint64_t id)
{
	uint64_t words[9] = { TRACEPOINT | (uint64_t)64 << 32, id, 1,
			      SAMPLE_TYPE, 0, SAMPLE_ID_ALL, 0, 0, id };

	append_record(t, ATTR, words, sizeof(words));
}

static void append_formats(struct text *t)
{
	static const char head[] = "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0"
				   "header_page\0\0\0\0\0\0\0\0\0"
				   "header_event\0\0\0\0\0\0\0\0\0"
				   "\0\0\0\0\1\0\0\0block";
	struct text of = { NULL, 0 };

	append(&of, head, sizeof(head));
	append_number(&of, EVENTS, 4);
	for (int i = 0; i < EVENTS; i++) {
		append_number(&of, strlen(formats[i]), 8);
		append(&of, formats[i], strlen(formats[i]));
	}
	append_record(t, TRACING_DATA, &(uint32_t){ (uint32_t)of.len }, 4);
	append(t, of.bytes, of.len);
	free(of.bytes);
}

static void append_start(struct text *t)
{
	append(t, "PERFILE2\x10\0\0\0\0\0\0", 16);
	for (uint64_t id = 1; id <= EVENTS; id++)
		append_attr(t, id);
	append_formats(t);
}

static void append_compressed(struct text *t, const uint8_t *data, size_t size)
{
	static struct frame_packer *f;
	const struct iovec part = { (void *)data, size };
	uint8_t packed[MOST];

	if (!f)
		f = frame_packer_new();
	append_record(t, COMPRESSED, packed,
		      (size_t)frame_pack(f, &part, 1, packed, sizeof(packed)));
}

/* --- reading -------------------------------------------------------------- */

static void read_pieces(const uint8_t *data, size_t size, size_t piece)
{
	struct received r;
	struct source *s;

	must(!trickle_open_steady(&s, data, size, piece));
	receive(import_format_named("perf"), s, &(struct import_options){ 0 },
		&r);
}

static void read_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	struct received r;
	struct source *s;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	lseek(fd, 0, SEEK_SET);
	must(!source_fd(&s, fd));
	receive(import_format_named("perf"), s, &(struct import_options){ 0 },
		&r);
	close(fd);
}

static void read_records(const uint8_t *data, size_t size, bool packed)
{
	struct text t = { NULL, 0 };

	append_start(&t);
	if (packed)
		append_compressed(&t, data, size);
	else
		append(&t, data, size);
	read_pieces(t.bytes, t.len, 4096);
	free(t.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > MOST / 2)
		return 0;
	if (data[0] % 4 == 0)
		read_pieces(data + 2, size - 2, data[1] + 1u);
	else if (data[0] % 4 == 1)
		read_file(data + 1, size - 1);
	else
		read_records(data + 1, size - 1, data[0] % 4 == 3);
	return 0;
}
