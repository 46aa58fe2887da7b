/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers for the streams of many files, made together: with a file for each of
 * 256 CPUs, making their pages one by one is a twelfth of the time that a million
 * events take.
 */
#ifndef FILE_BUFFERS_H
#define FILE_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/pages.h"

/* A usual batch fits in, with what is read beyond it. */
enum { BUFFERS_SIZE = 28672 };

struct buffers {
	struct pages pages;
	uint8_t *next;		/* the next one of the last block */
	size_t made;		/* how many more that block has */
	size_t expected;	/* how many more will be taken, those included */
};

/* an all-zero struct buffers expects nobody; all streams that have one of its
 * buffers must be freed before */
void buffers_free(struct buffers *b);

/* count more will be taken */
void buffers_expect(struct buffers *b, size_t count);

/* BUFFERS_SIZE bytes, or NULL: no more are expected, or no memory */
uint8_t *buffers_take(struct buffers *b);

#endif
