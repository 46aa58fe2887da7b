# SPDX-License-Identifier: GPL-2.0-only
# A file of text as a constant text in C; a question mark could begin a
# trigraph.
s/[\\"?]/\\&/g
s/.*/	"&\\n"/
