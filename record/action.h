/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The letters of actions: Q for a queued request, C for a completed one.
 * Packet commands (category PC) know a few of them only.
 */
#ifndef RECORD_ACTION_H
#define RECORD_ACTION_H

#include <stdint.h>

/* letters of action number nr, or NULL when it has no line of its own */
const char *action_text(uint32_t nr);

/* the same for packet commands */
const char *action_text_pc(uint32_t nr);

#endif
