/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FINDINGS_JUDGE_FAULTS_H
#define FINDINGS_JUDGE_FAULTS_H

#endif
