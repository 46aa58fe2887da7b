/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a trace file, and keeps positions; see positions.h.
 *
 * Batches are counted as file/stream makes them: a batch ends directly after
 * its last event, and messages count as events.  Other notes are part of the
 * batch of the next event.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/opener.h"
#include "base/text.h"
#include "base/time.h"
#include "file/header.h"
#include "file/positions.h"
#include "file/shelf.h"
#include "file/source.h"
#include "pack/list.h"
#include "pack/unpacker.h"
#include "record/record.h"

void positions_free(struct positions *p)
{
	free(p->list);
	free(p->notes);
	*p = (struct positions){ 0 };
}

int positions_add(struct positions *p, const struct position *at)
{
	struct position *list = array_reserve(p->list, p->count, &p->size, 64,
					      sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count++] = *at;
	return 0;
}

int positions_add_note(struct positions *p, const struct passed_note *note)
{
	struct passed_note *notes;

	if (p->note_count >= POSITIONS_NOTES_MAX)
		return -E2BIG;
	notes = array_reserve(p->notes, p->note_count, &p->note_size, 64,
			      sizeof(*notes));
	if (!notes)
		return -ENOMEM;
	p->notes = notes;
	notes[p->note_count++] = *note;
	return 0;
}

/* How many positions have only events before time before them. */
static size_t before(const struct positions *p, uint64_t time)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (p->list[mid].most < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Drops what cannot help to find a time: after the last position that stays,
 * if any, POSITIONS_STEP or more events are before the time, and all notes that
 * stay are before that position.
 */
static void cut(struct positions *p, uint64_t time)
{
	size_t fit = before(p, time);
	uint64_t end;

	p->count = fit ? fit - 1 : 0;
	end = p->count ? p->list[p->count - 1].offset : 0;
	while (p->note_count && p->notes[p->note_count - 1].offset >= end)
		p->note_count--;
}

/* --- the walk ------------------------------------------------------------- */

enum {
	READ_SIZE = 131072,
	SIZE = READ_SIZE + BLK_HEADER_MAX + BLK_PAYLOAD_MAX,
};

struct batch {
	uint64_t at, first, after;	/* as struct landing has it */
};

struct walk {
	struct source *src;
	struct header_reader headers;
	struct positions *known;
	uint32_t cpu_first, cpu_more;	/* CPUs that fit: the first, and how
					 * many follow it */
	uint32_t batch_size, room;	/* room: events until the batch ends */
	uint64_t time;
	uint64_t events, last, most, least;
	struct batch now, before;

	uint64_t base;		/* offset of buf[0] in the file */
	size_t at, end;
	bool eof;
	uint8_t buf[SIZE];
};

/* --- bytes into the buffer ---------------------------------------------- */

/* 1: read, maybe the end for the first time; 0: already at the end; -errno. */
static int read_more(struct walk *w)
{
	ssize_t n;

	if (w->eof)
		return 0;
	memmove(w->buf, w->buf + w->at, w->end - w->at);
	w->base += w->at;
	w->end -= w->at;
	w->at = 0;
	n = source_read(w->src, w->buf + w->end, SIZE - w->end);
	if (n < 0)
		return n == -EUCLEAN ? -EINVAL : (int)n;
	w->end += (size_t)n;
	w->eof = !n;
	return 1;		/* the end, too, is worth a look */
}

/* --- records ------------------------------------------------------------- */

static int end_batch(struct walk *w)
{
	const struct position here = { w->base + w->at, w->most, w->least };

	w->before = w->now;
	w->now = (struct batch){ here.offset, w->events, w->most };
	w->room = w->batch_size;
	return w->events % POSITIONS_STEP ? 0 : positions_add(w->known, &here);
}

static int pass_note(struct walk *w)
{
	return positions_add_note(w->known, &(struct passed_note){
			.offset = w->base + w->at,
			.number = w->events,
			.after = w->now.after });
}

/*
 * The fast path: whole events of native version 7, of a CPU that fits, before
 * the time.  Stops at any other record, which is step()'s, and at a batch's
 * end.
 */
static void run(struct walk *w)
{
	const uint8_t *raw = w->buf + w->at, *end = w->buf + w->end;
	uint64_t most = w->most, least = w->least, last = w->last;
	uint32_t room = w->room;

	for (; room; room--) {
		size_t left = (size_t)(end - raw), total;
		uint64_t time;

		if (left < BLK_HEADER_7 ||
		    get32(raw) != (BLK_MAGIC | BLK_VERSION_7) ||
		    get32(FIELD(raw, action)) & BLK_TC_ACT(BLK_TC_NOTIFY) ||
		    get32(FIELD(raw, cpu)) - w->cpu_first > w->cpu_more)
			break;
		time = get64(FIELD(raw, time));
		total = BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
		if (left < total || time >= w->time)
			break;
		last = time;
		most = time > most ? time : most;
		least = time < least ? time : least;
		raw += total;
	}
	w->events += w->room - room;
	w->room = room;
	w->last = last;
	w->most = most;
	w->least = least;
	w->at = (size_t)(raw - w->buf);
}

static bool is_fine(const struct walk *w, const struct header *h)
{
	return !h->swapped && (!h->layout || h->layout->version == 8) &&
	       h->cpu - w->cpu_first <= w->cpu_more;
}

/* 1: passed; 0: it is not before the time */
static int pass_event(struct walk *w, uint64_t time, size_t total)
{
	if (time >= w->time)
		return 0;
	w->last = time;
	w->most = time > w->most ? time : w->most;
	w->least = time < w->least ? time : w->least;
	w->events++;
	w->room--;
	w->at += total;
	return 1;
}

/*
 * One record of any kind.  1: passed; 0: not before the time; -ENODATA: needs
 * more bytes; -EINVAL; -ENOMEM; -E2BIG.
 */
static int step(struct walk *w)
{
	const uint8_t *raw = w->buf + w->at;
	size_t left = w->end - w->at;
	struct header h;
	enum header_verdict v = header_read(&w->headers, raw, left, w->eof, &h);
	int err;

	if (v == HEADER_BAD || (v == HEADER_WHOLE && !is_fine(w, &h)))
		return -EINVAL;
	if (v == HEADER_SHORT || left < h.total)
		return -ENODATA;
	if (!action_is_noted(h.action))	/* its time is where 7 has it, too */
		return pass_event(w, get64(FIELD(raw, time)), h.total);
	err = pass_note(w);
	w->at += h.total;
	return err ? err : 1;
}

/* Passes all records before the time.  0, or -errno. */
static int pass_all(struct walk *w)
{
	int err = 0, got = 1;

	while (!err && got > 0) {
		run(w);
		if (!w->room) {
			err = end_batch(w);
			continue;
		}
		got = step(w);
		/* a record that is cut short is the stream's to report */
		if (got == -ENODATA)
			got = read_more(w);
		else if (got > 0 && !w->room)
			err = end_batch(w);
	}
	return err ? err : got;
}

/* --- the whole way -------------------------------------------------------- */

static struct walk *walk_new(const struct walk_options *o,
			     struct positions *known)
{
	const struct position *from = known->count ?
		&known->list[known->count - 1] : NULL;
	struct walk *w = malloc(sizeof(*w));

	if (!w)
		return NULL;
	/* all but the buffer, which is large */
	memset(w, 0, offsetof(struct walk, buf));
	w->known = known;
	w->cpu_first = o->cpu < 0 ? 0 : (uint32_t)o->cpu;
	w->cpu_more = o->cpu < 0 ? BLK_CPU_MAX - 1 : 0;
	w->batch_size = w->room = o->batch;
	w->time = o->time;
	w->least = from ? from->least : UINT64_MAX;
	w->most = from ? from->most : 0;
	w->base = from ? from->offset : 0;
	w->events = known->count * (uint64_t)POSITIONS_STEP;
	w->now = w->before = (struct batch){ w->base, w->events, w->most };
	return w;
}

static int land(const struct walk *w, struct landing *to)
{
	bool begun = w->events > w->now.first;
	const struct batch *b = begun || !w->events ? &w->now : &w->before;

	/* the start of a position's batch before it is unknown */
	if (!begun && w->events && w->before.at == w->now.at)
		return -EINVAL;
	*to = (struct landing){ w->events, w->last, w->most, w->least,
				b->at, b->first, b->after };
	return 0;
}

/* Only what can be read from anywhere can be skipped. */
static int open_source(struct walk *w, const char *path)
{
	int err = source_open(&w->src, path);

	if (err)
		return err;
	err = source_is_live(w->src) ? -EINVAL : source_seek(w->src, w->base);
	if (!err)
		return 0;
	source_close(w->src);
	return err == -ESPIPE ? -EINVAL : err;
}

int walk_file(const struct walk_options *o, struct positions *p,
	      struct landing *to)
{
	struct walk *w;
	int err;

	cut(p, o->time);
	w = walk_new(o, p);
	if (!w)
		return -ENOMEM;
	err = open_source(w, o->path);
	if (!err) {
		err = pass_all(w);
		source_close(w->src);
	}
	if (!err)
		err = land(w, to);
	free(w);
	return err;
}

/* --- the cache ------------------------------------------------------------ */

/*
 * The cache is 64-bit numbers in the machine's byte order: MAGIC; the key,
 * four; the numbers of positions and notes; the members of each position and of
 * each note; a sum of all these.
 */

/* changes with the byte order, the step and how batches are made */
#define MAGIC 0x706f736974303032ull

enum { HEAD = 7, EACH = 3 };	/* numbers */

_Static_assert(sizeof(struct position) == EACH * sizeof(uint64_t) &&
	       sizeof(struct passed_note) == EACH * sizeof(uint64_t),
	       "both are written as they are");

static uint64_t sum_of(const uint64_t *words, size_t count)
{
	uint64_t sum = MAGIC;

	for (size_t i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull;
		sum ^= sum >> 29;
	}
	return sum;
}

/* size is 0 if there is no regular file. */
static struct positions_key key_of(const char *path, uid_t *owner)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return (struct positions_key){ 0 };
	*owner = st.st_uid;
	return (struct positions_key){
		.size = (uint64_t)st.st_size,
		.changed = time_of_timespec(&st.st_mtim),
		.altered = time_of_timespec(&st.st_ctim),
		.inode = (uint64_t)st.st_ino,
	};
}

