/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of all versions and both byte orders; see record.h. */
#include "record/record.h"

/*
 * Bytes 0 to 27 are the same in every version: magic, sequence, time, sector,
 * bytes.  Then 2 to 7 have a 32-bit action; version 8 moved the pid before a
 * 64-bit one.
 */
enum { OFF_SEQUENCE = 4, OFF_TIME = 8, OFF_SECTOR = 16, OFF_BYTES = 24,
       OFF_ACTION = 28, OFF_ACTION_8 = 32 };

static const struct layout layouts[] = {
	{ .version = 2, .size = 40, .pid = 32, .error = 36, .pdu_len = 38 },
	{ .version = 3, .size = 48, .pid = 32, .cpu = 36, .cpu_bytes = 2,
	  .error = 38, .pdu_len = 40 },
	{ .version = 3, .size = 44, .pid = 32, .cpu = 36, .cpu_bytes = 2,
	  .error = 38, .pdu_len = 40 },
	{ .version = 4, .size = 64, .pid = 32, .cpu = 36, .cpu_bytes = 4,
	  .error = 40, .pdu_len = 42, .comm = 44 },
	{ .version = 4, .size = 64, .pid = 32, .cpu = 36, .cpu_bytes = 4,
	  .error = 40, .pdu_len = 42, .device = 44, .comm = 48 },
	{ .version = 4, .size = 60, .pid = 32, .cpu = 36, .cpu_bytes = 4,
	  .error = 40, .pdu_len = 42, .comm = 44 },
	{ .version = 5, .size = 64, .pid = 32, .cpu = 36, .cpu_bytes = 4,
	  .error = 40, .pdu_len = 42, .device = 44, .comm = 48 },
	{ .version = 6, .size = 64, .pid = 32, .cpu = 36, .cpu_bytes = 4,
	  .error = 40, .pdu_len = 42, .device = 44, .comm = 48 },
	{ .version = 7, .size = 48, .pid = 32, .device = 36, .cpu = 40,
	  .cpu_bytes = 4, .error = 44, .pdu_len = 46 },
	{ .version = 8, .size = 64, .pid = 28, .device = 40, .cpu = 44,
	  .cpu_bytes = 4, .error = 48, .pdu_len = 50 },
};

const struct layout *record_layout(unsigned int version, unsigned int n)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].version == version && n-- == 0)
			return &layouts[i];
	return NULL;
}

static bool known_version(uint32_t magic, unsigned int *version)
{
	*version = magic & ~BLK_MAGIC_MASK;
	return (magic & BLK_MAGIC_MASK) == BLK_MAGIC &&
	       *version >= BLK_VERSION_MIN && *version <= BLK_VERSION_8;
}

bool record_magic(const uint8_t *raw, unsigned int *version, bool *swapped)
{
	uint32_t magic = get32(raw);

	*swapped = false;
	if (known_version(magic, version))
		return true;
	*swapped = true;
	return known_version(__builtin_bswap32(magic), version);
}

#define ALL_BYTES(c) (UINT64_C(0x0101010101010101) * (c))

static inline bool any_zero(uint64_t word)
{
	return (word - ALL_BYTES(1)) & ~word & ALL_BYTES(0x80);
}

/*
 * Eight places at once: whether any of those from p on may begin a magic.  Its
 * second and third byte are 't' and 'a', and beside them is an 'e', on the
 * side of the 'a'.  Any other two neighbours with the same difference pass,
 * too.  Reads eleven bytes.
 */
static bool any_near(const uint8_t *p)
{
	uint64_t middle = get64(p + 1) ^ get64(p + 2) ^ ALL_BYTES('t' ^ 'a');

	return any_zero(middle) &&
	       (any_zero(middle | (get64(p) ^ ALL_BYTES('e'))) ||
		any_zero(middle | (get64(p + 3) ^ ALL_BYTES('e'))));
}

const uint8_t *record_find(const uint8_t *from, const uint8_t *end)
{
	unsigned int version;
	bool swapped;

	while (end - from >= 4) {
		if (end - from >= 11 && !any_near(from)) {
			from += 8;
			continue;
		}
		for (int i = 0; i < 8 && end - from >= 4; i++, from++)
			if (record_magic(from, &version, &swapped))
				return from;
	}
	return from;
}

