#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Numbers about ios, held against other ways to find them.
#
#	make statistics-programs; STATISTICS=build/tests/statistics \
#		prove tests/statistics.t
#	... prove tests/statistics.t :: 'depth/*'
#
# bounds: what is said of percentiles when records were lost, of six traces of
# which some were taken out 20 times each, holds every time.  With ../shared
# (SHARED) at hand it is tried on all others, too, where it need not: ios can
# get a neighbour's end, and discards can merge without a record.
# hot: the same, and counts, means, greatest, depth and busy, of 280 losses from
# simulated traces whose few sectors are used over and over.
# depth: to the ns what plain counting gives, on every trace.
# why: the steps of every I/O add up to its total, also of 280 simulated traces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Run qw(find_programs run_command);
use Suite::Tap 'run_named';
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $STATISTICS = abs_path($ENV{STATISTICS} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/statistics' :
	"$HERE/../build/tests/statistics"));
my $TOP = tempdir('statistics.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $SEEDS = 20;
my $TRIALS = 280;
my @SIX = qw(k612-virtio-none-uring nvme-part-remap scsidbg-transport
	smp4-merges-kworker virtio-bfq-mixed virtio-kyber-seqmerge);
# of the others so many may not hold, in a hundred
my $OTHERS = 1;

# the lines that a program prints, each a list; and its status
sub rows_of
{
	my @command = @_;

	open my $in, '-|', @command or die "$command[0]: $!\n";
	my @rows = map { chomp; [split /\t/] } <$in>;
	close $in;
	return ($?, @rows);
}

# --- bounds -----------------------------------------------------------------

# losses, and how often the number and the three percentiles held
sub bounds_of
{
	my ($trace) = @_;
	my ($status, $row) = rows_of("$STATISTICS/bounds", $SEEDS, $trace);

	die "bounds: status $status\n" if $status & 127 || !$row;
	return @$row[2 .. 6];
}

sub bounds_faults
{
	my ($losses, $number, @held) = bounds_of(@_);
	my @faults;

	push @faults, "number: $number of $losses" if $number != $losses;
	push @faults, "percentiles: @held of $losses"
		if grep { $_ != $losses } @held;
	push @faults, "$losses losses, not $SEEDS" if $losses != $SEEDS;
	return @faults;
}

sub other_faults
{
	my ($all, $numbers, $percentiles) = (0, 0, 0);

	for my $trace (@_) {
		my ($losses, $number, @held) = bounds_of($trace);
		$all += $losses;
		$numbers += $number;
		$percentiles += $_ for @held;
	}
	return "$numbers of $all numbers, $percentiles of " . 3 * $all .
		" percentiles hold"
		if ($all - $numbers) * 100 > $OTHERS * $all ||
		(3 * $all - $percentiles) * 100 > $OTHERS * 3 * $all;
	return ();
}

# what has no whole io cannot be judged
sub has_ios
{
	return $_[0] !~ /mask-issue/;
}

sub bounds_tests
{
	my ($where) = @_;
	my %six = map { $_ => 1 } @SIX;
	my @others = grep { !$six{$_} && has_ios($_) } sort keys %$where;
	my @tests = map {
		my $trace = $where->{$_};
		["bounds/$_", sub { bounds_faults($trace) }]
	} @SIX;

	push @tests, ['bounds/' . @others . ' others', sub {
		other_faults(map { $where->{$_} } @others)
	}] if -d "$SHARED/traces";
	return @tests;
}

# --- hot sectors ------------------------------------------------------------

# the losses of which a true value was outside of btstat's bounds
sub hot_faults
{
	my $programs = find_programs(abs_path($ENV{BIN} || '.'));
	my $got = run_command("BIN='$programs->{path}' '$HERE/statistics/hot' " .
			      "1 $TRIALS -v", $TOP, $programs);
	my %of = $got->{out} =~ /(\w+)=(\d+)/g;
	my @faults = $got->{rc} ? ("status $got->{rc}", $got->{err}) : ();

	push @faults, grep { /^#/ } split /\n/, $got->{out};
	push @faults, ($of{trials} // 0) . " losses, not $TRIALS"
		if ($of{trials} // 0) != $TRIALS;
	# the bounds are none if nothing is known
	push @faults, ($of{known} // 0) . ' upper ends are known'
		if ($of{known} // 0) < $TRIALS / 4;
	return @faults;
}

# --- depth ------------------------------------------------------------------

sub depth_faults
{
	my ($trace) = @_;
	my ($status, @rows) = rows_of("$STATISTICS/depth", $trace);
	my @faults = map { "device $_->[1]" } grep { $_->[5] ne 'right' } @rows;

	return @faults, $status && !@faults ? "status $status" : ();
}

sub depth_tests
{
	my ($where) = @_;
	return map {
		my $trace = $where->{$_};
		["depth/$_", sub { depth_faults($trace) }]
	} sort keys %$where;
}

# --- why --------------------------------------------------------------------

sub why_faults
{
	my @traces = @_;
	my ($status, @rows) = rows_of("$STATISTICS/why", @traces);
	my @faults = map { "$_->[0]: $_->[5]" } grep { $_->[5] ne 'right' } @rows;

	push @faults, "status $status" if $status && !@faults;
	push @faults, @rows . ' traces' if @rows != @traces;
	return @faults;
}

# among them stacks, whose steps go through several devices
sub why_simulated
{
	my $dir = "$TOP/simulated";

	mkdir $dir or die "$dir: $!\n";
	system("$HERE/truth/traces", 1, $TRIALS, $dir) == 0
		or die "truth/traces failed\n";
	my @traces = glob "$dir/*";
	my ($status, @rows) = rows_of("$STATISTICS/why", @traces);
	my $below = grep { $_->[3] } @rows;

	return why_faults(@traces), $below < 20 ? "$below are stacks" : ();
}

sub why_tests
{
	my ($where) = @_;
	my @tests = map {
		my $trace = -f "$where->{$_}/pipe.bin" ?
			"$where->{$_}/pipe.bin" : $where->{$_};
		["why/$_", sub { why_faults($trace) }]
	} sort keys %$where;

	return @tests, ['why/simulated', \&why_simulated];
}

# ----------------------------------------------------------------------------

sub main
{
	my @globs = @_;
	my $where = unpack_traces($HERE, $SHARED, $TOP);
	my @tests = (bounds_tests($where), ['bounds/hot', \&hot_faults],
		     depth_tests($where), why_tests($where));
	my %do = map { @$_ } @tests;

	return run_named(\%do, match([map { $_->[0] } @tests], @globs));
}

exit(main(@ARGV) ? 1 : 0);
