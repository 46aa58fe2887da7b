/* SPDX-License-Identifier: GPL-2.0-only */
/* Payloads of records; see payload.h. */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "record/payload.h"
#include "record/record.h"

/* of the numbers in blktrace's own messages; longer ones are ignored */
enum {
	COUNT_DIGITS = 11, SECONDS_DIGITS = 10, NS_DIGITS = 9,
	SPAN_DIGITS = 18,	/* of ns: 31 years */
};

/* --- numbers in the recording machine's byte order ------------------------ */

static uint32_t number32(const struct event *ev, size_t at)
{
	uint32_t n = get32(ev->payload + at);

	return ev->swapped ? __builtin_bswap32(n) : n;
}

static uint64_t number64(const struct event *ev, size_t at)
{
	uint64_t n = get64(ev->payload + at);

	return ev->swapped ? __builtin_bswap64(n) : n;
}

/* --- payloads ------------------------------------------------------------- */

const uint8_t *payload_body(const struct event *ev, size_t *len)
{
	size_t id = ev->action & BLK_CGROUP_FLAG ? BLK_CGROUP_SIZE : 0;

	if (id > ev->pdu_len)
		id = ev->pdu_len;
	*len = ev->pdu_len - id;
	return ev->payload + id;
}

/* 1.3.0: a little-endian machine does not swap the words of any trace; so all
 * machines show what it shows. */
static uint32_t cgroup_word(const struct event *ev, size_t at)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return is_little ? get32(ev->payload + at) : number32(ev, at);
}

bool payload_cgroup(const struct event *ev, uint32_t *ino, uint32_t *gen)
{
	*ino = *gen = 0;
	if (!(ev->action & BLK_CGROUP_FLAG) || ev->pdu_len < BLK_CGROUP_SIZE)
		return false;
	*ino = cgroup_word(ev, 0);
	*gen = cgroup_word(ev, 4);
	return true;
}

/* the kernel writes big-endian numbers on all machines */
static uint32_t big32(const uint8_t *p)
{
	return be32toh(get32(p));
}

static uint64_t big64(const uint8_t *p)
{
	return (uint64_t)big32(p) << 32 | big32(p + 4);
}

bool payload_number(const struct event *ev, uint64_t *value)
{
	size_t len;
	const uint8_t *p = payload_body(ev, &len);

	*value = 0;
	if (len < sizeof(*value))
		return false;
	*value = big64(p);
	return true;
}

/* Until February 2006 the payload was device and sector, from November 2005
 * with padding between; the target is the record's device. */
static bool old_remap(const struct event *ev, const uint8_t *p, size_t len,
		      struct remap *r)
{
	if (len < 12)
		return false;
	r->from = big32(p);
	r->to = ev->device;
	r->sector = big64(p + (len < 16 ? 4 : 8));
	return true;
}

bool payload_remap(const struct event *ev, struct remap *r)
{
	size_t len;
	const uint8_t *p = payload_body(ev, &len);

	*r = (struct remap){ 0 };
	if (ev->version < BLK_VERSION_7)
		return old_remap(ev, p, len, r);
	if (len < 16)
		return false;
	r->from = big32(p);
	r->to = big32(p + 4);
	r->sector = big64(p + 8);
	return true;
}

bool payload_clock(const struct event *ev, uint32_t *sec, uint32_t *nsec)
{
	if (ev->pdu_len != 8)
		return false;
	*sec = number32(ev, 0);
	*nsec = number32(ev, 4);
	return true;
}

/* --- seals ---------------------------------------------------------------- */

bool payload_seal(const struct event *ev, struct blk_seal *s)
{
	if (!event_is_note(ev) || event_number(ev) != BLK_TN_SEAL ||
	    ev->pdu_len < sizeof(*s))
		return false;
	*s = (struct blk_seal){
		.kind = number32(ev, offsetof(struct blk_seal, kind)),
		.streams = number32(ev, offsetof(struct blk_seal, streams)),
		.records = number64(ev, offsetof(struct blk_seal, records)),
		.dropped = number64(ev, offsetof(struct blk_seal, dropped)),
		.checksum = number64(ev, offsetof(struct blk_seal, checksum)),
		.end = number64(ev, offsetof(struct blk_seal, end)),
	};
	return true;
}

/* --- blktrace's own messages ---------------------------------------------- */

struct text {
	const char *at, *end;
};

/* Skips a word if it is next. */
static bool take_word(struct text *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len))
		return false;
	t->at += len;
	return true;
}