static uint16_t take16(const uint8_t *p, bool swapped)
{
	return swapped ? __builtin_bswap16(get16(p)) : get16(p);
}

static uint32_t take32(const uint8_t *p, bool swapped)
{
	return swapped ? __builtin_bswap32(get32(p)) : get32(p);
}

static uint64_t take64(const uint8_t *p, bool swapped)
{
	return swapped ? __builtin_bswap64(get64(p)) : get64(p);
}

/* The first days' kernels gave a requeue the category of queueing. */
static uint32_t fix_requeue(uint32_t action)
{
	if ((action & BLK_ACTION_MASK) != BLK_TA_REQUEUE)
		return action;
	return (action & ~BLK_TC_ACT(BLK_TC_QUEUE)) |
	       BLK_TC_ACT(BLK_TC_REQUEUE);
}

static void decode_action(const struct layout *l, bool swapped,
			  const uint8_t *raw, struct event *ev)
{
	uint64_t word;

	if (l->version != BLK_VERSION_8) {
		ev->action = take32(raw + OFF_ACTION, swapped);
		if (l->version == 2)
			ev->action = fix_requeue(ev->action);
		ev->zone = 0;
		return;
	}
	word = take64(raw + OFF_ACTION_8, swapped);
	ev->action = (uint32_t)word;
	ev->zone = (uint32_t)(word >> 32);
}

void record_decode(const struct layout *l, bool swapped, const uint8_t *raw,
		   struct event *ev)
{
	ev->magic = BLK_MAGIC | BLK_VERSION_7;
	ev->sequence = take32(raw + OFF_SEQUENCE, swapped);
	ev->time = take64(raw + OFF_TIME, swapped);
	ev->sector = take64(raw + OFF_SECTOR, swapped);
	ev->bytes = take32(raw + OFF_BYTES, swapped);
	decode_action(l, swapped, raw, ev);
	ev->pid = take32(raw + l->pid, swapped);
	ev->device = l->device ? take32(raw + l->device, swapped) : 0;
	ev->cpu = 0;
	if (l->cpu_bytes)
		ev->cpu = l->cpu_bytes == 2 ? take16(raw + l->cpu, swapped) :
					      take32(raw + l->cpu, swapped);
	ev->error = take16(raw + l->error, swapped);
	ev->pdu_len = take16(raw + l->pdu_len, swapped);
	ev->version = l->version;
	ev->swapped = swapped;
}

const char *record_comm(const struct layout *l, const uint8_t *raw)
{
	return l->comm ? (const char *)raw + l->comm : NULL;
}

static size_t encode_7(const struct event *ev, uint8_t *raw)
{
	if (ev->zone)
		return 0;
	memcpy(raw, ev, BLK_HEADER_7);
	return BLK_HEADER_7;
}

static size_t encode_8(const struct event *ev, uint8_t *raw)
{
	const struct layout *l = record_layout(BLK_VERSION_8, 0);
	uint32_t magic = BLK_MAGIC | BLK_VERSION_8;
	uint64_t action = (uint64_t)ev->zone << 32 | ev->action;

	memset(raw, 0, BLK_HEADER_8);
	memcpy(raw, ev, OFF_ACTION);
	memcpy(raw, &magic, sizeof(magic));
	memcpy(raw + l->pid, &ev->pid, sizeof(ev->pid));
	memcpy(raw + OFF_ACTION_8, &action, sizeof(action));
	memcpy(raw + l->device, &ev->device, sizeof(ev->device));
	memcpy(raw + l->cpu, &ev->cpu, sizeof(ev->cpu));
	memcpy(raw + l->error, &ev->error, sizeof(ev->error));
	memcpy(raw + l->pdu_len, &ev->pdu_len, sizeof(ev->pdu_len));
	return BLK_HEADER_8;
}

size_t record_encode(const struct event *ev, unsigned int version,
		     uint8_t *raw)
{
	return version == BLK_VERSION_8 ? encode_8(ev, raw) : encode_7(ev, raw);
}
