/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a printed event to an event; see printed_event.h. */
#include <string.h>

#include "blktrace.h"
#include "import/printed_event.h"
#include "import/scan.h"
#include "record/action.h"

enum {
	SECTOR = 512,
	LETTERS = 2,		/* of an action, at most */
};

#define CAT(name) BLK_TC_BIT(BLK_TC_##name)

/* what the kernel adds to an action, apart from the operation */
static const uint32_t added[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = CAT(QUEUE),
	[BLK_TA_BACKMERGE] = CAT(QUEUE),
	[BLK_TA_FRONTMERGE] = CAT(QUEUE),
	[BLK_TA_GETRQ] = CAT(QUEUE),
	[BLK_TA_SLEEPRQ] = CAT(QUEUE),
	[BLK_TA_REQUEUE] = CAT(REQUEUE),
	[BLK_TA_ISSUE] = CAT(ISSUE),
	[BLK_TA_COMPLETE] = CAT(COMPLETE),
	[BLK_TA_PLUG] = CAT(QUEUE),
	[BLK_TA_UNPLUG_IO] = CAT(QUEUE),
	[BLK_TA_UNPLUG_TIMER] = CAT(QUEUE),
	[BLK_TA_INSERT] = CAT(QUEUE),
	[BLK_TA_REMAP] = CAT(QUEUE),
	[BLK_TA_ZONE_PLUG] = CAT(QUEUE),
	[BLK_TA_ZONE_UNPLUG] = CAT(QUEUE),
};

/* always of requests, which are a file system's or packet commands */
static const bool of_request[BLK_TA_COUNT] = {
	[BLK_TA_INSERT] = true, [BLK_TA_ISSUE] = true, [BLK_TA_REQUEUE] = true,
};

/* --- values --------------------------------------------------------------- */

#define LETTERS_OF(name, letters, ...) [BLK_TA_##name] = letters,

static const char *const actions[BLK_TA_COUNT] = { BLK_ACTIONS(LETTERS_OF) };

uint32_t printed_action(const char *letters, size_t len)
{
	char word[LETTERS + 1] = "";

	if (!len || len > LETTERS)
		return 0;
	memcpy(word, letters, len);
	for (uint32_t i = 1; i < BLK_TA_COUNT; i++)
		if (actions[i] && actions[i][0] == word[0] &&
		    actions[i][1] == word[1])
			return i;
	return 0;
}

bool printed_rwbs(struct printed *p, const char *letters, size_t len)
{
	size_t flush = len > 1 && *letters == 'F';

	p->is_read = len > flush && letters[flush] == 'R';
	return rwbs_parse(letters, len, &p->categories);
}

bool printed_sectors(struct printed *p, uint64_t sectors)
{
	if (sectors > UINT32_MAX / SECTOR)
		return false;
	p->ev.bytes = (uint32_t)sectors * SECTOR;
	p->has_size = true;
	return true;
}

/* With -s and -t blkparse calls the nameless "unknown". */
void printed_name(struct printed *p, const char *name, size_t len)
{
	const struct field f = { name, len };

	if (!field_is(&f, "(null)") && !field_is(&f, "unknown"))
		p->name = f;
}

/* --- packet commands ------------------------------------------------------ */

/* Two digits, which no other follows. */
static bool takes_byte(struct scan *s, uint8_t *byte)
{
	const char *p = s->at;
	unsigned int high, low;

	if (s->end - p < 2)
		return false;
	high = scan_hex_digit(p[0]);
	low = scan_hex_digit(p[1]);
	if (high > 15 || low > 15 ||
	    (s->end - p > 2 && scan_hex_digit(p[2]) < 16))
		return false;
	*byte = (uint8_t)(high << 4 | low);
	s->at += 2;
	return true;
}

size_t printed_command(const char *text, size_t len, uint8_t *bytes,
		       size_t *used)
{
	struct scan s = { .at = text, .end = text + len };
	uint8_t byte;
	size_t n = 0;

	*used = 0;
	while (takes_byte(&s, &byte)) {
		if (bytes)
			bytes[n] = byte;
		n++;
		*used = (size_t)(s.at - text);
		if (!scan_char(&s, ' ', ""))
			break;
	}
	s.at = text + *used;
	if (n && scan_text(&s, " ..", 3, ""))
		*used += 3;
	return n;
}

