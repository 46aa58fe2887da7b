/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FILE_STREAM_BUFFER_H
#define FILE_STREAM_BUFFER_H

#endif
