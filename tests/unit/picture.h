/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pictures of text as tests look at them: how wide lines are on a screen, and
 * what is left without colours.
 */
#ifndef TESTS_UNIT_PICTURE_H
#define TESTS_UNIT_PICTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/look.h"

/* a buffer that is never written */
static inline void picture_begin(struct buf *b)
{
	assert_int_equal(buf_init(b, -1, 1 << 20), 0);
}

/* the text so far, ended */
static inline const char *picture_text(struct buf *b)
{
	assert_true(b->len < b->size && !b->error);
	b->data[b->len] = '\0';
	return b->data;
}

/* what b has, without escape sequences of colours */
static inline void picture_strip(struct buf *b)
{
	char *to = b->data;

	for (const char *p = picture_text(b); *p; p++) {
		if (*p == '\033')
			p = strchr(p, 'm');
		else
			*to++ = *p;
	}
	b->len = (size_t)(to - b->data);
}

/* the columns of the widest line; there is no blank at the end of any */
static inline unsigned int picture_width(struct buf *b)
{
	unsigned int width = 0, widest = 0;
	char last = '\n';

	picture_strip(b);
	for (const char *p = picture_text(b); *p; last = *p++) {
		assert_false(*p == '\n' && last == ' ');
		if (*p == '\n')
			width = 0;
		else if (((unsigned char)*p & 0xc0) != 0x80)
			width++;
		if (width > widest)
			widest = width;
	}
	assert_int_equal(last, '\n');
	return widest;
}

#endif
