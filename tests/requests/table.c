/* SPDX-License-Identifier: GPL-2.0-only */
/* See table.h. */
#include "tests/requests/table.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "blktrace.h"
#include "request/io.h"

/* when a number is there */
enum presence {
	ALWAYS,
	NOT_ZERO,
	NOT_NONE,		/* IO_NONE, or IO_NO_CPU */
	WITH_REQUEST,
	REMAPPED,
	NO_NUMBER		/* it is text */
};

struct column {
	const char *name;
	enum presence presence;
	size_t offset, size;	/* of a number in struct io */
	void (*print)(FILE *out, const struct io *io);
};

static void print_kind(FILE *out, const struct io *io)
{
	fputs(io_kind_name(io->kind), out);
}

static void print_link(FILE *out, const struct io *io)
{
	fputs(io_link_name(io->link), out);
}

static void print_op(FILE *out, const struct io *io)
{
	fputs(io_op_name(io->op), out);
}

static void print_merge(FILE *out, const struct io *io)
{
	fputs(io_merge_name(io->merge), out);
}

static void print_ended(FILE *out, const struct io *io)
{
	fputs(io_ended_name(io->ended), out);
}

static void print_flags(FILE *out, const struct io *io)
{
	char text[RWBS_MAX];

	io_flags(io, text);
	fputs(text, out);
}

static void print_birth(FILE *out, const struct io *io)
{
	fputc(io->birth, out);
}

static void print_number(FILE *out, uint32_t device)
{
	fprintf(out, "%u,%u", BLK_MAJOR(device), BLK_MINOR(device));
}

static void print_device(FILE *out, const struct io *io)
{
	print_number(out, io->device);
}

static void print_from(FILE *out, const struct io *io)
{
	if (io->remapped)
		print_number(out, io->from_device);
}

static void print_gap(FILE *out, const struct io *io)
{
	if (io->gap)
		fputc('1', out);
}

#define FIELD_OF(member) offsetof(struct io, member), \
	sizeof(((struct io *)0)->member)
#define NUMBER(name, presence, member) \
	{ name, presence, FIELD_OF(member), NULL }
#define TEXT(name, print) { name, NO_NUMBER, 0, 0, print }

static const struct column before[] = {
	NUMBER("id", ALWAYS, id),
	TEXT("kind", print_kind),
	NUMBER("parent", NOT_ZERO, parent),
	TEXT("link", print_link),
	NUMBER("rq", NOT_ZERO, rq),
	TEXT("dev", print_device),
	NUMBER("sector", ALWAYS, sector),
	NUMBER("bytes", ALWAYS, bytes),
	TEXT("op", print_op),
	TEXT("flags", print_flags),
	NUMBER("pid", ALWAYS, pid),
	NUMBER("cgroup", NOT_ZERO, cgroup),
	NUMBER("cpu", ALWAYS, cpu),
	TEXT("birth", print_birth),
	TEXT("merge", print_merge),
	NUMBER("time_ns", ALWAYS, time),
	TEXT("end", print_ended),
	NUMBER("error", NOT_ZERO, error),
	NUMBER("total_ns", NOT_NONE, total),
};

static const struct column behind[] = {
	NUMBER("plug_ns", NOT_NONE, plug),
	NUMBER("zplug_ns", NOT_NONE, zplug),
	NUMBER("issues", NOT_ZERO, issues),
	NUMBER("requeues", NOT_ZERO, requeues),
	NUMBER("rq_bytes", WITH_REQUEST, rq_bytes),
	NUMBER("rq_ios", WITH_REQUEST, rq_ios),
	NUMBER("done", NOT_ZERO, done),
	NUMBER("depth", NOT_ZERO, depth),
	NUMBER("cpu_d", NOT_NONE, cpu_d),
	NUMBER("cpu_c", NOT_NONE, cpu_c),
	NUMBER("flush", NOT_ZERO, flush),
	NUMBER("flush2", NOT_ZERO, flush2),
	NUMBER("children", NOT_ZERO, children),
	TEXT("from_dev", print_from),
	NUMBER("from_sector", REMAPPED, from_sector),
	NUMBER("at", NOT_NONE, at),
	TEXT("gap", print_gap),
	NUMBER("events", ALWAYS, events),
};

enum { BEFORE = sizeof(before) / sizeof(*before),
       BEHIND = sizeof(behind) / sizeof(*behind) };

static uint64_t number(const struct column *c, const struct io *io)
{
	const char *at = (const char *)io + c->offset;
	uint16_t half;
	uint32_t word;
	uint64_t wide;

	if (c->size == sizeof(half)) {
		memcpy(&half, at, sizeof(half));
		return half;
	}
	if (c->size == sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		return word;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static int is_there(const struct column *c, const struct io *io, uint64_t n)
{
	switch (c->presence) {
	case NOT_ZERO:
		return n != 0;
	case NOT_NONE:
		return n != (c->size == 4 ? IO_NO_CPU : IO_NONE);
	case WITH_REQUEST:
		return io->rq != 0;
	case REMAPPED:
		return io->remapped;
	default:
		return 1;
	}
}

static void print_columns(FILE *out, const struct io *io,
			  const struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *c = &columns[i];

		if (c->print)
			c->print(out, io);
		else if (is_there(c, io, number(c, io)))
			fprintf(out, "%" PRIu64, number(c, io));
		if (columns == before || i + 1 < count)
			fputc('\t', out);
	}
}

void table_row(FILE *out, const struct io *io)
{
	print_columns(out, io, before, BEFORE);
	for (int p = 0; p < IO_PHASES; p++) {
		if (io->has & 1u << p)
			fprintf(out, "%" PRIu64, io->phase[p]);
		fputc('\t', out);
	}
	print_columns(out, io, behind, BEHIND);
	fputc('\n', out);
}

void table_header(FILE *out)
{
	for (size_t i = 0; i < BEFORE; i++)
		fprintf(out, "%s\t", before[i].name);
	for (int p = 0; p < IO_PHASES; p++)
		fprintf(out, "%s_ns\t", io_phase_name((enum io_phase)p));
	for (size_t i = 0; i < BEHIND; i++)
		fprintf(out, "%s%c", behind[i].name,
			i + 1 < BEHIND ? '\t' : '\n');
}
