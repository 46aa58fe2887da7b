/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of the kernel's ring buffer; see ftrace_page.h.
 *
 * A page has a time, a length and events.  The length has two more bits: events
 * were lost before this page; their number follows the events.  Events are
 *
 *	a word: type, and ns since the event before or since the page's time
 *	type 1 to data_max: so many words are its entry
 *	type 0: a word with the bytes that follow, itself included; an entry
 *	padding: the same, but no entry; without ns the rest of the page is
 *	time_extend: a word, the upper bits of the ns; no entry
 *	time_stamp: the same of a time, of which only the highest bits miss
 *
 * Words are in the byte order of the machine whose ring buffer it is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "file/ftrace_page.h"
#include "record/record.h"

/* --- the layout ----------------------------------------------------------- */

/*
 * The texts are
 *
 *	field: u64 timestamp;	offset:0;	size:8;	signed:0;
 *
 * in events/header_page and, below a line "ID: 5", in formats, and
 *
 *	type_len    :    5 bits
 *	padding     : type == 29
 *
 * in events/header_event.  The blk tracer's entries have no format of their
 * own: theirs is a type below the largest of the tracers that no format has.
 */

enum {
	LINE_MAX = 256,
	PATH_MAX_HERE = 512,
	PAGE_LARGEST = 1 << 20,	/* the kernel's own limit is below */
	TYPES = 64,		/* tracers' entries have some 20 */
	TYPE_BITS_MAX = 16,
	RECORD_SECTOR = 16,	/* what is before that in a record is ours */
};

struct field {
	const char *name;
	unsigned int offset, size;
	bool found;
};

/* The last word before the first semicolon, without [size]. */
static const char *name_in(char *line)
{
	char *end = strchr(line, ';'), *space;

	if (!end)
		return "";
	*end = '\0';
	line[strcspn(line, "[")] = '\0';
	space = strrchr(line, ' ');
	return space ? space + 1 : "";
}

/* Parses a line into the one of fields that it names. */
static void read_field(struct field *fields, size_t count, char *line)
{
	char *numbers = strstr(line, "offset:");
	const char *name = name_in(line);
	unsigned int offset, size;

	if (!strstr(line, "field:") || !numbers ||
	    sscanf(numbers, "offset:%u; size:%u;", &offset, &size) != 2)
		return;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(fields[i].name, name) && !fields[i].found)
			fields[i] = (struct field){ fields[i].name, offset,
						    size, true };
}

/* Whether the field was found, has this size, and ends within limit. */
static bool fits(const struct field *f, unsigned int size, unsigned int limit)
{
	return f->found && f->size == size && f->offset <= limit &&
	       f->size <= limit - f->offset;
}

static FILE *text_open(const char *tracefs, const char *name)
{
	char path[PATH_MAX_HERE];

	snprintf(path, sizeof(path), "%.250s/events/%.250s", tracefs, name);
	return fopen(path, "re");
}

static int read_page(struct ftrace_layout *l, FILE *in)
{
	enum { STAMP, COMMIT, DATA, COUNT };
	struct field f[COUNT] = { [STAMP] = { .name = "timestamp" },
				  [COMMIT] = { .name = "commit" },
				  [DATA] = { .name = "data" } };
	char line[LINE_MAX];

	while (fgets(line, sizeof(line), in))
		read_field(f, COUNT, line);
	l->stamp = f[STAMP].offset;
	l->commit = f[COMMIT].offset;
	l->commit_size = f[COMMIT].size;
	l->data = f[DATA].offset;
	if (!f[DATA].found || l->data > PAGE_LARGEST ||
	    f[DATA].size > PAGE_LARGEST - l->data ||
	    !fits(&f[STAMP], sizeof(uint64_t), l->data) ||
	    !(fits(&f[COMMIT], sizeof(uint32_t), l->data) ||
	      fits(&f[COMMIT], sizeof(uint64_t), l->data)))
		return -EOPNOTSUPP;
	l->page = l->data + f[DATA].size;
	return 0;
}

struct phrase {
	const char *format;	/* of a line, with its number */
	unsigned int *number;
};

static bool types_are_good(const struct ftrace_layout *l)
{
	unsigned int end;

	if (!l->type_bits || l->type_bits > TYPE_BITS_MAX ||
	    l->delta_bits != 32 - l->type_bits)
		return false;
	end = 1u << l->type_bits;
	return l->data_max && l->data_max < l->padding && l->padding < end &&
	       l->data_max < l->time_extend && l->time_extend < end &&
	       l->data_max < l->time_stamp && l->time_stamp < end &&
	       l->padding != l->time_extend && l->padding != l->time_stamp &&
	       l->time_extend != l->time_stamp;
}

