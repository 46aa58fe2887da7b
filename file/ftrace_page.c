/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page of the kernel's ring buffer; see ftrace_page.h.
 *
 * A page has a time, a length of its data, and data.  Its length has two more
 * bits: events were lost before this page; their number follows the data.
 * Data are events, each of them
 *
 *	a word: type, and ns since the event before or since the page's time
 *	type 1 to data_max: so many words are its entry
 *	type 0: a word with the bytes that follow, itself included; an entry
 *	padding: the same, but no entry; without ns the rest of the page is
 *	time_extend: a word, the upper bits of the ns; no entry
 *	time_stamp: the same of a time, of which only the highest bits miss
 *
 * Words are in the machine's own order, and the type is in the bits that its
 * compilers fill first.
 */
#include <errno.h>
#include <string.h>

#include "base/hint.h"
#include "file/ftrace_layout.h"
#include "file/ftrace_page.h"
#include "record/record.h"

/*
 * Of a page's length, in the kernel's ring_buffer.c; no text has them.  They
 * are numbers with a sign there: all that is above them is set with the first.
 */
#define MISSED_EVENTS (UINT32_C(1) << 31)
#define MISSED_STORED (UINT32_C(1) << 30)

static uint64_t long_at(const struct ftrace_layout *l, const uint8_t *p)
{
	return l->commit_size == sizeof(uint64_t) ? get64(p) : get32(p);
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
				   .time = get64(bytes + l->stamp),
				   .lossy = commit & MISSED_EVENTS };
	if (!p->lossy || !(commit & MISSED_STORED))
		return 0;
	if (len - l->data - size < l->commit_size)
		return -EBADMSG;
	p->lost = long_at(l, p->end);
	return 0;
}

/* --- events --------------------------------------------------------------- */

static inline uint32_t type_of(const struct ftrace_layout *l, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word & ((1u << l->type_bits) - 1);
#else
	return word >> l->delta_bits;
#endif
}

static inline uint32_t delta_of(const struct ftrace_layout *l, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word >> l->type_bits;
#else
	return word & ((1u << l->delta_bits) - 1);
#endif
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

/* An event of two words at least: type, and in the second more of it. */
static COLD int next_long(struct ftrace_page *p, struct ftrace_entry *e,
			  uint32_t type, uint32_t delta)
{
	const struct ftrace_layout *l = p->layout;
	uint64_t second;

	if (p->end - p->at < 8)
		return -EBADMSG;
	second = get32(p->at + 4);
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
	int got = 0;

	while (!got && p->end - p->at >= 4) {
		uint32_t word = get32(p->at);
		uint32_t type = type_of(l, word), delta = delta_of(l, word);
		size_t len = 4 * (size_t)type;

		if (type == l->padding && !delta)
			return 0;
		if (UNLIKELY(type - 1 >= l->data_max)) {
			got = next_long(p, e, type, delta);
			continue;
		}
		if (UNLIKELY(len > (size_t)(p->end - p->at) - 4))
			return -EBADMSG;
		p->time += delta;
		*e = (struct ftrace_entry){ p->at + 4, len, p->time };
		p->at += 4 + len;
		return 1;
	}
	return got ? got : p->at == p->end ? 0 : -EBADMSG;
}