static bool same_key(const struct positions_key *a,
		     const struct positions_key *b)
{
	return a->size == b->size && a->changed == b->changed &&
	       a->altered == b->altered && a->inode == b->inode;
}

/* Unchanged for so long that the next change will show in its times. */
static bool is_quiet(const struct positions_key *k)
{
	uint64_t quiet = (uint64_t)POSITIONS_QUIET * NS_PER_SECOND, now;
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	now = time_of_timespec(&t);
	return now > k->changed + quiet && now > k->altered + quiet;
}

char *positions_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	char *beside;

	if (text_print(&beside, "%.*s.%s.positions", (int)(file - path), path,
		       file) < 0)
		return NULL;
	return beside;
}

/* --- loading -------------------------------------------------------------- */

/* The file's numbers, which the caller frees; NULL if it is not the trace's
 * owner's or ours, as everybody may write to the directory. */
static uint64_t *read_words(const char *path, uid_t owner, size_t *count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	uint64_t *words = NULL;
	struct stat st;
	size_t len = 0;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < 1 << 30 &&
	    (st.st_uid == owner || st.st_uid == geteuid()))
		len = (size_t)st.st_size / sizeof(*words) * sizeof(*words);
	if (len)
		words = malloc(len);
	if (words && read(fd, words, len) != (ssize_t)len) {
		free(words);
		words = NULL;
	}
	close(fd);
	*count = len / sizeof(*words);
	return words;
}

