/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ready query as an output: what it is about goes into a database in memory,
 * and in the end the answer is written, as the options' query and answer say.
 */
#ifndef TOOLS_BTEXPORT_QUESTION_H
#define TOOLS_BTEXPORT_QUESTION_H

#include "tools/btexport/output.h"

extern const struct output_ops question_output;

#endif
