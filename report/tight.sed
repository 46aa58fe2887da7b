# SPDX-License-Identifier: GPL-2.0-only
# A lean script without the blanks that it can do without, which every page
# would carry.  Lines with texts or regular expressions stay, and so do blanks
# around + and -, which beside another make another operator.
/["'`\/]/b
s/ \([=!<>*&|?:]\{1,3\}\) /\1/g
s/ \([=!<>*&|?:]\{1,3\}\)$/\1/
s/, /,/g
s/\([{(]\) /\1/g
s/ \([)}]\)/\1/g
s/\<\(if\|for\|while\|switch\|catch\) (/\1(/
s/) {$/){/