/* Bytes of a SCSI command by its operation code. */
static size_t command_size(uint8_t code)
{
	static const uint8_t sizes[8] = { 6, 10, 10, 6, 16, 12, 6, 6 };

	return sizes[code >> 5];
}

static size_t put_command(const struct field *f, uint8_t *bytes)
{
	size_t used, all;
	size_t n = printed_command(f->text, f->len, bytes, &used);

	if (!n || f->text[used - 1] != '.')
		return n;
	/* a zero that zeros follow was printed */
	all = command_size(*bytes) > n ? command_size(*bytes) : n + 1;
	memset(bytes + n, 0, all - n);
	return all;
}

/* --- payloads ------------------------------------------------------------- */

static size_t put_big(uint8_t *bytes, uint64_t n, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(n >> 8 * (size - 1 - i));
	return size;
}

static size_t put_remap(const struct printed *p, uint8_t *bytes)
{
	size_t n = put_big(bytes, p->remap_device, 4);

	n += put_big(bytes + n, p->ev.device, 4);
	return n + put_big(bytes + n, p->remap_sector, 8);
}

/* Of a message without text a NUL was recorded, or there would be no line. */
static size_t put_message(const struct printed *p, uint8_t *bytes)
{
	size_t len = p->text.len < LINES_MAX ? p->text.len : LINES_MAX;

	*bytes = '\0';
	memcpy(bytes, p->text.text, len);
	return len ? len : 1;
}

static size_t put_value(const struct printed *p, uint8_t *bytes)
{
	bool has = p->action == BLK_TA_UNPLUG_IO ||
		   p->action == BLK_TA_UNPLUG_TIMER ||
		   p->action == BLK_TA_ZONE_UNPLUG ||
		   p->action == BLK_TA_SPLIT;

	return has && p->has_value ? put_big(bytes, p->value, 8) : 0;
}

static size_t put_body(const struct printed *p, uint8_t *bytes)
{
	if (!p->action)
		return put_message(p, bytes);
	if (p->is_pc && p->command.len)
		return put_command(&p->command, bytes);
	return p->has_remap ? put_remap(p, bytes) : put_value(p, bytes);
}

/* --- events --------------------------------------------------------------- */

/* A split's new sector has only its low 32 bits; it is in the I/O, whose first
 * part is what the kernel records. */
static void widen_split(struct printed *p)
{
	struct event *ev = &p->ev;
	uint64_t sectors;

	p->value |= ev->sector & ~(uint64_t)UINT32_MAX;
	if (p->value < ev->sector)
		p->value += (uint64_t)UINT32_MAX + 1;
	sectors = p->value - ev->sector;
	if (sectors && !p->has_size &&
	    (p->is_read || p->categories & CAT(WRITE)))
		printed_sectors(p, sectors);
}

/* Without letters it is no write; blkparse leaves out what has no category. */
static uint32_t categories_of(const struct printed *p)
{
	uint32_t c = added[p->action] |
		     (p->categories ? p->categories : CAT(READ));

	if (!p->action)
		return CAT(NOTIFY);
	if (p->is_pc)
		return c | CAT(PC);
	return of_request[p->action] ? c | CAT(FS) : c;
}

void printed_make(struct printed *p, uint8_t bytes[PRINTED_PAYLOAD])
{
	uint32_t number = p->action ? p->action : BLK_TN_MESSAGE, categories;
	size_t n = 0;

	if (p->action == BLK_TA_SPLIT && p->has_value)
		widen_split(p);
	if (p->is_read && !p->ev.bytes)
		p->ev.bytes = 1;
	if (!action_text_pc(p->action))
		p->is_pc = false;
	if (p->has_cgroup) {
		memcpy(bytes, p->cgroup, sizeof(p->cgroup));
		n = sizeof(p->cgroup);
		number |= BLK_CGROUP_FLAG;
	}
	n += put_body(p, bytes + n);
	categories = categories_of(p);
	p->ev.action = number | categories << 16;
	p->ev.zone = categories >> 16;
	p->ev.payload = bytes;
	p->ev.pdu_len = (uint16_t)n;
}
