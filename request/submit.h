/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef REQUEST_SUBMIT_H
#define REQUEST_SUBMIT_H

#endif
