/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a ring buffer, event by event, and the texts in which tracefs
 * describes them, as Linux 6.18 (x86-64) has these.
 */
#ifndef TESTS_UNIT_RING_PAGE_H
#define TESTS_UNIT_RING_PAGE_H

#include "scratch.h"

enum { PAGE = 4096, PAGE_HEAD = 16, BLK_TYPE = 14, MARKER_TYPE = 5,
       PADDING = 29, TIME_EXTEND, TIME_STAMP };

#define LOST (UINT64_C(0xffffffff80000000))	/* that is what is added */
#define LOST_STORED (UINT64_C(0xffffffffc0000000))

#define HEADER_PAGE \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" \
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" \
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"
#define HEADER_EVENT \
	"# compressed entry header\n" \
	"\ttype_len    :    5 bits\n" \
	"\ttime_delta  :   27 bits\n" \
	"\tarray       :   32 bits\n\n" \
	"\tpadding     : type == 29\n" \
	"\ttime_extend : type == 30\n" \
	"\ttime_stamp : type == 31\n" \
	"\tdata max type_len  == 28\n"
#define COMMON_FIELDS \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;" \
	"\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;" \
	"\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;" \
	"\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FORMAT(id) \
	"name: x\nID: " #id "\nformat:\n" COMMON_FIELDS \
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"

/* all but 12, 14 and 16 of 1 to 17 are somebody's; *path is below dir */
static inline void put_texts(const char *dir)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{ "header_page", HEADER_PAGE },
		{ "header_event", HEADER_EVENT },
		{ "ftrace/function/format", FORMAT(1) },
		{ "ftrace/context_switch/format", FORMAT(2) },
		{ "ftrace/wakeup/format", FORMAT(3) },
		{ "ftrace/kernel_stack/format", FORMAT(4) },
		{ "ftrace/print/format", FORMAT(5) },
		{ "ftrace/bprint/format", FORMAT(6) },
		{ "ftrace/mmiotrace_rw/format", FORMAT(7) },
		{ "ftrace/mmiotrace_map/format", FORMAT(8) },
		{ "ftrace/branch/format", FORMAT(9) },
		{ "ftrace/funcgraph_exit/format", FORMAT(10) },
		{ "ftrace/funcgraph_entry/format", FORMAT(11) },
		{ "ftrace/user_stack/format", FORMAT(13) },
		{ "ftrace/bputs/format", FORMAT(15) },
		{ "ftrace/osnoise/format", FORMAT(17) },
		{ "ftrace/enable", "0\n" },
	};
	char path[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/events/%s", dir,
			 files[i].name);
		put(path, files[i].text);
	}
}

/* --- a page -------------------------------------------------------------- */

struct ring_page {
	uint8_t bytes[PAGE];
	size_t len;		/* of its data */
};

static inline void page_commit(struct ring_page *p, uint64_t flags)
{
	uint64_t commit = flags + p->len;

	memcpy(p->bytes + 8, &commit, sizeof(commit));
}

static inline void page_start(struct ring_page *p, uint64_t time)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->bytes, &time, sizeof(time));
}

static inline void page_add(struct ring_page *p, const void *bytes, size_t len)
{
	assert_true(p->len + len <= PAGE - PAGE_HEAD);
	memcpy(p->bytes + PAGE_HEAD + p->len, bytes, len);
	p->len += len;
	page_commit(p, 0);
}

static inline void page_word(struct ring_page *p, uint32_t word)
{
	page_add(p, &word, sizeof(word));
}

static inline void page_head(struct ring_page *p, uint32_t type,
			     uint32_t delta)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	page_word(p, type | delta << 5);
#else
	page_word(p, type << 27 | delta);
#endif
}

/* an event of two words: type, delta, the word */
static inline void page_pair(struct ring_page *p, uint32_t type, uint32_t delta,
			     uint32_t word)
{
	page_head(p, type, delta);
	page_word(p, word);
}

/* an entry, as short or as long as it is, with zeros up to a whole word */
static inline void page_entry(struct ring_page *p, uint32_t delta,
			      const void *bytes, size_t len)
{
	static const uint8_t zeros[4];
	size_t words = (len + 3) / 4;

	if (words <= 28)
		page_head(p, (uint32_t)words, delta);
	else
		page_pair(p, 0, delta, (uint32_t)(words + 1) * 4);
	page_add(p, bytes, len);
	page_add(p, zeros, words * 4 - len);
}

/* ends a page before which events were lost; 0: how many is not said */
static inline void page_lost(struct ring_page *p, uint64_t lost)
{
	if (lost)
		memcpy(p->bytes + PAGE_HEAD + p->len, &lost, sizeof(lost));
	page_commit(p, lost ? LOST_STORED : LOST);
}

#endif
