# SPDX-License-Identifier: GPL-2.0-only
# Numbers of series as btstat has them, from cells of the table latency.
package Suite::Rollup;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max min sum0);

our @EXPORT_OK = qw(by_btstat btstat rolled_up summed);

my @PERCENTILES = (50, 90, 99);
my @NUMBERS = (qw(count sum_ns min_ns max_ns), map { "p${_}_ns" } @PERCENTILES);

# the command that prints what by_btstat reads
sub btstat
{
	return 'btstat --format=csv --percentiles=' . join ',', @PERCENTILES;
}

# A percentile as btstat has it: the middle of the cell of the ceil(p n)-th,
# within the extremes; none where it would be the maximum.
sub percentile
{
	my ($p, $all, @cells) = @_;
	my $rank = int(($all->{count} * $p + 99) / 100);

	return '' if $all->{count} * (100 - $p) < 100;
	return $all->{min_ns} if $rank <= 1;
	for my $c (@cells) {
		$rank -= $c->{count};
		next if $rank > 0;
		my $middle = $c->{low_ns} +
			int(($c->{high_ns} - $c->{low_ns}) / 2);
		return max($all->{min_ns}, min($all->{max_ns}, $middle));
	}
}

# what btstat's columns have of a series
sub summed
{
	my @cells = sort { $a->{low_ns} <=> $b->{low_ns} } @_;
	my $all = { count => sum0(map { $_->{count} } @cells),
		    sum_ns => sum0(map { $_->{sum_ns} } @cells),
		    min_ns => min(map { $_->{min_ns} } @cells),
		    max_ns => max(map { $_->{max_ns} } @cells) };

	$all->{"p${_}_ns"} = percentile($_, $all, @cells) for @PERCENTILES;
	return join ' ', map { "$_=$all->{$_}" } @NUMBERS;
}

# "disk op phase" => numbers, of rows of the table
sub rolled_up
{
	my %series;

	for my $row (@_) {
		push @{$series{"$row->{disk} $row->{op} $row->{phase}"}}, $row
			if $row->{phase} ne 'total';
	}
	return map { $_ => summed(@{$series{$_}}) } keys %series;
}

# the same of rows of btstat
sub by_btstat
{
	return map { my $row = $_; "$row->{disk} $row->{op} $row->{phase}" =>
		join ' ', map { "$_=$row->{$_}" } @NUMBERS }
		grep { $_->{count} && $_->{phase} =~ /^(?:q2c|d2c)\z/ } @_;
}

1;
