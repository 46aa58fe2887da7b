/* SPDX-License-Identifier: GPL-2.0-only */
/* Attributes and samples; see perf_attrs.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "import/binary.h"
#include "import/perf_attrs.h"

/* offsets in an attribute */
enum {
	TYPE = 0,
	CONFIG = 8,
	SAMPLE_TYPE = 24,
	READ_FORMAT = 32,
	FLAGS = 40,
	CLOCK = 92,
	TYPE_TRACEPOINT = 2,
	FLAG_SAMPLE_ID_ALL = 18,	/* bits of FLAGS */
	FLAG_USE_CLOCKID = 25,
};

/* of sample_type: what a sample has, in the order of samples */
enum {
	HAS_IP = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_ADDR = 1 << 3,
	HAS_READ = 1 << 4,
	HAS_CALLCHAIN = 1 << 5,
	HAS_ID = 1 << 6,
	HAS_CPU = 1 << 7,
	HAS_PERIOD = 1 << 8,
	HAS_STREAM_ID = 1 << 9,
	HAS_RAW = 1 << 10,
	HAS_IDENTIFIER = 1 << 16,
};

/* of read_format */
enum {
	READ_ENABLED = 1 << 0,
	READ_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4,
};

enum { WORD = 8 };		/* most things have 8 bytes */

void perf_attrs_init(struct perf_attrs *a, const struct binary *b)
{
	*a = (struct perf_attrs){ .b = b };
}

void perf_attrs_free(struct perf_attrs *a)
{
	free(a->list);
	hash_free(&a->by_id);
}

/* --- attributes ----------------------------------------------------------- */

/* Bit fields begin at the other end of a byte on big-endian machines. */
static bool flag(const struct binary *b, const uint8_t *attr, unsigned int n)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	unsigned int bit = n % 8;

	if (b->swapped == is_little)	/* recorded by a big-endian machine */
		bit = 7 - bit;
	return attr[FLAGS + n / 8] >> bit & 1;
}

static bool id_is_where_others_have_it(const struct perf_attrs *a,
				       const struct perf_attr *one)
{
	const uint64_t before = HAS_IP | HAS_TID | HAS_TIME | HAS_ADDR | HAS_ID,
		       after = HAS_ID | HAS_STREAM_ID | HAS_CPU;
	uint64_t differ;

	if (!a->count)
		return true;
	differ = a->list->sample_type ^ one->sample_type;
	if (a->list->sample_type & one->sample_type & HAS_IDENTIFIER)
		return true;
	return !(differ & (before | after | HAS_IDENTIFIER));
}

int perf_attrs_add(struct perf_attrs *a, const uint8_t *attr, size_t len)
{
	struct perf_attr one, *list;

	if (len < PERF_ATTR_MIN || a->count == PERF_ATTRS_MAX)
		return -EBADMSG;
	one = (struct perf_attr){
		.is_tracepoint = binary_u32(a->b, attr + TYPE) ==
				 TYPE_TRACEPOINT,
		.config = binary_u64(a->b, attr + CONFIG),
		.sample_type = binary_u64(a->b, attr + SAMPLE_TYPE),
		.read_format = binary_u64(a->b, attr + READ_FORMAT),
		.sample_id_all = flag(a->b, attr, FLAG_SAMPLE_ID_ALL),
		.clock_set = flag(a->b, attr, FLAG_USE_CLOCKID) &&
			     len >= CLOCK + sizeof(one.clock),
	};
	if (one.clock_set)
		one.clock = (int32_t)binary_u32(a->b, attr + CLOCK);
	if (!id_is_where_others_have_it(a, &one))
		return -EBADMSG;
	list = array_reserve(a->list, a->count, &a->size, 16, sizeof(*list));
	if (!list)
		return -ENOMEM;
	a->list = list;
	list[a->count++] = one;
	return 0;
}

int perf_attrs_add_id(struct perf_attrs *a, uint64_t id)
{
	if (a->by_id.count >= PERF_IDS_MAX)
		return -EBADMSG;
	return hash_put_number(&a->by_id, id, a->count - 1);
}

/* --- samples -------------------------------------------------------------- */

/* what is left of a record; at stays NULL after the first miss */
struct rest {
	const struct binary *b;
	const uint8_t *at;
	size_t len;
};

static const uint8_t *next(struct rest *r, uint64_t len)
{
	const uint8_t *p = r->at;

	if (!p || len > r->len) {
		r->at = NULL;
		return NULL;
	}
	r->at += len;
	r->len -= (size_t)len;
	return p;
}

static uint64_t next_u64(struct rest *r)
{
	const uint8_t *p = next(r, WORD);

	return p ? binary_u64(r->b, p) : 0;
}

/* two numbers of 4 bytes */
static void next_pair(struct rest *r, uint32_t *first, uint32_t *second)
{
	const uint8_t *p = next(r, WORD);

	*first = p ? binary_u32(r->b, p) : 0;
	*second = p ? binary_u32(r->b, p + 4) : 0;
}

/* The attribute of a record, whose id may be at a place that all have in
 * common. */
