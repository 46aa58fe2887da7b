/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LIB_KNOWN_H
#define LIB_KNOWN_H

#endif
