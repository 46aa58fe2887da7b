/* SPDX-License-Identifier: GPL-2.0-only */
/* What moves in an SVG: all timed by one loop. */
#include "emit/svg.h"
#include "page.h"

static void test_texts(void **state)
{
	const struct svg_cursor cursor = { 30, 68, 110, 320, 0xc2264b };
	const struct svg_hand hand = { 50, 60, 40, 0x123456 };
	struct page p;

	(void)state;
	page_init(&p);
	svg_loop(&p.out, 30);
	page_check(&p, "<rect width=\"0\" height=\"0\"><animate id=\"l\""
		   " attributeName=\"x\" from=\"0\" to=\"0\""
		   " begin=\"0s;l.end\" dur=\"30.00s\"/></rect>\n");
	svg_strokes(&p.out, 0xff, 4);
	svg_path(&p.out);
	svg_across(&p.out, 1, 2, 4);
	svg_path_flash(&p.out, 12.35, 0.6);
	page_check(&p, "<g fill=\"none\" stroke=\"#0000ff\""
		   " stroke-width=\"4\">\n<path d=\"M1 2h4\" opacity=\"0\">"
		   "<animate attributeName=\"opacity\" values=\"1;.85;0\""
		   " begin=\"l.begin+12.35s\" dur=\"0.60s\"/></path>\n");
	svg_cursor(&p.out, &cursor, 30);
	page_check(&p, "<path d=\"M30 68L30 178\" stroke=\"#c2264b\">"
		   "<animateTransform attributeName=\"transform\""
		   " type=\"translate\" from=\"0 0\" to=\"320 0\""
		   " begin=\"l.begin\" dur=\"30.00s\"/></path>\n");
	svg_hand(&p.out, &hand, 2);
	page_check(&p, "<path d=\"M50 60L50 20\" stroke=\"#123456\">"
		   "<animateTransform attributeName=\"transform\""
		   " type=\"rotate\" from=\"0 50 60\" to=\"360 50 60\""
		   " begin=\"l.begin\" dur=\"2.00s\""
		   " repeatCount=\"indefinite\"/></path>\n");
	page_free(&p);
}

static void test_arcs(void **state)
{
	const double quarter = 1.5707963267948966;
	const struct svg_arc small = { 100, 100, 50, 0, quarter };
	const struct svg_arc large = { 100, 100, 50, quarter, 4 * quarter };
	const struct svg_arc flat = { 100, 100, 50, 0, 0.1 };
	struct page p;

	(void)state;
	page_init(&p);
	svg_arc(&p.out, &small);
	page_check(&p, "M100 50A50 50 0 0 1 150 100");
	svg_arc(&p.out, &large);
	page_check(&p, "M150 100A50 50 0 1 1 100 50");
	svg_arc(&p.out, &flat);
	page_check(&p, "M100 50L105 50.2");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
