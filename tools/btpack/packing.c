/* SPDX-License-Identifier: GPL-2.0-only */
/* Packing; see packing.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/heap.h"
#include "base/msg.h"
#include "base/unit.h"
#include "cli/inputs.h"
#include "cli/outfile.h"
#include "cli/reading.h"
#include "file/header.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/packer.h"
#include "record/record.h"
#include "tools/btpack/bytes.h"
#include "tools/btpack/disguise.h"
#include "tools/btpack/disguise_card.h"
#include "tools/btpack/members.h"
#include "tools/btpack/options.h"
#include "tools/btpack/packing.h"
#include "tools/btpack/recard.h"
#include "tools/btpack/records.h"
#include "tools/btpack/selection.h"

enum {
	CHUNK = 64 * 1024,	/* bytes read at once, */
	CHUNKS = PACKER_LOOK + CHUNK,	/* and for damage */
	OUTPUT_BUFFER = 256 * 1024,
	/* records of all blocks at a time, for readers of a pipe, which hold
	 * twice as many (REORDER_EVENTS); and of one, at least */
	HELD = 128 * 1024,
	SHARE_LEAST = 512,
};

/* a member being packed */
struct job {
	struct packing *all;
	const struct member *member;
	uint32_t nr;		/* among all */
	struct bytes bytes;
	struct packer *packer;	/* NULL: not begun, or done */
	uint8_t *buf;		/* size bytes, len of them not packed yet */
	size_t len, size;
	struct header_reader headers;
	uint64_t time;		/* of the last event in a block, ns */
	size_t gathered;	/* records for the next block, about */
	bool put;		/* a block, in this turn */
	bool ended;		/* all bytes are read */
};

struct packing {
	const struct btpack_options *o;
	enum members_how how;
	struct selection selection;
	struct records_wishes records;
	struct bytes_wishes wishes;	/* of each member */
	struct members members;
	struct job *jobs;	/* a member each */
	struct heap order;	/* of those that are not done */
	struct outfile out;
	struct pack_index index;
	struct reading reading;
	uint64_t at;		/* bytes written */
	uint64_t taken, total;	/* bytes: unpacked so far; of all files */
	uint32_t streams;	/* begun */
	uint32_t open;		/* of these, not done */
	size_t gzipped;		/* packed as they are */
	bool failed;		/* an input, reported */
	bool damaged;		/* the same, but all else is packed */
};

static __attribute__((noreturn)) void die_memory(void)
{
	msg_die("out of memory");
}

/* --- output --------------------------------------------------------------- */

/* A failed write is in the buffer until it is checked. */
static int append(void *ctx, const uint8_t *block, size_t len, uint64_t *at)
{
	struct packing *p = ctx;

	*at = p->at;
	buf_append(&p->out.buf, block, len);
	p->at += len;
	return 0;
}

static int put_block(void *ctx, const struct pack_header *h,
		     const uint8_t *block, size_t len)
{
	struct job *j = ctx;
	uint64_t at;

	append(j->all, block, len, &at);
	j->put = true;
	j->gathered = 0;
	if (h->events)
		j->time = h->most;
	return pack_index_add(&j->all->index, h, at);
}

/* Both may be the same file by links. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static bool is_input(const struct packing *p, const char *path)
{
	const struct members *m = &p->members;
	bool is = false;

	for (size_t i = 0; i < m->count && !is; i++)
		is = same_file(path, m->list[i].path);
	for (size_t i = 0; i < m->packed_count && !is; i++)
		is = same_file(path, m->packed[i]->path);
	return is;
}

static bool open_output(struct packing *p)
{
	const char *path = p->o->output;

	if (path && is_input(p, path)) {
		msg_warn("-o: %s is an input", path);
		return false;
	}
	if (!path) {
		outfile_open(&p->out, NULL, OUTPUT_BUFFER);
		return true;
	}
	return outfile_open_whole(&p->out, &p->o->opener, path, OUTPUT_BUFFER);
}

/* --- one member ----------------------------------------------------------- */

static void fault(struct job *j, int err)
{
	msg_warn("%s: %s", j->member->path, err == -EBADMSG ?
		 "the compressed data is broken or cut short" : inputs_why(err));
	j->all->failed = true;
}

