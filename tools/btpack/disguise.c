/* SPDX-License-Identifier: GPL-2.0-only */
/* Anonymising; see disguise.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/time.h"
#include "file/segments.h"
#include "record/payload.h"
#include "run/marks.h"
#include "tools/btpack/disguise.h"
#include "tools/btpack/keyed.h"
#include "tools/btpack/record_bytes.h"

enum {
	PID_BITS = 22,		/* of the kernel's highest */
	SHIFTS = 1 << 16,	/* different ones of sectors */
	SHIFT = 2048,		/* sectors: 1 MiB */
	TEXT = 160,		/* bytes of a message, also a call's */
	DAY = 86400,
};

/* a device, and one that it is stacked with, or its partition or disk */
struct link {
	uint32_t device;
	uint32_t up;		/* index of the other one, or of itself */
};

struct links {
	struct hash by;		/* device to index */
	struct link *list;
	size_t count, size;
};

/* numbers that were computed, by those that they are for */
struct map {
	struct hash by;
	uint64_t *to;
	size_t count, size;
};

struct disguise {
	struct keyed *key;
	struct map pids, cgroups, shifts;
	struct links links;
	uint64_t epoch;		/* ns since 1970: the earliest start of a
				 * machine; UINT64_MAX: unknown */
};

struct disguise *disguise_new(const char *text)
{
	struct disguise *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->epoch = UINT64_MAX;
	d->key = keyed_new(text);
	if (d->key)
		return d;
	free(d);
	return NULL;
}

static void map_free(struct map *m)
{
	hash_free(&m->by);
	free(m->to);
}

void disguise_free(struct disguise *d)
{
	if (!d)
		return;
	map_free(&d->pids);
	map_free(&d->cgroups);
	map_free(&d->shifts);
	hash_free(&d->links.by);
	free(d->links.list);
	keyed_free(d->key);
	free(d);
}

/* --- numbers -------------------------------------------------------------- */

typedef uint64_t compute(const struct keyed *k, uint32_t number);

/* 0 and the number that another one becomes; -ENOMEM */
static int map_number(struct map *m, const struct keyed *k, compute *f,
		      uint32_t number, uint64_t *to)
{
	int64_t at = hash_get_number(&m->by, number);
	uint64_t *list;

	if (at >= 0) {
		*to = m->to[at];
		return 0;
	}
	list = array_reserve(m->to, m->count, &m->size, 64, sizeof(*list));
	if (!list)
		return -ENOMEM;
	m->to = list;
	*to = list[m->count] = f(k, number);
	return hash_put_number(&m->by, number, (uint32_t)m->count++);
}

/* 0, which is no process, stays; so does which pids the kernel may give. */
static uint64_t other_pid(const struct keyed *k, uint32_t pid)
{
	bool usual = pid >> PID_BITS == 0;
	uint32_t to = pid;

	if (!pid)
		return 0;
	do
		to = keyed_number(k, "pid", usual ? PID_BITS : 32, to);
	while (usual ? !to : to >> PID_BITS == 0);
	return to;
}

static uint64_t other_cgroup(const struct keyed *k, uint32_t ino)
{
	return keyed_number(k, "cgroup", 32, ino);
}

/* The kernel's ids are an inode and its generation. */
uint64_t disguise_cgroup(const struct disguise *d, uint64_t id)
{
	return id >> 32 << 32 | other_cgroup(d->key, (uint32_t)id);
}

static uint64_t shift_of(const struct keyed *k, uint32_t device)
{
	return SHIFT * (1 + keyed_hash(k, "device", &device, sizeof(device)) %
			    SHIFTS);
}

/* --- devices -------------------------------------------------------------- */

/* The index of a device's link, added if it is new; or -ENOMEM. */
static int64_t link_of(struct links *l, uint32_t device)
{
	int64_t at = hash_get_number(&l->by, device);
	struct link *list;

	if (at >= 0)
		return at;
	list = array_reserve(l->list, l->count, &l->size, 16, sizeof(*list));
	if (!list)
		return -ENOMEM;
	l->list = list;
	at = (int64_t)l->count++;
	list[at] = (struct link){ device, (uint32_t)at };
	return hash_put_number(&l->by, device, (uint32_t)at) ? -ENOMEM : at;
}

static uint32_t top_of(struct links *l, uint32_t at)
{
	while (l->list[at].up != at)
		at = l->list[at].up = l->list[l->list[at].up].up;
	return at;
}

int disguise_link(struct disguise *d, uint32_t a, uint32_t b)
{
	struct links *l = &d->links;
	int64_t at = link_of(l, a), other = link_of(l, b);
	uint32_t one, two;

	if (at < 0 || other < 0)
		return -ENOMEM;
	one = top_of(l, (uint32_t)at);
	two = top_of(l, (uint32_t)other);
	/* the least number, whatever the order of links */
	if (l->list[one].device < l->list[two].device)
		l->list[two].up = one;
	else
		l->list[one].up = two;
	return 0;
}

