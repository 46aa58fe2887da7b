/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An iolog of fio (emit/iolog.h) as an output: the functions of its struct
 * output_ops.
 */
#ifndef TOOLS_BTEXPORT_FIO_H
#define TOOLS_BTEXPORT_FIO_H

#include "tools/btexport/output.h"

int fio_begin(struct output *out);
int fio_io(struct output *out, const struct named_io *io);
int fio_quiet(struct output *out);
int fio_end(struct output *out);
void fio_free(struct output *out);

#endif
