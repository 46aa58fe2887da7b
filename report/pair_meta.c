/* SPDX-License-Identifier: GPL-2.0-only */
/* Two runs as JSON; see pair_meta.h. */
#include "base/json.h"
#include "compare/comparison_text.h"
#include "report/meta.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/pair_meta.h"

enum { VERSION = 1 };

static void put_sides(const struct report_pair *pair, struct json *j)
{
	json_put_array(j, "sides");
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		report_meta_put(pair->side[side], j);
	json_put_array_end(j);
	json_put_array(j, "names");
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		json_put_string(j, NULL, pair->name[side]);
	json_put_array_end(j);
}

static void put_list(struct json *j, const char *name,
		     const struct pair_list *l)
{
	json_put_array(j, name);
	for (uint32_t i = 0; i < l->count; i++) {
		json_put_array(j, NULL);
		for (unsigned int side = 0; side < COMPARE_SIDES; side++)
			if (l->list[i][side] == PAIR_NONE)
				json_put_null(j, NULL);
			else
				json_put_number(j, NULL, l->list[i][side]);
		json_put_array_end(j);
	}
	json_put_array_end(j);
}

/* --- verdicts ------------------------------------------------------------- */

static void put_part(struct json *j, const char *name, bool there, double part)
{
	if (there)
		json_put_real(j, name, part);
	else
		json_put_null(j, name);
}

static void put_row(struct json *j, const struct compare_row *row)
{
	char name[COMPARISON_NAME_MAX];

	comparison_row_name(row, name);
	json_put_object(j, NULL);
	json_put_string(j, "row", name);
	json_put_real(j, "a", row->value[COMPARE_A]);
	json_put_real(j, "b", row->value[COMPARE_B]);
	put_part(j, "change", row->comparable, row->change);
	put_part(j, "low", row->interval, row->low);
	put_part(j, "high", row->interval, row->high);
	json_put_string(j, "verdict", comparison_verdict(row));
	put_part(j, "p", row->tested, row->p);
	json_put_object_end(j);
}

/* null if it is not known */
static void put_power(struct json *j, const struct compare_table *t)
{
	if (!t->power.known) {
		json_put_null(j, "power");
		return;
	}
	json_put_object(j, "power");
	json_put_real(j, "detects", t->power.detects);
	json_put_real(j, "aim", t->power.aim);
	json_put_number(j, "units", t->units[COMPARE_A]);
	json_put_number(j, "needs", t->power.needs);
	json_put_object_end(j);
}

static void put_table(struct json *j, const struct pair_verdict *v,
		      const struct compare_table *t)
{
	json_put_object(j, NULL);
	json_put_string(j, "phase", v->o.phase);
	json_put_string(j, "key", t->all ? "all" : io_op_name(t->op));
	json_put_array(j, "rows");
	for (unsigned int i = 0; i < t->rows; i++)
		put_row(j, &t->row[i]);
	json_put_array_end(j);
	put_power(j, t);
	json_put_object_end(j);
}

static void put_work(struct json *j, const struct compare_work *w)
{
	json_put_object(j, "work");
	json_put_real(j, "other", w->other);
	json_put_bool(j, "otherRate", w->other_rate);
	json_put_bool(j, "otherDepth", w->other_depth);
	json_put_real(j, "byWork", w->by_work);
	json_put_real(j, "bySpeed", w->by_speed);
	json_put_object_end(j);
}

static void put_verdicts(const struct report_pair *pair, struct json *j)
{
	put_work(j, &pair->verdicts[0].result->work);
	json_put_array(j, "verdicts");
	for (unsigned int i = 0; i < PAIR_VERDICTS; i++) {
		const struct pair_verdict *v = &pair->verdicts[i];

		for (unsigned int k = 0; k < v->result->tables; k++)
			put_table(j, v, &v->result->table[k]);
	}
	json_put_array_end(j);
}

void pair_meta_write(const struct report_pair *pair, struct buf *b,
		     bool page)
{
	const struct report_page *first = pair->side[COMPARE_A];
	struct json j = { .b = b, .page = page };

	json_put_object(&j, NULL);
	json_put_number(&j, "version", VERSION);
	json_put_string(&j, "title", pair->title);
	json_put_string(&j, "program", first->program);
	json_put_string(&j, "command", first->command);
	put_list(&j, "processes", &pair->processes);
	put_list(&j, "devices", &pair->devices);
	put_verdicts(pair, &j);
	put_sides(pair, &j);
	json_put_object_end(&j);
}
