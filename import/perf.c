/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data; see perf.h.
 *
 * Both kinds begin with the magic "PERFILE2", a number of 8 bytes that
 * big-endian machines write the other way round, and the header's size.  That
 * is 16 in a pipe, where records follow that describe the others.  In a file it
 * is 104:
 *
 *	magic, size, the size of an attribute with the place of its ids
 *	places of: attributes, records, and one that is no longer used
 *	256 bits: which features there are
 *
 * A place is an offset and a size, of 8 bytes each.  The places of the features
 * follow the records.
 */
#include <errno.h>
#include <string.h>

#include "import/binary.h"
#include "import/import.h"
#include "import/perf.h"
#include "import/perf_records.h"
#include "import/trace_formats.h"

/* offsets in a file's header, and sizes */
enum {
	SIZE = 8,
	ATTR_SIZE = 16,
	ATTRS = 24,
	RECORDS = 40,
	FEATURES = 72,
	FILE_HEADER = 104,
	PIPE_HEADER = 16,
	PLACE = 16,
	ATTR_MAX = 4096,
};

static const char magic[] = "PERFILE2", swapped_magic[] = "2ELIFREP";

enum { MAGIC_LEN = sizeof(magic) - 1 };

struct place {
	uint64_t at, len;
};

struct perf {
	struct binary b;
	struct perf_records records;
	uint8_t header[FILE_HEADER];
};

static int damage(struct perf *p, uint64_t at, const char *why)
{
	return import_faults_add(&p->records.faults, at, why);
}

/* --- places in a file ----------------------------------------------------- */

static struct place place_at(const struct perf *p, const uint8_t *bytes)
{
	return (struct place){ binary_u64(&p->b, bytes),
			       binary_u64(&p->b, bytes + 8) };
}

static int go(struct perf *p, uint64_t at)
{
	int err = binary_seek(&p->b, at);

	if (err != -ESPIPE)
		return err;
	return damage(p, 0, "perf wrote it to a file, which can be read neither"
		      " gzip'd nor from a pipe, as the formats of its events"
		      " are at its end: unpack it");
}

/* The end of the file where more should be. */
static int cut(struct perf *p, int err, const char *why)
{
	return err == -ENODATA ? damage(p, p->b.offset, why) : err;
}

static int read_ids(struct perf *p, struct place ids)
{
	int err = ids.len ? go(p, ids.at) : 0;

	for (uint64_t n = ids.len / 8; !err && n; n--) {
		const uint8_t *id;

		err = binary_take(&p->b, 8, &id);
		if (!err)
			err = perf_attrs_add_id(&p->records.attrs,
						binary_u64(&p->b, id));
	}
	return err;
}

static int read_attr(struct perf *p, uint64_t at, uint64_t size)
{
	const uint8_t *attr;
	struct place ids;
	int err = go(p, at);

	if (!err)
		err = binary_take(&p->b, (size_t)size, &attr);
	if (err)
		return err;
	ids = place_at(p, attr + size - PLACE);
	err = perf_attrs_add(&p->records.attrs, attr, (size_t)size - PLACE);
	return err ? err : read_ids(p, ids);
}

static int read_attrs(struct perf *p)
{
	static const char why[] = "the attributes of its events are damaged";
	uint64_t size = binary_u64(&p->b, p->header + ATTR_SIZE);
	struct place attrs = place_at(p, p->header + ATTRS);
	int err = 0;

	if (size < PERF_ATTR_MIN + PLACE || size > ATTR_MAX)
		return damage(p, ATTR_SIZE, why);
	for (; !err && attrs.len >= size; attrs.len -= size) {
		err = read_attr(p, attrs.at, size);
		attrs.at += size;
	}
	return err == -EBADMSG ? damage(p, p->b.offset, why) :
				 cut(p, err, why);
}