/* Before 4.17 time_stamp is not there, and its type, the last, is not used. */
static int read_event(struct ftrace_layout *l, FILE *in)
{
	unsigned int array = 0;
	const struct phrase phrases[] = {
		{ " type_len : %u bits", &l->type_bits },
		{ " time_delta : %u bits", &l->delta_bits },
		{ " array : %u bits", &array },
		{ " padding : type == %u", &l->padding },
		{ " time_extend : type == %u", &l->time_extend },
		{ " time_stamp : type == %u", &l->time_stamp },
		{ " data max type_len == %u", &l->data_max },
	};
	char line[LINE_MAX];

	while (fgets(line, sizeof(line), in))
		for (size_t i = 0; i < sizeof(phrases) / sizeof(*phrases); i++)
			if (sscanf(line, phrases[i].format,
				   phrases[i].number) == 1)
				break;
	if (!l->time_stamp && l->type_bits && l->type_bits <= TYPE_BITS_MAX)
		l->time_stamp = (1u << l->type_bits) - 1;
	return array == 32 && types_are_good(l) ? 0 : -EOPNOTSUPP;
}

/* what the formats of tracers' entries have in common */
struct formats {
	struct field type, pid;
	uint64_t known;		/* bit n: n is the type of one */
	unsigned int largest;
};

static void read_format(struct formats *all, FILE *in)
{
	char line[LINE_MAX];
	unsigned int id;

	while (fgets(line, sizeof(line), in)) {
		char copy[LINE_MAX];

		memcpy(copy, line, sizeof(copy));
		read_field(&all->type, 1, line);
		read_field(&all->pid, 1, copy);
		if (sscanf(copy, "ID: %u", &id) != 1 || id >= TYPES)
			continue;
		all->known |= UINT64_C(1) << id;
		if (id > all->largest)
			all->largest = id;
	}
}

static int read_formats(struct formats *all, const char *tracefs)
{
	char path[PATH_MAX_HERE];
	struct dirent *entry;
	DIR *dir;
	FILE *in;

	snprintf(path, sizeof(path), "%.480s/events/ftrace", tracefs);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), "ftrace/%.200s/format",
			 entry->d_name);
		in = text_open(tracefs, path);
		if (!in)
			continue;
		read_format(all, in);
		fclose(in);
	}
	closedir(dir);
	return 0;
}

/*
 * The common fields must be where a record has magic, sequence and time, which
 * the kernel leaves to readers.
 */
static int read_entry(struct ftrace_layout *l, const char *tracefs)
{
	struct formats all = { .type = { .name = "common_type" },
			       .pid = { .name = "common_pid" } };
	int err = read_formats(&all, tracefs);

	if (err)
		return err;
	if (!fits(&all.type, sizeof(uint16_t), RECORD_SECTOR) ||
	    !fits(&all.pid, sizeof(uint32_t), RECORD_SECTOR))
		return -EOPNOTSUPP;
	l->type = all.type.offset;
	/* bit 0 is no type */
	l->blk = ~all.known & ((UINT64_C(2) << all.largest) - 2);
	return l->blk ? 0 : -EOPNOTSUPP;
}

/* The type is in the bits that the machine's compilers fill first. */
static void set_order(struct ftrace_layout *l, bool big_endian)
{
	l->swapped = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	l->type_shift = big_endian ? l->delta_bits : 0;
	l->delta_shift = big_endian ? 0 : l->type_bits;
	l->type_mask = (UINT32_C(1) << l->type_bits) - 1;
	l->delta_mask = (UINT32_C(1) << l->delta_bits) - 1;
}

int ftrace_layout_parse(struct ftrace_layout *l, FILE *page, FILE *event,
			bool big_endian)
{
	int err;

	*l = (struct ftrace_layout){ .page = 0 };
	err = read_page(l, page);
	err = err ? err : read_event(l, event);
	if (!err)
		set_order(l, big_endian);
	return err;
}

static int read_headers(struct ftrace_layout *l, const char *tracefs)
{
	FILE *page = text_open(tracefs, "header_page");
	FILE *event = page ? text_open(tracefs, "header_event") : NULL;
	int err = event ? ftrace_layout_parse(l, page, event,
			__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) : -errno;

	if (event)
		fclose(event);
	if (page)
		fclose(page);
	return err;
}

