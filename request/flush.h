/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef REQUEST_FLUSH_H
#define REQUEST_FLUSH_H

#endif