static int read_formats(struct perf *p, struct place of)
{
	const char *why;
	int err = trace_formats_read(&p->b, of.len, &p->records.events, &why);

	if (err == -EOPNOTSUPP)
		return damage(p, 0, "its events are binary, and this program"
			      " was built without libtraceevent");
	return err == -EBADMSG ? damage(p, of.at, why) : err;
}

static int read_feature(struct perf *p, unsigned int number, struct place of)
{
	const uint8_t *bytes;
	int err = 0;

	if (number != PERF_TRACING_DATA && of.len > PERF_FEATURE_MAX)
		return 0;
	err = go(p, of.at);
	if (!err && number == PERF_TRACING_DATA)
		return read_formats(p, of);
	if (!err)
		err = binary_take(&p->b, (size_t)of.len, &bytes);
	if (!err)
		perf_about_add(&p->records.about, &p->b, number, bytes,
			       (size_t)of.len);
	return err;
}

static bool has_feature(const struct perf *p, unsigned int number)
{
	const uint8_t *bits = p->header + FEATURES + number / 64 * 8;

	return binary_u64(&p->b, bits) >> number % 64 & 1;
}

/* Their places are in order of their numbers, from here. */
static int read_features(struct perf *p, uint64_t at)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < PERF_FEATURES; i++) {
		const uint8_t *place;

		if (!has_feature(p, i))
			continue;
		err = go(p, at);
		if (!err)
			err = binary_take(&p->b, PLACE, &place);
		if (!err)
			err = read_feature(p, i, place_at(p, place));
		at += PLACE;
	}
	return cut(p, err, "cut short: the formats of its events, which are at"
		   " its end, are missing");
}

/* --- files and pipes ------------------------------------------------------ */

static int read_file(struct perf *p)
{
	struct place records;
	const uint8_t *header;
	int err = binary_take(&p->b, FILE_HEADER - PIPE_HEADER, &header);

	if (err)
		return cut(p, err, "cut short");
	memcpy(p->header + PIPE_HEADER, header, FILE_HEADER - PIPE_HEADER);
	records = place_at(p, p->header + RECORDS);
	if (!records.len)
		return damage(p, RECORDS, "perf record was killed before it had"
			      " written the formats of its events");
	err = read_attrs(p);
	if (!err)
		err = read_features(p, records.at + records.len);
	if (!err)
		err = go(p, records.at);
	return err ? err : perf_records_read(&p->records, records.len);
}

static int read_any(struct perf *p)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	const uint8_t *header;
	uint64_t size;
	int err = binary_take(&p->b, PIPE_HEADER, &header);

	if (err || (memcmp(header, magic, MAGIC_LEN) &&
		    memcmp(header, swapped_magic, MAGIC_LEN)))
		return !err || err == -ENODATA ? damage(p, 0, "no perf.data") :
						 err;
	memcpy(p->header, header, PIPE_HEADER);
	p->b.swapped = !memcmp(header, magic, MAGIC_LEN) != is_little;
	size = binary_u64(&p->b, header + SIZE);
	if (size == PIPE_HEADER)
		return perf_records_read(&p->records, UINT64_MAX);
	return size == FILE_HEADER ? read_file(p) :
				     damage(p, SIZE, "a header of an unknown"
					    " size");
}

/* What was read before damage is handed over. */
static int read_all(struct perf *p)
{
	int err = read_any(p), end = 0;

	err = cut(p, err, "cut short");
	if (err == -EILSEQ)
		err = damage(p, p->b.offset, "damaged or cut packed data");
	if (!err || err == -EBADMSG)
		end = perf_records_end(&p->records);
	return end ? end : err;
}

int perf_read(const struct import_format *f, struct source *s,
	      const struct import_options *o, const struct import_to *to)
{
	struct perf p = { .header = { 0 } };
	int err = binary_open(&p.b, s);

	(void)f, (void)o;
	if (err)
		return err;
	err = perf_records_init(&p.records, &p.b, to);
	if (!err) {
		err = read_all(&p);
		perf_records_free(&p.records);
	}
	binary_close(&p.b);
	return err;
}