/* Whether the cache is whole, and this trace file's. */
static bool fits(const uint64_t *words, size_t count,
		 const struct positions_key *key)
{
	const size_t most = SIZE_MAX / sizeof(*words) / EACH / 4;
	struct positions_key its;

	if (count < HEAD + 1 || words[0] != MAGIC || words[5] > most ||
	    words[6] > most ||
	    count != HEAD + EACH * (words[5] + words[6]) + 1 ||
	    words[count - 1] != sum_of(words, count - 1))
		return false;
	its = (struct positions_key){ words[1], words[2], words[3], words[4] };
	return same_key(&its, key);
}

static int take(struct positions *p, const uint64_t *words, uint64_t size)
{
	const uint64_t *at = words + HEAD;
	uint64_t last = 0;
	int err = 0;

	for (uint64_t i = 0; !err && i < words[5]; i++, at += EACH) {
		if (at[0] <= last || at[0] > size)
			return -EINVAL;
		last = at[0];
		err = positions_add(p, &(struct position){ at[0], at[1],
							   at[2] });
	}
	for (uint64_t i = 0; !err && i < words[6]; i++, at += EACH)
		err = at[0] >= last ? -EINVAL :
			positions_add_note(p, &(struct passed_note){
						      at[0], at[1], at[2] });
	return err;
}

