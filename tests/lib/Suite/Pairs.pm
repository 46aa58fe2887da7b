# SPDX-License-Identifier: GPL-2.0-only
# Two traces of the same seconds by different programs: which I/Os are the same, and
# how far their times are apart.  An I/O is a row of btexport's table, as a hash.
package Suite::Pairs;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(ios compare %ENOUGH);

# what must be: shares of I/Os, and ns
our %ENOUGH = (paired => 0.999, close => 0.99, near => 5000);

# ns: at most between the two of a pair, as an emulated CPU may do others' work
# between two probes; and at the ends, where not all record
my ($APART, $EDGE) = (1e7, 2e5);

# of what btexport --format=csv --table=ios prints, in order of queueing
sub ios
{
	my ($text) = @_;
	my ($head, @rows) = split /\n/, $text;
	my @columns = split /,/, $head // '';

	return sort { $a->{time_ns} <=> $b->{time_ns} } map {
		my %io;
		@io{@columns} = split /,/, $_, -1;
		\%io;
	} @rows;
}

# those within these times
sub common
{
	my ($ios, $from, $to) = @_;
	return grep { $_->{time_ns} >= $from && $_->{time_ns} <= $to } @$ios;
}

# that it is the same I/O, but for its times
sub same_of
{
	my ($io) = @_;
	return join ' ', @$io{qw(op sector bytes error process)};
}

# What is to be added to times of FIRST for those of SECOND: the median for I/Os
# that are the only ones of their kind.
sub offset_of
{
	my ($first, $second) = @_;
	my (%first, %second);

	push @{$first{same_of($_)}}, $_->{time_ns} for @$first;
	push @{$second{same_of($_)}}, $_->{time_ns} for @$second;
	my @differences = sort { $a <=> $b }
		map { $second{$_}[0] - $first{$_}[0] }
		grep { @{$first{$_}} == 1 && @{$second{$_} || []} == 1 }
		keys %first;
	return $differences[@differences / 2] // 0;
}

# I/Os of SECOND that pair with one of FIRST
sub pairs
{
	my ($first, $second, $offset) = @_;
	my (%waiting, @pairs);

	push @{$waiting{same_of($_)}}, $_ for @$second;
	for my $io (@$first) {
		my $others = $waiting{same_of($io)} // next;
		my $time = $io->{time_ns} + $offset;
		my ($best) = sort { abs($a->{time_ns} - $time) <=>
				    abs($b->{time_ns} - $time) } @$others;
		next unless $best && abs($best->{time_ns} - $time) < $APART;
		@$others = grep { $_ != $best } @$others;
		push @pairs, [$io, $best];
	}
	return @pairs;
}

# COLUMN of pairs: in how many only one has it, and how much others differ, sorted
sub differences
{
	my ($column, @pairs) = @_;
	my @both = grep { length $_->[0]{$column} && length $_->[1]{$column} }
		@pairs;
	my @one = grep { !length $_->[0]{$column} != !length $_->[1]{$column} }
		@pairs;
	return (scalar @one, sort { $a <=> $b }
		map { abs $_->[0]{$column} - $_->[1]{$column} } @both);
}

# What FIRST and SECOND have in common: the number of pairs; of both, in the time
# that SECOND was recorded but for its last moment, how many I/Os there are and how
# many are alone; and of each time that is compared in how many pairs only one has
# it, and the others' differences.
sub compare
{
	my ($first, $second) = @_;
	my $offset = offset_of($first, $second);
	my @pairs = pairs($first, $second, $offset);
	my %paired = map { $_->[0] => 1, $_->[1] => 1 } @pairs;
	my ($from, $to) = (-$EDGE, $second->[-1]{time_ns} - $EDGE);
	my %of = (first => [common($first, $from - $offset, $to - $offset)],
		  second => [common($second, $from, $to)]);
	my %got = (pairs => scalar @pairs);

	for (keys %of) {
		$got{$_} = @{$of{$_}};
		$got{alone}{$_} = grep { !$paired{$_} } @{$of{$_}};
	}
	for my $column ('total_ns', 'd2c_ns') {
		my ($one, @by) = differences($column, @pairs);
		$got{times}{$column} = { one => $one, by => \@by };
	}
	return \%got;
}

1;
