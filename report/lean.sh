#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Scripts as pages carry them, joined: without comments, indentation, most blanks,
# and ends of lines after what cannot end a statement.
#
#	report/lean.sh FILE...
dir=$(dirname "$0")
sed -f "$dir/lean.sed" "$@" | sed -f "$dir/tight.sed" |
	sed -z 's/\([,;{(=?:&|]\)\n/\1/g'
