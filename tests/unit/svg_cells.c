/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells: each in its colour, equal ones side by side as one line. */
#include "emit/svg.h"
#include "page.h"

static const struct svg_cell_style styles[] = {
	{ 0x0b6fb8, 0.5 }, { 0xd4570a, 1 }, { 0x123456, 1 },
};

static void test_runs(void **state)
{
	const uint16_t cells[] = {
		1, 1, 0, 1,
		2, 1, 1, 1,
		0, 2, 9, 0,
	};
	const struct svg_cells c = { 122, 60, 2, 4, 3, cells };
	struct page p;

	(void)state;
	page_init(&p);
	svg_cells(&p.out, &c, styles, 3);
	page_check(&p,
		   "<path d=\"M122 61h4M128 61h2M124 63h6\" fill=\"none\""
		   " stroke=\"#0b6fb8\" stroke-width=\"2\" opacity=\"0.5\"/>\n"
		   "<path d=\"M122 63h2M124 65h2\" fill=\"none\""
		   " stroke=\"#d4570a\" stroke-width=\"2\" opacity=\"1\"/>\n");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
