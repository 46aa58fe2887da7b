# SPDX-License-Identifier: GPL-2.0-only
# A script or a style without what only its source needs, as every page carries
# it: comments that have lines of their own, indentation, empty lines.  No text
# goes over several lines there (tests/script.t).
/^[[:space:]]*\/\//d
/^[[:space:]]*\/\*.*\*\/$/d
/^[[:space:]]*\/\*/,/\*\/$/d
s/^[[:space:]]*//
/^$/d
