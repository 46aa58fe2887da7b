# SPDX-License-Identifier: GPL-2.0-only
# The list of recorded cases that are meant to differ from release 1.3.0.
#
# differs.tsv has a line per case: its name, a tab, the decisions (separated
# by commas) that change it.  It is a copy of the list that comes with the
# recordings; after the line OURS_BELOW we add our own.
package Suite::Differs;

use strict;
use warnings;
use Exporter 'import';
use Suite::Files 'slurp';

our @EXPORT_OK = qw(read_differs compare_differs);

my $OURS_BELOW = '# ours';

# case name => decisions
sub read_differs
{
	my ($path) = @_;
	return { map { split /\t/ } grep { /^[^#].*\t/ } lines($path) };
}

sub lines
{
	my ($path) = @_;
	return split /\n/, slurp($path);
}

# Complaints when the copy is not the original plus our own lines.
sub compare_differs
{
	my ($copy, $original) = @_;
	my @kept = lines($copy);
	my ($end) = grep { $kept[$_] =~ /^\Q$OURS_BELOW\E\b/ } 0 .. $#kept;
	my %want = map { $_ => 1 } lines($original);

	$#kept = $end - 1 if defined $end;
	my %have = map { $_ => 1 } @kept;
	return ((map { "missing: $_" } grep { !$have{$_} } sort keys %want),
		map { "not in the original: $_" }
		grep { !$want{$_} } sort keys %have);
}

1;
