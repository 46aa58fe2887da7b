# SPDX-License-Identifier: GPL-2.0-only
# A recorded trace several times, one after the other: one that is long enough
# to be counted in bins, of what really happens.
package Suite::Repeated;

use strict;
use warnings;
use Exporter 'import';
use Suite::Files qw(slurp spew);

our @EXPORT_OK = qw(repeat_trace);

my $HEADER = 48;	# of a record of version 7, before its payload
my $NOTE = 1 << 26;	# in its action: notes are needed once
my $PAUSE = 1_000_000;	# ns

# [[number, time, action, bytes]] of a file of records
sub records_of
{
	my ($bytes) = @_;
	my ($at, @records) = (0);

	while ($at + $HEADER <= length $bytes) {
		my ($number, $time, $action, $more) =
			unpack 'x4 L Q x12 L x14 S', substr $bytes, $at;
		my $size = $HEADER + $more;
		push @records, [$number, $time, $action,
				substr $bytes, $at, $size];
		$at += $size;
	}
	return @records;
}

# the n-th time: later, and its numbers follow those of the time before
sub shifted
{
	my ($n, $span, @records) = @_;
	my @events = grep { !($_->[2] & $NOTE) } @records;
	my $numbers = @events ? $events[-1][0] - $events[0][0] + 1 : 0;

	return map {
		my $bytes = $_->[3];
		substr $bytes, 4, 12,
			pack 'L Q', $_->[0] + $n * $numbers,
			$_->[1] + $n * $span;
		$bytes
	} $n ? @events : @records;
}

# All files of a directory become so many times as long.
sub repeat_trace
{
	my ($dir, $times) = @_;
	my %records = map { $_ => [records_of(slurp($_))] } glob "$dir/*";
	my @times = map { $_->[1] } grep { !($_->[2] & $NOTE) }
		map { @$_ } values %records;
	my ($first, $last) = (sort { $a <=> $b } @times)[0, -1];

	while (my ($path, $records) = each %records) {
		spew($path, join '', map {
			shifted($_, $last - $first + $PAUSE, @$records)
		} 0 .. $times - 1);
	}
}

1;