/* The time of the first event among bytes; 0: there is none. */
static uint64_t first_time(const uint8_t *raw, size_t len, bool ended)
{
	struct header_reader reader = { .settled = { NULL } };
	const uint8_t *end = raw + len;
	struct header h;
	struct event ev;

	while (raw < end && header_read(&reader, raw, (size_t)(end - raw),
					ended, &h) == HEADER_WHOLE) {
		if (!(h.action & BLK_TC_ACT(BLK_TC_NOTIFY))) {
			record_decode(h.layout ? h.layout :
				      record_layout(BLK_VERSION_7, 0),
				      h.swapped, raw, &ev);
			return ev.time;
		}
		if ((size_t)(end - raw) < h.total)
			break;
		raw += h.total;
	}
	return 0;
}

/* Reads more; an error is reported, and the end. */
static void fill(struct job *j)
{
	ssize_t n;

	if (j->ended || j->len == j->size)
		return;
	n = bytes_read(&j->bytes, j->buf + j->len, j->size - j->len);
	if (n < 0)
		fault(j, (int)n);
	if (n <= 0)
		j->ended = true;
	else
		j->len += (size_t)n;
}

/* The time of a file's first event, unless it is far from the start.  Faults
 * are reported when it is packed. */
static uint64_t look_at_bytes(const struct job *j)
{
	struct bytes bytes;
	uint8_t buf[CHUNK];
	ssize_t n;

	if (bytes_open(&bytes, j->member, &j->all->wishes))
		return 0;
	n = bytes_read(&bytes, buf, sizeof(buf));
	bytes_close(&bytes);
	return n > 0 ? first_time(buf, (size_t)n, n < CHUNK) : 0;
}

static uint64_t look_at_records(const struct job *j)
{
	struct records_start start = records_look(j->member,
						  j->all->records.disguise);

	if (start.error)
		die_memory();
	return start.first;
}

/* The time of the first event, by which members take turns; files beside
 * traces, and pipes, which are not read twice, come first. */
static uint64_t look(const struct job *j)
{
	const struct member *m = j->member;

	if (m->aside)
		return 0;
	if (j->all->wishes.records)
		return look_at_records(j);
	if (m->from)
		return packed_first_time(m->from, m->in);
	return m->size ? look_at_bytes(j) : 0;
}

static bool begin(struct job *j)
{
	int err = bytes_open(&j->bytes, j->member, &j->all->wishes);

	if (err) {
		fault(j, err);
		return false;
	}
	j->size = CHUNK;
	j->buf = malloc(j->size);
	j->packer = packer_new(&(struct packer_options){
		.name = j->member->name, .stream = j->all->streams++,
		.aside = j->member->aside, .put = put_block, .ctx = j });
	if (!j->buf || !j->packer)
		die_memory();
	j->all->open++;
	return true;
}

static void end(struct job *j)
{
	struct packing *p = j->all;

	p->damaged |= bytes_damaged(&j->bytes);
	p->gzipped += j->member->gzip && p->how == MEMBERS_FILES;
	p->open--;
	bytes_close(&j->bytes);
	packer_free(j->packer);
	free(j->buf);
	j->packer = NULL;
	j->buf = NULL;
}

/* Damage is judged by more bytes than records. */
static void grow(struct job *j)
{
	uint8_t *buf = realloc(j->buf, CHUNKS);

	if (!buf)
		die_memory();
	j->buf = buf;
	j->size = CHUNKS;
}

/* The bytes in the buffer of as many records; *count becomes what is left of
 * them. */
static size_t records_in(struct job *j, size_t *count)
{
	const uint8_t *raw = j->buf, *end = raw + j->len;
	struct header h;

	for (; *count && raw < end; --*count) {
		if (header_read(&j->headers, raw, (size_t)(end - raw),
				j->ended, &h) != HEADER_WHOLE ||
		    h.total > (size_t)(end - raw))
			return j->len;
		raw += h.total;
	}
	return (size_t)(raw - j->buf);
}

/* Packs what is in the buffer, or ends the block when it has its share of the
 * records that a reader of a pipe holds. */
