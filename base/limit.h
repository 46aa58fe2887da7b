/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits that the system sets to a process.
 */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include <stdbool.h>

/*
 * Raises the number of files that may be open at a time as far as it goes:
 * hundreds of CPUs times devices are as many files.  Returns it.
 */
unsigned long limit_open_files(void);

/*
 * Raises the hard limit for so many more; only root may.  False: it could not
 * be raised.
 */
bool limit_more_files(unsigned long more);

#endif