int ftrace_layout_read(struct ftrace_layout *l, const char *tracefs)
{
	int err = read_headers(l, tracefs);

	return err ? err : read_entry(l, tracefs);
}

/* --- a page --------------------------------------------------------------- */

/*
 * Flags in a page's length, from the kernel's ring_buffer.c.  They are signed
 * there, so the first sets all higher bits.
 */
#define MISSED_EVENTS (UINT32_C(1) << 31)
#define MISSED_STORED (UINT32_C(1) << 30)

static inline uint32_t word_at(const struct ftrace_layout *l, const uint8_t *p)
{
	uint32_t word = get32(p);

	return UNLIKELY(l->swapped) ? __builtin_bswap32(word) : word;
}

static uint64_t quad_at(const struct ftrace_layout *l, const uint8_t *p)
{
	uint64_t n = get64(p);

	return l->swapped ? __builtin_bswap64(n) : n;
}

static uint64_t long_at(const struct ftrace_layout *l, const uint8_t *p)
{
	return l->commit_size == sizeof(uint64_t) ? quad_at(l, p) :
						    word_at(l, p);
}

int ftrace_page_begin(struct ftrace_page *p, const struct ftrace_layout *l,
		      const uint8_t *bytes, size_t len)
{
	uint32_t commit, size;

	if (len < l->data)
		return -EBADMSG;
	commit = (uint32_t)long_at(l, bytes + l->commit);
	size = commit & ~(MISSED_EVENTS | MISSED_STORED);
	if (size > len - l->data)
		return -EBADMSG;
	*p = (struct ftrace_page){ .layout = l, .at = bytes + l->data,
				   .end = bytes + l->data + size,
				   .time = quad_at(l, bytes + l->stamp),
				   .lossy = commit & MISSED_EVENTS };
	if (!p->lossy || !(commit & MISSED_STORED))
		return 0;
	if (len - l->data - size < l->commit_size)
		return -EBADMSG;
	p->lost = long_at(l, p->end);
	return 0;
}

static inline uint32_t type_of(const struct ftrace_layout *l, uint32_t word)
{
	return word >> l->type_shift & l->type_mask;
}

static inline uint32_t delta_of(const struct ftrace_layout *l, uint32_t word)
{
	return word >> l->delta_shift & l->delta_mask;
}

/* A time stamp lacks the highest bits of the time before it. */
static uint64_t whole_time(const struct ftrace_layout *l, uint64_t time,
			   uint64_t before)
{
	unsigned int bits = l->delta_bits + 32;
	uint64_t missing = before & ~((UINT64_C(1) << bits) - 1);

	time |= missing;
	if (missing && time < before)
		time += UINT64_C(1) << bits;
	return time;
}

/* An event of two or more words. */
static COLD int next_long(struct ftrace_page *p, struct ftrace_entry *e,
			  uint32_t type, uint32_t delta)
{
	const struct ftrace_layout *l = p->layout;
	uint64_t second;

	if (p->end - p->at < 8)
		return -EBADMSG;
	second = word_at(l, p->at + 4);
	if (type == l->time_extend) {
		p->time += second << l->delta_bits | delta;
		p->at += 8;
		return 0;
	}
	if (type == l->time_stamp) {
		p->time = whole_time(l, second << l->delta_bits | delta,
				     p->time);
		p->at += 8;
		return 0;
	}
	if ((type && type != l->padding) || second < 4 ||
	    second > (uint64_t)(p->end - p->at) - 4)
		return -EBADMSG;
	p->time += delta;
	*e = (struct ftrace_entry){ p->at + 8, second - 4, p->time };
	p->at += 4 + second;
	return type == 0;
}

int ftrace_page_next(struct ftrace_page *p, struct ftrace_entry *e)
{
	const struct ftrace_layout *l = p->layout;
	int got;

	while (p->end - p->at >= 4) {
		uint32_t word = word_at(l, p->at);
		uint32_t type = type_of(l, word), delta = delta_of(l, word);
		size_t len = 4 * (size_t)type;

		if (UNLIKELY(type - 1 >= l->data_max)) {
			if (type == l->padding && !delta)
				return 0;
			got = next_long(p, e, type, delta);
			if (got)
				return got;
			continue;
		}
		if (UNLIKELY(len > (size_t)(p->end - p->at) - 4))
			return -EBADMSG;
		p->time += delta;
		*e = (struct ftrace_entry){ p->at + 4, len, p->time };
		p->at += 4 + len;
		return 1;
	}
	return p->at == p->end ? 0 : -EBADMSG;
}