static ssize_t pack_some(struct job *j)
{
	size_t share = HELD / j->all->open, left, len = j->len;
	int err = 0;

	share = share < SHARE_LEAST ? SHARE_LEAST : share;
	left = share > j->gathered ? share - j->gathered : 0;
	if (share < PACK_EVENTS && !j->member->aside)
		len = records_in(j, &left);
	j->gathered = share - left;
	if (len || !j->len)
		return packer_add(j->packer, j->buf, len,
				  j->ended && len == j->len);
	if (packer_waits(j->packer))
		err = packer_flush(j->packer);
	j->gathered = 0;
	return err;
}

static void pack_chunk(struct job *j)
{
	struct packing *p = j->all;
	ssize_t n;

	fill(j);
	n = pack_some(j);
	if (n < 0)
		die_memory();
	if (!n && !j->ended && !j->put)
		grow(j);
	memmove(j->buf, j->buf + n, j->len - (size_t)n);
	j->len -= (size_t)n;
	p->taken += (uint64_t)n;
	reading_show(&p->reading, p->taken, p->total);
}

/* Packs a block or more; false: the member is done. */
static bool take_turn(struct job *j)
{
	if (!j->packer && !begin(j))
		return false;
	for (j->put = false; !j->put && (!j->ended || j->len);)
		pack_chunk(j);
	if (!j->ended || j->len)
		return true;
	if (packer_end(j->packer))
		die_memory();
	end(j);
	return false;
}

/* --- all ------------------------------------------------------------------ */

static void add_jobs(struct packing *p)
{
	p->jobs = calloc(p->members.count + 1, sizeof(*p->jobs));
	if (!p->jobs)
		die_memory();
	for (size_t i = 0; i < p->members.count; i++) {
		struct job *j = &p->jobs[i];

		*j = (struct job){ .all = p, .member = &p->members.list[i],
				   .nr = (uint32_t)i };
		p->total += j->member->size;
		j->time = look(j);
		if (heap_push(&p->order, &(struct order){ j->time, i, 0 },
			      (uint32_t)i))
			die_memory();
	}
}

static void pack_all(struct packing *p, const volatile sig_atomic_t *stop)
{
	const struct heap_node *top;

	while (!*stop && (top = heap_top(&p->order))) {
		struct job *j = &p->jobs[top->id];

		if (take_turn(j))
			heap_replace(&p->order, &(struct order){
				j->time, j->nr, 0 }, j->nr);
		else
			heap_pop(&p->order);
		if (!outfile_check(&p->out, ""))
			return;
	}
}

static void print_end(const struct packing *p)
{
	char from[UNIT_MAX], to[UNIT_MAX], ratio[UNIT_MAX];
	size_t files = p->members.count;

	unit_size(from, p->taken);
	unit_size(to, p->at);
	unit_decimal(ratio, p->taken, p->at);
	msg_warn("%zu file%s, %s bytes packed to %s: %s times smaller", files,
		 files == 1 ? "" : "s", from, to, ratio);
	if (p->gzipped)
		msg_warn("%zu gzip'd file%s not made smaller; --gunzip packs"
			 " what is in %s", p->gzipped,
			 p->gzipped == 1 ? " was" : "s were",
			 p->gzipped == 1 ? "it" : "them");
}

/* The packed file is left complete, or as it was. */
static bool finish(struct packing *p, bool stopped)
{
	if (p->failed || stopped || !p->out.open) {
		outfile_discard(&p->out);
		return false;
	}
	if (pack_index_end(&p->index))
		die_memory();
	outfile_flush(&p->out, "");
	if (!outfile_close(&p->out))
		return false;
	print_end(p);
	for (size_t i = 0; i < p->members.packed_count; i++)
		p->damaged |= p->members.packed[i]->damaged;
	return !p->damaged;
}

static void packing_free(struct packing *p)
{
	for (size_t i = 0; p->jobs && i < p->members.count; i++)
		if (p->jobs[i].packer)
			end(&p->jobs[i]);
	free(p->jobs);
	heap_free(&p->order);
	pack_index_free(&p->index);
	disguise_free(p->records.disguise);
	members_free(&p->members);
}

