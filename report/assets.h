/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of report/page as texts; make writes the source.
 */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

extern const char report_template[];	/* page.html, with places as @NAME@ */
extern const char report_style[];	/* page.css */
extern const char report_script[];	/* all scripts, in their order: one
					 * in base64 of gzip */

#endif
