# SPDX-License-Identifier: GPL-2.0-only
# A line for each column of a TSV table: its name, how many values are no null,
# and the sums of their thousand millions, of what is left of them, and of their
# bytes.  In two parts, as numbers here are exact only to 2^53.
BEGIN {
	FS = "\t"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

{
	for (i = 1; i <= NF; i++) {
		if ($i == "\\N")
			continue
		count[i]++
		if ($i ~ /^-?[0-9]+$/) {
			sign = $i ~ /^-/ ? -1 : 1
			digits = length($i)
			if (digits - (sign < 0) > 9) {
				high[i] += substr($i, 1, digits - 9)
				low[i] += sign * substr($i, digits - 8)
			} else {
				low[i] += $i
			}
		}
		gsub(/\\./, "x", $i)
		bytes[i] += length($i)
	}
}

END {
	for (i = 1; i in name; i++)
		printf "%s\t%d\t%.0f\t%.0f\t%.0f\n", name[i], count[i],
			high[i], low[i], bytes[i]
}
