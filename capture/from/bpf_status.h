/* SPDX-License-Identifier: GPL-2.0-only */
/* The block layer's codes for errors, as errors in records. */
#ifndef CAPTURE_FROM_BPF_STATUS_H
#define CAPTURE_FROM_BPF_STATUS_H

#include <errno.h>
#include <stdint.h>

/* -errno of a blk_status_t; those that not all kernels share are EIO */
static inline uint16_t bpf_status_errno(uint16_t status)
{
	static const int codes[] = {
		0, EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO, EBADE,
		ENODATA, EILSEQ, ENOMEM, EIO, EREMCHG, EAGAIN, EBUSY,
	};

	return (uint16_t)-(status < sizeof(codes) / sizeof(*codes) ?
				   codes[status] : EIO);
}

#endif