/* A window starts with the first event of all, which hosts do not share. */
static bool check_hosts(const struct packing *p)
{
	const struct window *w = &p->selection.window;
	unsigned int hosts = p->members.locations.host_count;

	if (hosts < 2 || (!w->start && w->end == UINT64_MAX))
		return true;
	msg_warn("-w and --between need traces of one host; these are of %u",
		 hosts);
	return false;
}

static void disguise_names(struct packing *p)
{
	for (size_t i = 0; i < p->members.count; i++) {
		struct member *m = &p->members.list[i];
		char *name = disguise_name(p->records.disguise, m->name);

		if (!name)
			die_memory();
		free(m->name);
		m->name = name;
	}
}

/* Finds the members, and what of them is packed. */
static bool find_members(struct packing *p)
{
	const struct btpack_options *o = p->o;

	p->how = btpack_selects(o) || o->anonymise ? MEMBERS_RECORDS :
		 o->gunzip ? MEMBERS_HELD : MEMBERS_FILES;
	if (!members_find(&p->members, o->names, o->count, p->how))
		return false;
	p->wishes.gunzip = o->gunzip;
	if (p->how != MEMBERS_RECORDS)
		return true;
	p->selection = o->selection;
	p->records.selection = &p->selection;
	p->wishes.records = &p->records;
	if (!check_hosts(p))
		return false;
	if (!o->anonymise)
		return true;
	p->records.disguise = disguise_new(o->key);
	if (!p->records.disguise)
		msg_die("--anonymise: no memory, or no random numbers");
	disguise_names(p);
	return true;
}

/* Times of a window start with the first event of all. */
static void set_zero(struct packing *p)
{
	p->selection.zero = UINT64_MAX;
	for (size_t i = 0; i < p->members.count; i++)
		if (!p->members.list[i].aside &&
		    p->jobs[i].time < p->selection.zero)
			p->selection.zero = p->jobs[i].time;
}

/* --- cards ---------------------------------------------------------------- */

/* Selected records are fewer than a card counts, and than an audit found. */
static bool is_count(const char *key)
{
	static const char *const counts[] = {
		"end.events", "end.bytes", "end.cpus.", "audit.",
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (!strncmp(key, counts[i], strlen(counts[i])))
			return true;
	return false;
}

static bool change_card(void *packing, struct recard_value *v)
{
	struct packing *p = packing;

	if (btpack_selects(p->o) && is_count(v->key))
		return false;
	return !p->o->anonymise || disguise_card(p->records.disguise, v);
}

/* Cards have clocks, too. */
static void learn_clock(struct packing *p, const struct card *c)
{
	uint64_t wall, time;

	if (p->records.disguise &&
	    card_number(c, "clock.start.realtime_ns", &wall) &&
	    card_number(c, "clock.start.monotonic_ns", &time))
		disguise_clock(p->records.disguise, wall, time);
}

static void write_card(struct packing *p, struct member *m)
{
	const char *flags[2];
	size_t count = 0;

	if (btpack_selects(p->o))
		flags[count++] = "selected";
	if (p->o->anonymise)
		flags[count++] = "anonymised";
	m->text = recard(m->at->card, flags, count, change_card, p);
	if (!m->text)
		die_memory();
}

/* After all clocks are known. */
static void write_cards(struct packing *p)
{
	struct member *list = p->members.list;

	for (size_t i = 0; i < p->members.count; i++)
		if (list[i].at)
			learn_clock(p, list[i].at->card);
	for (size_t i = 0; i < p->members.count; i++)
		if (list[i].at)
			write_card(p, &list[i]);
}

/* --- a run ---------------------------------------------------------------- */

static void pack(struct packing *p, const volatile sig_atomic_t *stop)
{
	if (pack_index_begin(&p->index))
		die_memory();
	add_jobs(p);
	set_zero(p);
	write_cards(p);
	reading_start(&p->reading, !p->o->no_progress);
	pack_all(p, stop);
	reading_end(&p->reading);
}

bool packing_run(const struct btpack_options *o,
		 const volatile sig_atomic_t *stop)
{
	struct packing p = { .o = o };
	bool good = false;

	p.index = (struct pack_index){ .put = append, .ctx = &p };
	if (find_members(&p) && open_output(&p)) {
		pack(&p, stop);
		good = finish(&p, *stop);
	}
	packing_free(&p);
	return good;
}