void positions_load(struct positions *p, struct positions_kept *k,
		    const char *path)
{
	char *beside = positions_path(path);
	uint64_t *words = NULL;
	size_t count = 0;
	uid_t owner = 0;

	*k = (struct positions_kept){ .key = key_of(path, &owner) };
	k->may_be = k->key.size && owner == geteuid() && is_quiet(&k->key);
	if (beside && k->key.size)
		words = read_words(beside, owner, &count);
	if (words && fits(words, count, &k->key) &&
	    take(p, words, k->key.size))
		positions_free(p);
	if (p->count)
		k->known = p->list[p->count - 1].offset;
	free(words);
	free(beside);
}

/* --- packed files --------------------------------------------------------- */

/* what is known after some blocks of a file */
struct passed {
	struct positions *p;
	int fd, cpu;
	struct unpacker *unpacker;
	uint64_t at, number;	/* bytes and events so far */
	uint64_t most, least;
};

/* Whether the block follows, and a walk would not refuse its records. */
static bool is_passable(const struct passed *b, const struct pack_header *h)
{
	uint16_t order = BYTE_ORDER == BIG_ENDIAN ? PACK_BIG_ENDIAN : 0;

	return h->kind == PACK_RECORDS && h->at == b->at &&
	       h->number == b->number && h->flags == (PACK_PLAIN | order) &&
	       (b->cpu < 0 || h->cpu == b->cpu);
}

static int add_notes(struct passed *b, const struct pack_header *h,
		     uint64_t offset)
{
	uint8_t *frame = malloc(h->notes_packed);
	struct unpacked_note n;
	int err = frame ? 0 : -ENOMEM;

	if (frame && pread(b->fd, frame, h->notes_packed, (off_t)offset) !=
		     (ssize_t)h->notes_packed)
		err = -EINVAL;
	if (!err)
		err = unpacker_notes(b->unpacker, h, frame);
	while (!err && (err = unpacker_note(b->unpacker, &n)) == 1)
		err = positions_add_note(b->p, &(struct passed_note){
				.offset = h->at + n.at,
				.number = h->number + n.events,
				.after = n.after });
	free(frame);
	return err;
}

