/* SPDX-License-Identifier: GPL-2.0-only */
/* The tests of wide.c for compilers that have no type of 128 bits. */
#define WIDE_PORTABLE
#include "wide.c"
