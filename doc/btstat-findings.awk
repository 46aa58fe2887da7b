# SPDX-License-Identifier: GPL-2.0-only
# Makes the entries of btstat-findings(7) of what btstat --explain=all prints.
function safe(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	return text ~ /^[.']/ ? "\\&" text : text
}
/^[a-z]/ { print ".SS " safe($0); next }
{
	name = substr($0, 3, 10)
	sub(/ +$/, "", name)
	if (name != "") {
		sub(/^./, toupper(substr(name, 1, 1)), name)
		print ".TP\n.I " name
	}
	print safe(substr($0, 14))
}
END {
	print ".SH SEE ALSO\n.BR btstat (1),\n.BR btreport (1),"
	print ".BR blktop (8)"
}