/* The one of the linked devices by which they are shifted. */
static uint32_t first_of(struct links *l, uint32_t device)
{
	int64_t at = hash_get_number(&l->by, device);

	return at < 0 ? device : l->list[top_of(l, (uint32_t)at)].device;
}

/* Sectors that mean none stay. */
static int other_sector(struct disguise *d, uint32_t device, uint32_t bytes,
			uint64_t *sector)
{
	uint64_t shift;
	int err = map_number(&d->shifts, d->key, shift_of,
			     first_of(&d->links, device), &shift);

	if (!err && (*sector || bytes) && *sector < UINT64_MAX - shift)
		*sector += shift;
	return err;
}

/* --- times of day --------------------------------------------------------- */

void disguise_clock(struct disguise *d, uint64_t wall, uint64_t time)
{
	if (wall > time && wall - time < d->epoch)
		d->epoch = wall - time;
}

uint64_t disguise_wall(const struct disguise *d, uint64_t wall)
{
	const uint64_t start = DAY * NS_PER_SECOND;

	return wall >= d->epoch ? wall - d->epoch + start : start;
}

/* --- notes ---------------------------------------------------------------- */

/* the payload without the cgroup's id */
struct body {
	uint8_t *bytes;
	size_t len;
};

static struct body body_of(struct record_bytes *b)
{
	size_t len;

	payload_body(&b->ev, &len);
	return (struct body){ record_payload(b) + b->ev.pdu_len - len, len };
}

void disguise_word(const struct disguise *d, char *word, const char *text,
		   size_t len)
{
	keyed_word(d->key, word, text, len);
}

/* A word in place of a name of at most len bytes, up to its NUL. */
static void put_word(const struct disguise *d, uint8_t *name, size_t len)
{
	size_t was = strnlen((const char *)name, len);
	char word[KEYED_WORD];

	if (!was)
		return;
	keyed_word(d->key, word, (const char *)name, was);
	memset(name, 0, len);
	memcpy(name, word, len < sizeof(word) - 1 ? len : sizeof(word) - 1);
}

static void change_stamp(const struct disguise *d, struct record_bytes *b)
{
	size_t at = b->layout->size;
	uint32_t sec, nsec;
	uint64_t wall;

	if (!payload_clock(&b->ev, &sec, &nsec))
		return;
	wall = disguise_wall(d, sec * NS_PER_SECOND + nsec);
	record_set32(b, at, (uint32_t)(wall / NS_PER_SECOND));
	record_set32(b, at + 4, (uint32_t)(wall % NS_PER_SECOND));
}

/* the text that a driver's messages start with; "" for other messages */
static const char *origin_of(const char *text, size_t len)
{
	const char *prefix;

	for (unsigned int i = 0; (prefix = mark_foreign(i)); i++)
		if (len >= strlen(prefix) &&
		    !memcmp(text, prefix, strlen(prefix)))
			return prefix;
	return "";
}

/* Writes iotracer's message of a call or of a file's path anew, so that a file's
 * calls remain one file's; the length, or 0: another message. */
static int iotracer_text(const struct disguise *d, const struct event *ev,
			 char now[TEXT])
{
	struct sync_call call;
	char word[KEYED_WORD];
	const char *path;
	uint32_t file;
	size_t len;

	if (payload_sync_call(ev, &call)) {
		call.process = (uint32_t)other_pid(d->key, call.process);
		sync_call_text(now, &call);
		return (int)strlen(now);
	}
	if (!payload_sync_file(ev, &file, &path, &len))
		return 0;
	keyed_word(d->key, word, path, len);
	return snprintf(now, TEXT, SYNC_FILE_TEXT "%s", (unsigned long)file,
			word);
}

/* Readers need blktrace's own messages, which are numbers and times. */
static void change_message(const struct disguise *d, struct record_bytes *b)
{
	struct body body = body_of(b);
	const char *text = (const char *)body.bytes;
	size_t len = strnlen(text, body.len), id = b->ev.pdu_len - body.len;
	char word[KEYED_WORD], now[TEXT];
	uint64_t n, since;
	int end;

	if (payload_dropped(&b->ev, &n, &since) ||
	    payload_missing(&b->ev, &n, &since))
		return;
	while (len && text[len - 1] == '\n')
		len--;
	end = iotracer_text(d, &b->ev, now);
	if (!end) {
		keyed_word(d->key, word, text, len);
		end = snprintf(now, sizeof(now), "%s%s", origin_of(text, len),
			       word);
	}
	memcpy(body.bytes, now, (size_t)end);
	b->len = b->layout->size + id + (size_t)end;
	record_set16(b, b->layout->pdu_len, (uint16_t)(id + (size_t)end));
}

