/* SPDX-License-Identifier: GPL-2.0-only */
/* A device as cells: each has its pixels, and strokes which are there, too. */
#include "page.h"
#include "tools/iowatcher/movie_map.h"

static const unsigned int sizes[] = { 4, 6, 8, 12, 16, 24 };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* each cell has pixels, and no pixel has a cell that is none */
static void check_pixels(const struct movie_map *m)
{
	uint32_t cells = movie_map_cells(m), empty = 0;
	uint8_t *seen = calloc(cells, 1);

	assert_non_null(seen);
	for (unsigned int y = 0; y < 540; y++) {
		for (unsigned int x = 0; x < 960; x++) {
			uint32_t cell = movie_map_at(m, x, y);

			if (cell == UINT32_MAX)
				continue;
			assert_true(cell < cells);
			seen[cell] = 1;
		}
	}
	for (uint32_t i = 0; i < cells; i++)
		empty += !seen[i];
	assert_int_equal(empty, 0);
	free(seen);
}

static void check_tracks(const struct movie_map *m)
{
	for (unsigned int i = 0; i < m->tracks; i++) {
		assert_true(m->first[i] < m->first[i + 1]);
		assert_int_equal(movie_map_track(m, m->first[i]), i);
		assert_int_equal(movie_map_track(m, m->first[i + 1] - 1), i);
	}
}

static void test_maps(void **state)
{
	(void)state;
	for (int style = 0; style < MOVIE_STYLES; style++) {
		for (int i = 0; i < SIZES; i++) {
			struct movie_map m;

			assert_int_equal(movie_map_init(
				&m, (enum movie_style)style, sizes[i]), 0);
			check_pixels(&m);
			check_tracks(&m);
			movie_map_free(&m);
		}
	}
}

static void test_begins(void **state)
{
	struct movie_map m;

	(void)state;
	assert_int_equal(movie_map_init(&m, MOVIE_RECT, 4), 0);
	assert_int_equal(movie_map_at(&m, MAP_X, MAP_Y), 0);
	assert_int_equal(movie_map_at(&m, MAP_X - 1, MAP_Y), UINT32_MAX);
	assert_int_equal(movie_map_at(&m, MAP_X + MAP_WIDTH - 1,
				      MAP_Y + MAP_HEIGHT - 1),
			 movie_map_cells(&m) - 1);
	movie_map_free(&m);
	assert_int_equal(movie_map_init(&m, MOVIE_SPINDLE, 4), 0);
	assert_int_equal(movie_map_at(&m, MAP_MIDDLE_X, MAP_Y), 0);
	assert_int_equal(movie_map_at(&m, MAP_MIDDLE_X, MAP_MIDDLE_Y),
			 UINT32_MAX);
	assert_int_equal(movie_map_at(&m, MAP_X, MAP_Y), UINT32_MAX);
	movie_map_free(&m);
}

/* what passes the end of a track goes on in the next one */
static void test_strokes(void **state)
{
	struct movie_map m;
	struct page p;

	(void)state;
	page_init(&p);
	assert_int_equal(movie_map_init(&m, MOVIE_RECT, 12), 0);
	movie_map_draw(&m, &p.out, 42, 46);
	page_check(&p, "M912 54h24M408 66h24");
	movie_map_free(&m);
	assert_int_equal(movie_map_init(&m, MOVIE_SPINDLE, 12), 0);
	movie_map_draw(&m, &p.out, 0, m.first[1]);
	/* a whole ring, and a cell */
	page_check(&p, "M672 54A222 222 0 0 1 672 498"
		   "M672 498A222 222 0 0 1 672 54");
	movie_map_draw(&m, &p.out, 0, 1);
	page_check(&p, "M672 54L684 54.3");
	page_free(&p);
	movie_map_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_begins),
		cmocka_unit_test(test_strokes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
