/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FINDINGS_JUDGE_SHAPE_H
#define FINDINGS_JUDGE_SHAPE_H

#endif