/* The number of digits that are next, 0 if above max, and *n, their value. */
static unsigned int take_digits(struct text *t, unsigned int max, uint64_t *n)
{
	unsigned int digits = 0;

	for (*n = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
		if (++digits <= max)
			*n = *n * 10 + (uint64_t)(*t->at - '0');
	return digits <= max ? digits : 0;
}

/* "S.NS" in ns; 0: other text */
static uint64_t take_time(struct text *t)
{
	uint64_t seconds, ns;

	if (!take_digits(t, SECONDS_DIGITS, &seconds) || !take_word(t, ".") ||
	    take_digits(t, NS_DIGITS, &ns) != NS_DIGITS)
		return 0;
	return seconds * NS_PER_SECOND + ns;
}

bool payload_dropped(const struct event *ev, uint64_t *n, uint64_t *since)
{
	size_t len;
	const char *p = (const char *)payload_body(ev, &len);
	struct text t = { p, p + len };

	*n = *since = 0;
	if (!take_word(&t, "blktrace: ") || !take_digits(&t, COUNT_DIGITS, n) ||
	    !take_word(&t, " dropped"))
		return false;
	if (take_word(&t, " since "))
		*since = take_time(&t);
	return true;
}

bool payload_missing(const struct event *ev, uint64_t *n, uint64_t *since)
{
	size_t len;
	const char *p = (const char *)payload_body(ev, &len);
	struct text t = { p, p + len };

	*n = *since = 0;
	if (!take_word(&t, "blktrace: ") || !take_digits(&t, COUNT_DIGITS, n) ||
	    !take_word(&t, " events missing since "))
		return false;
	*since = take_time(&t);
	return true;
}

/* --- calls that wait for the disk ----------------------------------------- */

const char sync_call_names[SYNC_CALLS][16] = {
	[SYNC_CALL_FSYNC] = "fsync",
	[SYNC_CALL_FDATASYNC] = "fdatasync",
	[SYNC_CALL_RANGE] = "sync_file_range",
	[SYNC_CALL_MSYNC] = "msync",
	[SYNC_CALL_WRITE] = "write",
};

void sync_call_text(char text[SYNC_CALL_TEXT], const struct sync_call *c)
{
	snprintf(text, SYNC_CALL_TEXT, "iotracer: %s of file %lu by %lu: %llu ns",
		 sync_call_names[c->kind], (unsigned long)c->file,
		 (unsigned long)c->process, (unsigned long long)c->duration);
}

static bool take_kind(struct text *t, enum sync_kind *kind)
{
	for (int i = 0; i < SYNC_CALLS; i++) {
		struct text rest = *t;

		if (!take_word(&rest, sync_call_names[i]) ||
		    !take_word(&rest, " of file "))
			continue;
		*kind = (enum sync_kind)i;
		*t = rest;
		return true;
	}
	return false;
}

static bool take_u32(struct text *t, uint32_t *n)
{
	uint64_t value;

	if (!take_digits(t, COUNT_DIGITS, &value) || value > UINT32_MAX)
		return false;
	*n = (uint32_t)value;
	return true;
}

static struct text text_of(const struct event *ev)
{
	size_t len;
	const char *p = (const char *)payload_body(ev, &len);

	return (struct text){ p, p + len };
}

bool payload_sync_call(const struct event *ev, struct sync_call *c)
{
	struct text t = text_of(ev);

	return take_word(&t, "iotracer: ") && take_kind(&t, &c->kind) &&
	       take_u32(&t, &c->file) && take_word(&t, " by ") &&
	       take_u32(&t, &c->process) && take_word(&t, ": ") &&
	       take_digits(&t, SPAN_DIGITS, &c->duration) &&
	       take_word(&t, " ns");
}

bool payload_sync_file(const struct event *ev, uint32_t *file,
		       const char **path, size_t *len)
{
	struct text t = text_of(ev);

	if (!take_word(&t, "iotracer: file ") || !take_u32(&t, file) ||
	    !take_word(&t, ": "))
		return false;
	*path = t.at;
	*len = (size_t)(t.end - t.at);
	return true;
}

/* --- imported ------------------------------------------------------------- */

/* whether a text ends with that */
static bool ends_with(const struct text *t, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(t->end - t->at) >= len &&
	       !memcmp(t->end - len, word, len);
}

bool payload_imported(const struct event *ev, struct imported *of)
{
	size_t len;
	const char *p = (const char *)payload_body(ev, &len);
	struct text t = { p, p + len };

	if (!event_is_message(ev) || !take_word(&t, "blktrace: imported from "))
		return false;
	*of = (struct imported){ t.at, (size_t)(t.end - t.at), IMPORTED_ALL };
	if (ends_with(&t, IMPORTED_RESPONSE))
		of->times = IMPORTED_WHOLE;
	else if (ends_with(&t, IMPORTED_NO_RESPONSE))
		of->times = IMPORTED_NONE;
	return true;
}
