/* SPDX-License-Identifier: GPL-2.0-only */
/* A ready query as an output; see question.h. */
#include "emit/sqlite.h"
#include "tools/btexport/answer.h"
#include "tools/btexport/database.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/question.h"

static int write_answer(struct output *out, struct sqlite_answer *a)
{
	const struct output_options *o = out->o;

	return o->answer ?
	       answer_rows(&out->file.buf, a, o->answer, &o->rows) :
	       answer_table(&out->file.buf, a);
}

static int ask(struct output *out)
{
	const struct query *q = &out->o->query;
	struct sqlite *s = database_of(out);
	struct sqlite_answer *a;
	int err = sqlite_end(s, NULL);

	if (!err)
		err = sqlite_ask(s, q->sql, q->sql_len, &a);
	if (err)
		return database_fail(out, err);
	err = write_answer(out, a);
	/* before anything else is asked of the library */
	if (err)
		err = database_fail(out, err);
	sqlite_answer_free(a);
	return err;
}

const struct output_ops question_output = {
	.name = "an answer",
	.able = OUTPUT_FIELDS | OUTPUT_HEADER | OUTPUT_SEVERAL,
	.tables = (1u << TABLES) - 1,
	.begin = database_begin_in_memory,
	.row = database_row,
	.quiet = database_quiet,
	.end = ask,
	.free = database_free,
};