static void change_note(const struct disguise *d, struct record_bytes *b)
{
	struct body body = body_of(b);

	switch (event_number(&b->ev)) {
	case BLK_TN_PROCESS:
		put_word(d, body.bytes, body.len);
		break;
	case BLK_TN_TIMESTAMP:
		change_stamp(d, b);
		break;
	case BLK_TN_MESSAGE:
		change_message(d, b);
		break;
	default:
		memset(body.bytes, 0, body.len);
	}
}

/* --- payloads of events --------------------------------------------------- */

static uint32_t big32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/* A sector of the device at p, in the order of bytes of all payloads. */
static int change_sector(struct disguise *d, uint8_t *p, uint32_t device,
			 uint32_t bytes)
{
	uint64_t sector = (uint64_t)big32(p) << 32 | big32(p + 4);
	int err = other_sector(d, device, bytes, &sector);

	for (unsigned int i = 0; i < 8; i++)
		p[i] = (uint8_t)(sector >> (56 - 8 * i));
	return err;
}

/* The device, in version 7 two, and a sector of the first. */
static int change_remap(struct disguise *d, struct record_bytes *b,
			struct body body)
{
	size_t at = b->ev.version >= BLK_VERSION_7 || body.len >= 16 ? 8 : 4;

	if (body.len < at + 8) {
		memset(body.bytes, 0, body.len);
		return 0;
	}
	memset(body.bytes + at + 8, 0, body.len - at - 8);
	return change_sector(d, body.bytes + at, big32(body.bytes),
			     b->ev.bytes);
}

/* a number of eight bytes: what follows it goes */
static int keep_number(struct disguise *d, struct record_bytes *b,
		       struct body body)
{
	size_t keep = body.len < 8 ? 0 : 8;

	(void)d, (void)b;
	memset(body.bytes + keep, 0, body.len - keep);
	return 0;
}

static int change_split(struct disguise *d, struct record_bytes *b,
			struct body body)
{
	keep_number(d, b, body);
	return body.len < 8 ? 0 : change_sector(d, body.bytes, b->ev.device,
						b->ev.bytes);
}

/* A packet command keeps its first byte, which says what it does. */
static int change_other(struct disguise *d, struct record_bytes *b,
			struct body body)
{
	size_t keep = event_is_pc(&b->ev) && body.len ? 1 : 0;

	(void)d;
	memset(body.bytes + keep, 0, body.len - keep);
	return 0;
}

typedef int change_payload(struct disguise *d, struct record_bytes *b,
			   struct body body);

static change_payload *const payloads[BLK_TA_COUNT] = {
	[BLK_TA_UNPLUG_IO] = keep_number, [BLK_TA_UNPLUG_TIMER] = keep_number,
	[BLK_TA_ZONE_UNPLUG] = keep_number, [BLK_TA_SPLIT] = change_split,
	[BLK_TA_REMAP] = change_remap,
};

static int change_event(struct disguise *d, struct record_bytes *b)
{
	uint32_t number = event_number(&b->ev);
	change_payload *change = number < BLK_TA_COUNT ? payloads[number] :
							 NULL;
	uint64_t sector = b->ev.sector;
	int err = other_sector(d, b->ev.device, b->ev.bytes, &sector);

	record_set64(b, RECORD_SECTOR, sector);
	if (!err && b->ev.pdu_len)
		err = (change ? change : change_other)(d, b, body_of(b));
	return err;
}

/* --- all records ---------------------------------------------------------- */

/* The id's first word, which is a cgroup's inode; see payload_cgroup(). */
static int change_cgroup(struct disguise *d, struct record_bytes *b)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint32_t ino, gen, to;
	uint64_t now;
	int err;

	if (!payload_cgroup(&b->ev, &ino, &gen))
		return 0;
	err = map_number(&d->cgroups, d->key, other_cgroup, ino, &now);
	to = (uint32_t)now;
	if (!err && is_little)
		memcpy(record_payload(b), &to, sizeof(to));
	else if (!err)
		record_set32(b, b->layout->size, to);
	return err;
}

static int change_pid(struct disguise *d, struct record_bytes *b)
{
	struct segment_head head;
	uint64_t pid;
	int err;

	/* its pid marks it */
	if (segment_head_of(&b->ev, &head))
		return 0;
	err = map_number(&d->pids, d->key, other_pid, b->ev.pid, &pid);
	if (!err)
		record_set32(b, b->layout->pid, (uint32_t)pid);
	if (!err && b->layout->comm)
		put_word(d, b->bytes + b->layout->comm, 16);
	return err;
}

int disguise_record(struct disguise *d, struct record_bytes *b)
{
	int err = change_pid(d, b);

	if (!err)
		err = change_cgroup(d, b);
	if (err)
		return err;
	b->ev.payload = record_payload(b);
	if (!event_is_note(&b->ev))
		return change_event(d, b);
	change_note(d, b);
	return 0;
}
