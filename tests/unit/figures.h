/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers and how a page shows them, ~ being a thin space: what the program
 * writes and what its script does must be the same.  Tests in perl read these
 * rows, too (tests/lib/Suite/Figures.pm): one a line.
 */
#ifndef TESTS_UNIT_FIGURES_H
#define TESTS_UNIT_FIGURES_H

enum figure_kind { COUNT, DECIMAL, TIME, SIZE, SHARE };

static const struct {
	enum figure_kind kind;
	double value;
	const char *text;
} figures[] = {
	{ COUNT, 0, "0" },
	{ COUNT, 999, "999" },
	{ COUNT, 1000, "1~000" },
	{ COUNT, 12345678, "12~345~678" },
	{ DECIMAL, 0, "0" },
	{ DECIMAL, 0.0000001, "<0.001" },
	{ DECIMAL, 0.00099999, "<0.001" },
	{ DECIMAL, 0.001, "0.001" },
	{ DECIMAL, 0.31, "0.31" },
	{ DECIMAL, 0.9996, "1" },
	{ DECIMAL, 1, "1" },
	{ DECIMAL, 1.125, "1.13" },
	{ DECIMAL, 9.995, "9.99" },
	{ DECIMAL, 12.25, "12.3" },
	{ DECIMAL, 48.1, "48.1" },
	{ DECIMAL, 99.96, "100" },
	{ DECIMAL, 100.5, "101" },
	{ DECIMAL, 999.49, "999" },
	{ DECIMAL, 999.5, "1~000" },
	{ DECIMAL, 25391.4, "25~391" },
	{ TIME, 0, "0~ns" },
	{ TIME, 7, "7~ns" },
	{ TIME, 999.4, "999~ns" },
	{ TIME, 999.5, "1~µs" },
	{ TIME, 1125, "1.13~µs" },
	{ TIME, 54030, "54~µs" },
	{ TIME, 999499, "999~µs" },
	{ TIME, 999500, "1~ms" },
	{ TIME, 7038970, "7.04~ms" },
	{ TIME, 59990000000, "60~s" },
	{ TIME, 64936000000, "64.9~s" },
	{ TIME, 3600000000000, "3~600~s" },
	{ SIZE, 0, "0~B" },
	{ SIZE, 512, "512~B" },
	{ SIZE, 1023, "1~023~B" },
	{ SIZE, 1024, "1~KiB" },
	{ SIZE, 1152, "1.13~KiB" },
	{ SIZE, 8192, "8~KiB" },
	{ SIZE, 1047552, "1~023~KiB" },
	{ SIZE, 1048060, "1~MiB" },
	{ SIZE, 704512, "688~KiB" },
	{ SIZE, 1610612736, "1.5~GiB" },
	{ SIZE, 3298534883328, "3~TiB" },
	{ SIZE, 1125899906842624, "1~024~TiB" },
	{ SHARE, 0, "0%" },
	{ SHARE, 0.000001, "<0.001%" },
	{ SHARE, 0.125, "12.5%" },
	{ SHARE, 0.99949, "99.9%" },
	{ SHARE, 1, "100%" },
};

#endif
