/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings of other programs; see foreign.h. */
#include <stdint.h>
#include <string.h>

#include "file/foreign.h"
#include "file/source.h"

static const struct {
	const char *begin;
	struct foreign is;
} rows[] = {
	{ "PERFILE2", { "perf", "perf" } },
	{ "2ELIFREP", { "perf", "perf" } },	/* by a big-endian machine */
	{ "\x17\x08\x44tracing", { "trace-cmd", "trace-cmd" } },
	{ "# tracer:", { "ftrace", "ftrace" } },
};

/*
 * A Perfetto trace is packets: field 1, its length, and fields, of which the
 * first is one of these, as they are written in front of it.
 */
enum { PACKET = 0x0a, PACKET_BEGIN = 16 };

static const struct foreign perfetto = { "Perfetto", "perfetto" };

static bool begins_packet(const uint8_t *p)
{
	/* events, processes, clocks, time, writer; settings, mark, system,
	 * compressed packets */
	static const uint8_t keys[] = { 0x0a, 0x12, 0x32, 0x40, 0x50 };
	static const uint8_t wide_keys[][2] = { { 0x8a, 2 }, { 0xa2, 2 },
						{ 0xea, 2 }, { 0x92, 3 } };

	if (memchr(keys, *p, sizeof(keys)))
		return true;
	for (size_t i = 0; i < sizeof(wide_keys) / sizeof(*wide_keys); i++)
		if (!memcmp(p, wide_keys[i], 2))
			return true;
	return false;
}

/* whether there is a byte that no text in ASCII has */
static bool is_binary(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] >= 0x80 || (p[i] < 0x20 && !strchr("\t\n\r", p[i])))
			return true;
	return false;
}

static bool is_perfetto(const uint8_t *p, size_t len)
{
	size_t at = 1;

	if (len < PACKET_BEGIN || *p != PACKET || !p[1])
		return false;
	while (at < 5 && p[at] & 0x80)
		at++;
	return begins_packet(p + at + 1) && is_binary(p + 1, PACKET_BEGIN - 1);
}

const struct foreign *foreign_of(const void *begin, size_t len)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strlen(rows[i].begin) <= len &&
		    !memcmp(begin, rows[i].begin, strlen(rows[i].begin)))
			return &rows[i].is;
	return is_perfetto(begin, len) ? &perfetto : NULL;
}

bool foreign_may_be(const void *begin, size_t len)
{
	const uint8_t *bytes = begin;

	if (len && len < PACKET_BEGIN && *bytes == PACKET)
		return true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strlen(rows[i].begin) > len &&
		    !memcmp(begin, rows[i].begin, len))
			return true;
	return false;
}

/* A pipe's bytes would be lost. */
const struct foreign *foreign_of_file(const char *path)
{
	const struct foreign *is = NULL;
	char begin[FOREIGN_BEGIN];
	struct source *s;

	if (source_open(&s, path))
		return NULL;
	if (!source_is_live(s)) {
		ssize_t n = source_fill(s, begin, sizeof(begin));

		is = n > 0 ? foreign_of(begin, (size_t)n) : NULL;
	}
	source_close(s);
	return is;
}
