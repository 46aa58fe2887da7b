/* SPDX-License-Identifier: GPL-2.0-only */
/* SVG: what each part is as text, whatever it is given. */
#include <math.h>

#include "emit/svg.h"
#include "page.h"

static const struct svg_font plain = { .size = 13, .fill = 0x18212c };

static void check_escaped(struct page *p, const char *text,
			  const char *expected)
{
	svg_escape(&p->out, text);
	page_check(p, expected);
}

static void test_escape(void **state)
{
	struct page p;

	(void)state;
	page_init(&p);
	check_escaped(&p, "</script><img src=\"x\">&",
		      "&lt;/script&gt;&lt;img src=&quot;x&quot;&gt;&amp;");
	check_escaped(&p, "a\x01\n\t\x7f", "a\xef\xbf\xbd\xef\xbf\xbd"
		      "\xef\xbf\xbd\xef\xbf\xbd");
	/* bytes that are no UTF-8, a surrogate, C1, U+FFFE, U+FFFF */
	check_escaped(&p, "\xff", "\xef\xbf\xbd");
	check_escaped(&p, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd"
		      "\xef\xbf\xbd");
	check_escaped(&p, "\xc2\x85", "\xef\xbf\xbd");
	check_escaped(&p, "\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd"
		      "\xef\xbf\xbd");
	check_escaped(&p, "\xc2\xb5s \xe2\x82\xac", "\xc2\xb5s \xe2\x82\xac");
	page_free(&p);
}

static void test_text(void **state)
{
	const struct svg_font title = { .anchor = SVG_MIDDLE, .size = 20,
					.bold = true, .upwards = true };
	struct page p;

	(void)state;
	page_init(&p);
	svg_text(&p.out, 1, 2.25, &plain, "a<b");
	page_check(&p, "<text x=\"1\" y=\"2.3\" font-size=\"13\""
		   " fill=\"#18212c\">a&lt;b</text>\n");
	svg_text(&p.out, 44, 185, &title, "");
	page_check(&p, "<text transform=\"translate(44 185) rotate(-90)\""
		   " text-anchor=\"middle\" font-size=\"20\""
		   " font-weight=\"bold\" fill=\"#000000\"></text>\n");
	page_free(&p);
}

static void test_paths(void **state)
{
	const struct svg_style line = { .fill = SVG_NONE, .stroke = 0x0b6fb8,
					.stroke_width = 1.6, .dashes = "4 3",
					.round = true };
	const struct svg_style area = { .fill = 0xff, .stroke = SVG_NONE,
					.opacity = 0.25 };
	struct page p;

	(void)state;
	page_init(&p);
	svg_path(&p.out);
	svg_move(&p.out, 0, -0.04);
	svg_line(&p.out, 10.06, -3.5);
	svg_across(&p.out, 5, 6, 2);
	svg_path_end(&p.out, &line);
	page_check(&p, "<path d=\"M0 0L10.1 -3.5M5 6h2\" fill=\"none\""
		   " stroke=\"#0b6fb8\" stroke-width=\"1.6\""
		   " stroke-dasharray=\"4 3\" stroke-linejoin=\"round\""
		   " stroke-linecap=\"round\"/>\n");
	svg_path(&p.out);
	svg_move(&p.out, NAN, INFINITY);
	svg_close(&p.out);
	svg_path_end(&p.out, &area);
	page_check(&p, "<path d=\"M-100000 100000z\" fill=\"#0000ff\""
		   " opacity=\"0.25\"/>\n");
	svg_rect(&p.out, 1, 2, 3, 4, &area);
	page_check(&p, "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\""
		   " fill=\"#0000ff\" opacity=\"0.25\"/>\n");
	page_free(&p);
}

static void test_document(void **state)
{
	struct page p;

	(void)state;
	page_init(&p);
	svg_begin(&p.out, 100, 50, "<t>", "");
	svg_group(&p.out, 0, 10);
	svg_group_end(&p.out);
	svg_end(&p.out);
	page_check(&p, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\""
		   " height=\"50\" viewBox=\"0 0 100 50\""
		   " font-family=\"sans-serif\" role=\"img\">\n"
		   "<title>&lt;t&gt;</title>\n<desc></desc>\n"
		   "<g transform=\"translate(0 10)\">\n</g>\n</svg>\n");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
