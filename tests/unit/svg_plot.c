/* SPDX-License-Identifier: GPL-2.0-only */
/* A graph: gaps, lonely points, axes without twins, long legends. */
#include <math.h>

#include "emit/svg_plot.h"
#include "page.h"
#include "stat/scale.h"

static const struct svg_plot plot = { 100, 50, 200, 100, 45 };

static void set_scales(struct scale *x, struct scale *y)
{
	scale_set(x, 0, 10, 6);
	scale_place(x, plot.left, plot.left + plot.width);
	scale_set_up_to(y, 10, 3);
	scale_place(y, plot.top + plot.height, plot.top);
}

/* how often text is in what was rendered */
static unsigned int count_of(struct page *p, const char *text)
{
	unsigned int count = 0;
	char *all = strndup(p->out.data, p->out.len);

	assert_non_null(all);
	for (const char *at = all; (at = strstr(at, text)); at++)
		count++;
	free(all);
	return count;
}

static void test_line(void **state)
{
	const double x[] = { 0, 1, 2, 3, 4, 5 };
	const double y[] = { 0, 5, NAN, 10, NAN, 20 };
	struct scale across, up;
	const struct svg_points points = { x, y, 6, &across, &up };
	struct page p;

	(void)state;
	page_init(&p);
	set_scales(&across, &up);
	svg_plot_line(&p.out, &points, 0xff0000, 2, NULL);
	page_check(&p, "<path d=\"M100 150L120 100\" fill=\"none\""
		   " stroke=\"#ff0000\" stroke-width=\"2\""
		   " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n"
		   "<path d=\"M160 50h0M200 50h0\" fill=\"none\""
		   " stroke=\"#ff0000\" stroke-width=\"4\""
		   " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n");
	page_free(&p);
}

static void test_band(void **state)
{
	const double x[] = { 0, 10 }, high[] = { 10, 5 }, low[] = { 0, 5 };
	struct scale across, up;
	const struct svg_points points = { x, high, 2, &across, &up };
	struct page p;

	(void)state;
	page_init(&p);
	set_scales(&across, &up);
	svg_plot_band(&p.out, &points, low, 0xff);
	page_check(&p, "<path d=\"M100 50L300 100L300 100L100 150z\""
		   " fill=\"#0000ff\" opacity=\"0.25\"/>\n");
	page_free(&p);
}

static void test_axes(void **state)
{
	struct scale across, up;
	struct page p;

	(void)state;
	page_init(&p);
	set_scales(&across, &up);
	svg_plot_columns(&p.out, &plot, &across, NULL);
	assert_int_equal(count_of(&p, "<text"), 0);
	assert_int_equal(count_of(&p, "L"), 6);
	p.out.len = 0;
	svg_plot_columns(&p.out, &plot, &across, "Time");
	svg_plot_rows(&p.out, &plot, &up);
	assert_int_equal(count_of(&p, ">10<"), 2);
	assert_int_equal(count_of(&p, ">5<"), 1);
	assert_int_equal(count_of(&p, ">Time<"), 1);
	page_free(&p);
}

static void test_legend(void **state)
{
	struct svg_legend_entry entries[SVG_LEGEND_MAX + 3];
	struct page p;

	(void)state;
	page_init(&p);
	for (size_t i = 0; i < SVG_LEGEND_MAX + 3; i++)
		entries[i] = (struct svg_legend_entry){
			(enum svg_swatch)(i % (SVG_CROSS + 1)), 0x123456, "x"
		};
	svg_legend(&p.out, &plot, entries, SVG_LEGEND_MAX);
	assert_int_equal(count_of(&p, ">x<"), SVG_LEGEND_MAX);
	assert_int_equal(count_of(&p, "#123456"), SVG_LEGEND_MAX);
	assert_int_equal(count_of(&p, "more"), 0);
	p.out.len = 0;
	svg_legend(&p.out, &plot, entries, SVG_LEGEND_MAX + 3);
	assert_int_equal(count_of(&p, ">x<"), SVG_LEGEND_MAX);
	assert_int_equal(count_of(&p, ">3 more<"), 1);
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_band),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_legend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
