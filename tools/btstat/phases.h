/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOOLS_BTSTAT_PHASES_H
#define TOOLS_BTSTAT_PHASES_H

#endif
