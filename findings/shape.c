/* SPDX-License-Identifier: GPL-2.0-only */
/* What requests look like; see shape.h. */
#include "base/hint.h"
#include "findings/shape.h"
#include "request/io.h"

enum {
	SMALL = 16384,		/* bytes of a piece, at most */
	LARGE = 65536,		/* of a write that others may wait for */
	PAGE = 4096,		/* the border that people are counted by */
};

void shape_free(struct shape *h)
{
	histogram_free(&h->part_sizes);
	histogram_free(&h->streams[0].sizes);
	histogram_free(&h->streams[1].sizes);
}

void shape_whole(struct shape *h)
{
	h->wholes++;
}

static int add_part(struct shape *h, struct people *p, const struct served *s)
{
	h->parts++;
	/* nobody waits for what leaves the page cache */
	if (p->list[s->person].kworker)
		return 0;
	h->part_bytes += s->bytes;
	people_count(p, s->person, PEOPLE_PARTS);
	return histogram_add(&h->part_sizes, s->bytes);
}

static void add_write(struct shape *h, struct people *p, const struct served *s)
{
	uint64_t both = s->sector | s->bytes >> 9 | 1 << (SHAPE_BORDERS - 1);

	h->writes++;
	h->write_bytes += s->bytes;
	h->kworker_bytes += p->list[s->person].kworker ? s->bytes : 0;
	if (s->bytes >= LARGE)
		people_count(p, s->person, PEOPLE_LARGE_WRITES);
	h->borders[s->bytes % 512 ? 0 : __builtin_ctzll(both)]++;
	if (s->sector % (PAGE / 512) || s->bytes % PAGE)
		people_count(p, s->person, PEOPLE_MISALIGNED);
}

int shape_add(struct shape *h, struct people *p, const struct served *s,
	      const struct io *io)
{
	h->count++;
	h->bytes += s->bytes;
	p->list[people_first(p, s->person)].bytes += s->bytes;
	p->list[people_first(p, s->person)].held += served_device_time(s);
	people_count(p, s->person, PEOPLE_ALL);
	/* what becomes of bios is decided by the devices below */
	if (UNLIKELY(s->bare))
		return 0;
	if (s->op == SERVED_WRITE)
		add_write(h, p, s);
	if (s->op <= SERVED_WRITE && io->rq_ios)
		h->streams[s->op].merged += io->rq_ios - 1;
	return s->part ? add_part(h, p, s) : 0;
}

int shape_in_order(struct shape *h, struct people *p, const struct served *s)
{
	struct person *who = &p->list[s->person];
	struct shape_stream *stream;
	uint64_t next;

	if (s->op > SERVED_WRITE || s->bare)
		return 0;
	stream = &h->streams[s->op];
	stream->count++;
	next = who->next[s->op];
	who->next[s->op] = s->person == PEOPLE_OTHERS
		? UINT64_MAX : s->sector + (s->bytes >> 9);
	if (s->bytes > SMALL || s->sector != next)
		return 0;
	stream->sequential++;
	people_count(p, s->person, s->op == SERVED_READ
				   ? PEOPLE_SEQUENTIAL_READS
				   : PEOPLE_SEQUENTIAL_WRITES);
	return histogram_add(&stream->sizes, s->bytes);
}

uint64_t shape_misaligned(const struct shape *h, uint32_t block)
{
	uint64_t sum = 0;

	for (int i = 0; i < SHAPE_BORDERS && 512ULL << i < block; i++)
		sum += h->borders[i];
	return sum;
}

uint64_t shape_part_size(const struct shape *h)
{
	uint64_t count, most = 0, size = 0;
	int cell = -1;

	while (histogram_next(&h->part_sizes, &cell, &count))
		if (count > most) {
			most = count;
			size = histogram_cell_low((unsigned int)cell);
		}
	return size;
}