static const struct perf_attr *attr_of(const struct perf_attrs *a,
				       const uint8_t *id)
{
	int64_t i;

	if (!a->count)
		return NULL;
	if (!id)
		return a->list;
	i = hash_get_number(&a->by_id, binary_u64(a->b, id));
	if (i < 0)		/* perf omits the ids of a single one */
		return a->count == 1 ? a->list : NULL;
	return &a->list[i];
}

static unsigned int words(uint64_t sample_type, uint64_t of)
{
	return (unsigned int)__builtin_popcountll(sample_type & of);
}

/* where the id is in a sample; NULL: it has none */
static const uint8_t *id_of_sample(const struct perf_attrs *a,
				   const uint8_t *bytes, size_t len)
{
	uint64_t has = a->count ? a->list->sample_type : 0;
	size_t at = 0;

	if (!(has & (HAS_IDENTIFIER | HAS_ID)))
		return NULL;
	if (!(has & HAS_IDENTIFIER))
		at = WORD * words(has, HAS_IP | HAS_TID | HAS_TIME | HAS_ADDR);
	return at + WORD <= len ? bytes + at : NULL;
}

static void skip_read(struct rest *r, uint64_t format)
{
	uint64_t times = words(format, READ_ENABLED | READ_RUNNING);
	uint64_t each = 1 + words(format, READ_ID | READ_LOST);
	uint64_t count = 1;

	if (format & READ_GROUP)
		count = next_u64(r);
	if (count > r->len)
		r->at = NULL;
	else
		next(r, WORD * (times + count * each));
}

static void skip_callchain(struct rest *r)
{
	uint64_t count = next_u64(r);

	if (count > r->len)
		r->at = NULL;
	else
		next(r, WORD * count);
}

static void read_raw(struct rest *r, struct perf_sample *s)
{
	const uint8_t *p = next(r, sizeof(s->raw_len));

	if (!p)
		return;
	s->raw_len = binary_u32(r->b, p);
	s->raw = next(r, s->raw_len);
}

static void skip_if(struct rest *r, bool has)
{
	if (has)
		next(r, WORD);
}

bool perf_sample_read(const struct perf_attrs *a, const uint8_t *bytes,
		      size_t len, struct perf_sample *s)
{
	const struct perf_attr *attr = attr_of(a, id_of_sample(a, bytes, len));
	struct rest r = { a->b, bytes, len };
	uint64_t has = attr ? attr->sample_type : 0;
	uint32_t none;

	*s = (struct perf_sample){ .attr = attr };
	if (!attr)
		return false;
	skip_if(&r, has & HAS_IDENTIFIER);
	skip_if(&r, has & HAS_IP);
	if (has & HAS_TID)
		next_pair(&r, &s->pid, &s->tid);
	if (has & HAS_TIME)
		s->time = next_u64(&r);
	skip_if(&r, has & HAS_ADDR);
	skip_if(&r, has & HAS_ID);
	skip_if(&r, has & HAS_STREAM_ID);
	if (has & HAS_CPU)
		next_pair(&r, &s->cpu, &none);
	skip_if(&r, has & HAS_PERIOD);
	if (has & HAS_READ)
		skip_read(&r, attr->read_format);
	if (has & HAS_CALLCHAIN)
		skip_callchain(&r);
	if (has & HAS_RAW)
		read_raw(&r, s);
	return r.at;
}

/* --- ends of other records ------------------------------------------------ */

#define AT_END (HAS_TID | HAS_TIME | HAS_ID | HAS_STREAM_ID | HAS_CPU | \
		HAS_IDENTIFIER)

/* where the id is; NULL: it has none */
static const uint8_t *id_of_end(uint64_t has, const uint8_t *end, size_t len)
{
	size_t back = WORD;

	if (!(has & (HAS_IDENTIFIER | HAS_ID)))
		return NULL;
	if (!(has & HAS_IDENTIFIER))
		back += WORD * words(has, HAS_STREAM_ID | HAS_CPU);
	return back <= len ? end - back : NULL;
}

size_t perf_sample_read_end(const struct perf_attrs *a, const uint8_t *bytes,
			    size_t len, struct perf_sample *s)
{
	struct rest r = { a->b, NULL, 0 };
	uint64_t has = a->count && a->list->sample_id_all ?
			       a->list->sample_type : 0;
	uint32_t none;

	*s = (struct perf_sample){ .attr = NULL };
	s->attr = has ? attr_of(a, id_of_end(has, bytes + len, len)) : NULL;
	if (!s->attr)
		return 0;
	has = s->attr->sample_type;
	r.len = WORD * words(has, AT_END);
	if (r.len > len)
		return 0;
	r.at = bytes + len - r.len;
	if (has & HAS_TID)
		next_pair(&r, &s->pid, &s->tid);
	if (has & HAS_TIME)
		s->time = next_u64(&r);
	skip_if(&r, has & HAS_ID);
	skip_if(&r, has & HAS_STREAM_ID);
	if (has & HAS_CPU)
		next_pair(&r, &s->cpu, &none);
	return WORD * words(has, AT_END);
}
