/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the frames of a block of records hold, after unpacking.
 *
 * The columns: eight counts (COLUMNS_HEAD); the kinds, each COLUMNS_KIND bytes
 * and its head; the numbers of the records' kinds, from 1, or 0 for a note; the
 * symbols of times, the steps of sequence numbers and the places of sectors, a
 * byte an event; the symbols of new sectors; those of new sizes; the sequence
 * numbers that no step gives; the payloads; the bits of times; those of new
 * sectors and sizes.
 *
 * The notes: a table, COLUMNS_NOTE bytes each, and their records as they were.
 */
#ifndef PACK_COLUMNS_H
#define PACK_COLUMNS_H

/* offsets of the counts, 4 bytes each */
enum {
	COUNT_KINDS = 0,
	COUNT_LANES = 4,
	COUNT_NEW = 8,		/* new sectors */
	COUNT_ODD = 12,		/* sequence numbers without a step */
	COUNT_PAYLOAD = 16,	/* bytes */
	COUNT_TIME_BITS = 20,	/* bytes */
	COUNT_NEW_BITS = 24,	/* bytes */
	COUNT_SIZES = 28,	/* new sizes */
	COLUMNS_HEAD = 32,
};

/* offsets in a kind: the head follows, without the bytes from 4 to 27, which are
 * the sequence number, the time, the sector and the size in all versions */
enum {
	KIND_SIZE = 0,		/* of the whole head */
	KIND_BIG = 1,		/* 1: in big-endian order */
	KIND_LANE = 2,
	KIND_PAYLOAD = 4,	/* 2 bytes */
	COLUMNS_KIND = 6,
	KIND_FROM = 4,		/* the bytes that are left out of the head */
	KIND_TO = 28,
};

/* offsets in a note */
enum {
	NOTE_EVENTS = 0,	/* 4 bytes: events before it in the block */
	NOTE_AT = 4,		/* 4 bytes: its first byte in the block */
	NOTE_AFTER = 8,		/* 8 bytes: latest time before the 512 events
				 * of its stream that it is among, ns */
	NOTE_LEN = 16,		/* 2 bytes */
	COLUMNS_NOTE = 18,
};

/* records with more kinds than this number them in two bytes, not in one */
#define KINDS_NARROW 255

/* the step of a sequence number: its distance from the one expected, or */
#define STEP_ODD 255

/* the place of a sector and its size: how many new ones came after it, or NEW;
 * RESIZED is added if the size is a new one */
enum { PLACE_NEW = 64, PLACE_RESIZED = 128 };

/* sizes are rotated by this many bits, as they are mostly whole sectors */
enum { SIZE_ROTATED = 9 };

#endif
