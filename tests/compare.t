#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Comparisons of recorded runs: sides that are drawn from runs of one job do not
# differ, and may be told to in a few deals only; sides of two devices do.
#
#	UNITS=DIR prove tests/compare.t
#
# bench/pairs is looked for two directories above the units (build/bench).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use Test::More;

my $HERE = $FindBin::Bin;
my $UNITS = abs_path($ENV{UNITS} || "$HERE/../build/tests/unit");
my $PAIRS = "$UNITS/../../bench/pairs";
my $DIR = tempdir('compare.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $DEALS = 40;

die "$PAIRS is not built\n" unless -x $PAIRS;

# the rows that bench/pairs reads, of a line of runs.xz; ends are spread evenly
sub expand_line
{
	my ($device, $run, $op, $first, $last, @counts) = split ' ', $_[0];
	my @spans = map { my ($span, $count) = split /:/; ($span) x $count }
		@counts;
	my $step = @spans > 1 ? ($last - $first) / (@spans - 1) : 0;

	return map {
		my $end = int $first + $_ * $step;
		join("\t", $device, $run, $end - $spans[$_], $spans[$_], $op)
	} 0 .. $#spans;
}

sub expand_runs
{
	my @lines = `xz -dc '$HERE/compare/runs.xz'`;

	die "no runs: xz failed\n" if $? || @lines != 64;
	return map { expand_line($_) } @lines;
}

# Numbers of tables, cannot tell and alarms for each device.
sub compare_runs
{
	my (@args) = @_;
	my @lines = `'$PAIRS' @args <'$DIR/runs'`;

	die "bench/pairs failed\n" if $?;
	return map { (split)[0 .. 3] } @lines;
}

my @rows = expand_runs();
spew("$DIR/runs", join("\n", "device\trun\ttime\tspan\top", @rows) . "\n");

# 5 in 100 by chance: 8 of 40 is once in a thousand times
for my $runs (4, 5, 8) {
	my @got = compare_runs("--runs=$runs", $DEALS);
	is(@got, 8, "$runs runs a side, two devices");
	while (my ($device, $tables, $cannot, $alarms) = splice @got, 0, 4) {
		is("$tables $cannot", "$DEALS 0", "$device can be told");
		cmp_ok($alarms, '<=', 7, "$device: few false alarms");
	}
}

# three runs can never be told apart
is("@{[(compare_runs('--runs=3', $DEALS))[3, 7]]}", '0 0',
   'three runs give no alarm');

# the devices as one: even runs are now of one, odd runs of the other
sub mix_devices
{
	my ($device, $run, @rest) = split /\t/, $_[0];

	return () if $device eq 'vda' && $run > 8 ||
		$device eq 'nullb0' && $run > 8;
	return join "\t", 'both', $device eq 'vda' ? $run : $run + 8, @rest;
}

spew("$DIR/runs", join("\n", "device\trun\ttime\tspan\top",
		       map { mix_devices($_) } @rows) . "\n");
my (undef, $tables, undef, $told) = compare_runs('--apart=8', 1);
is("$tables $told", '1 1', 'two devices are told apart');
is(`'$PAIRS' --apart=8 1 <'$DIR/runs'`, `'$PAIRS' --apart=8 1 <'$DIR/runs'`,
   'the same runs give the same bytes');

done_testing();
