/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of categories, as -a takes them, and their bits.
 */
#ifndef ACT_MASK_H
#define ACT_MASK_H

#include <stdint.h>

/*
 * The mask bit of a category's name, in any case and with or without the
 * prefix BLK_TC_; 0: there is no such category.
 */
uint32_t act_mask_bit(const char *name);

/* the name of category number nr, upper case; NULL past the last */
const char *act_mask_name(unsigned int nr);

#endif