/* The block at an offset of the packed file; 0 or -errno: go no further. */
static int pass_block(struct passed *b, uint64_t offset)
{
	uint64_t known = (b->p->count + 1) * (uint64_t)POSITIONS_STEP;
	struct pack_header h;
	const char *why;
	int head = pack_read_header(b->fd, offset, &h, &why), err = 0;

	if (head <= 0 || !is_passable(b, &h))
		return -EINVAL;
	if (h.number == known)
		err = positions_add(b->p, &(struct position){ h.at, b->most,
							      b->least });
	if (!err && h.notes)
		err = add_notes(b, &h, offset + (uint64_t)head);
	b->at += h.len;
	b->number += h.events;
	b->most = h.most > b->most ? h.most : b->most;
	b->least = h.least < b->least ? h.least : b->least;
	return err;
}

static void pass_member(struct passed *b, const char *name)
{
	const struct pack_member *m;
	struct pack_list l;
	int err = pack_list_read(&l, b->fd, name);

	if (err)
		return;
	m = pack_list_find(&l, name);
	for (size_t i = 0; !err && m && i < m->count; i++)
		err = pass_block(b, m->places[i].offset);
	pack_list_free(&l);
}

void positions_unpack(struct positions *p, struct positions_kept *k,
		      const char *path, int cpu)
{
	struct passed b = { .p = p, .cpu = cpu, .least = UINT64_MAX };
	const char *name;
	char *file;

	if (shelf_split(path, &file, &name))
		return;
	b.fd = open(file, O_RDONLY | O_CLOEXEC);
	b.unpacker = unpacker_new();
	if (b.fd >= 0 && b.unpacker && *name)
		pass_member(&b, name);
	if (b.fd >= 0)
		close(b.fd);
	unpacker_free(b.unpacker);
	free(file);
	if (p->count)
		k->known = p->list[p->count - 1].offset;
}

/* --- saving --------------------------------------------------------------- */

/* The numbers to write, which the caller frees; NULL: no memory. */
static uint64_t *make_words(const struct positions *p,
			    const struct positions_key *key, size_t *count)
{
	uint64_t end = p->list[p->count - 1].offset, *words, *at;
	size_t notes = 0;

	while (notes < p->note_count && p->notes[notes].offset < end)
		notes++;
	*count = HEAD + EACH * (p->count + notes) + 1;
	words = malloc(*count * sizeof(*words));
	if (!words)
		return NULL;
	memcpy(words, (uint64_t[HEAD]){ MAGIC, key->size, key->changed,
					key->altered, key->inode, p->count,
					notes }, HEAD * sizeof(*words));
	at = words + HEAD;
	memcpy(at, p->list, p->count * sizeof(*p->list));
	if (notes)
		memcpy(at + EACH * p->count, p->notes,
		       notes * sizeof(*p->notes));
	words[*count - 1] = sum_of(words, *count - 1);
	return words;
}

/* Never write through somebody else's link, file or hard link. */
static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	       st.st_uid == geteuid();
}

static void write_words(const struct opener *o, const char *path,
			const uint64_t *words, size_t count)
{
	int fd = opener_open(o, path, O_WRONLY | O_CREAT | O_NOFOLLOW |
			     O_NONBLOCK | O_CLOEXEC, 0666);
	size_t len = count * sizeof(*words);

	if (fd < 0)
		return;
	if (is_ours(fd) && !ftruncate(fd, 0) &&
	    write(fd, words, len) != (ssize_t)len)
		ftruncate(fd, 0);
	close(fd);
}

/* The trace file is still the one walked, and enough of it is new. */
static bool is_worth(const struct positions *p, const struct positions_kept *k,
		     const char *path)
{
	struct positions_key now;
	uid_t owner = 0;

	if (!k->may_be || !p->count ||
	    p->list[p->count - 1].offset < k->known + POSITIONS_WORTH)
		return false;
	now = key_of(path, &owner);
	return same_key(&now, &k->key);
}

void positions_save(const struct positions *p, const struct positions_kept *k,
		    const struct opener *o, const char *path)
{
	uint64_t *words;
	char *beside;
	size_t count;

	if (!is_worth(p, k, path))
		return;
	beside = positions_path(path);
	words = make_words(p, &k->key, &count);
	if (beside && words)
		write_words(o, beside, words, count);
	free(words);
	free(beside);
}
