/* SPDX-License-Identifier: GPL-2.0-only */
/* The limit of open files. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include <stdbool.h>

/* Raises it to the hard limit, as there is a file for each CPU of each device;
 * returns it. */
unsigned long limit_open_files(void);

/* Raises it, with the hard limit, which only root may; false: failed. */
bool limit_more_files(unsigned long more);

#endif
