#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The table latency, summed up, has btstat's numbers: of every recorded trace,
# and of all of them together btstat's merged ones.
#
#	BIN=DIR prove tests/rollup.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files 'slurp';
use Suite::Rollup qw(btstat by_btstat rolled_up summed);
use Suite::Run qw(find_programs run_command);
use Suite::Traces qw(unpack_traces);
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('rollup.XXXXXX', TMPDIR => 1, CLEANUP => 1);
# rows of CSV, each by its columns' names; of quotes only those of "8,0", which
# is 8:0
sub rows
{
	my ($command) = @_;
	my $got = run_command($command, $TOP, $PROGRAMS);
	diag($got->{err}) if !length $got->{out};
	my $text = $got->{out};
	$text =~ s/"(\d+),(\d+)"/$1:$2/g;
	my ($names, @rows) = map { [split /,/, $_, -1] } split /\n/, $text;

	return map { my $row = $_; +{ map { $names->[$_] => $row->[$_] }
		0 .. $#$names } } @rows;
}

# --- histograms of several ---------------------------------------------------

# the number of a cell, by its least time
sub number_of
{
	my ($low) = @_;
	my $power = 0;

	$power++ while $low >> $power >= 256;
	return 128 * $power + ($low >> $power);
}

# "disk op phase" => numbers and cells, from rows of the table
sub histograms
{
	my (%all, %cells);

	for my $row (grep { $_->{phase} ne 'total' } @_) {
		my $name = "$row->{disk} $row->{op} $row->{phase}";
		push @{$all{$name}}, $row;
		$cells{$name}{number_of($row->{low_ns})} += $row->{count};
	}
	return map { my $cells = $cells{$_};
		my $its = summed(@{$all{$_}}) =~ s/ p50.*//r;
		$_ => "$its " . join ' ', map { "$_:$cells->{$_}" }
			sort { $a <=> $b } keys %$cells } keys %all;
}

# the same from a save file of btstat
sub saved
{
	my ($file) = @_;
	my $text = slurp($file);
	my %found;

	while ($text =~ /^hist (.*)\n(.*)$/mg) {
		my ($cells, %is) = ($2, map { split /=/, $_, 2 } split / /, $1);
		my $device = $is{device} =~ tr/,/:/r;
		$found{"$device $is{op} $is{phase}"} = "count=$is{n} " .
			"sum_ns=$is{sum} min_ns=$is{min} max_ns=$is{max} $cells"
			if $is{phase} =~ /^(?:q2c|d2c)\z/ && $is{n};
	}
	return %found;
}

sub compare
{
	my ($what, $got, $want) = @_;
	my ($mine, $its) = map { my $h = $_; join "\n", map { "$_: $h->{$_}" }
		sort keys %$h } $got, $want;

	is($mine, $its, $what);
}

# --- all traces -------------------------------------------------------------

my $where = unpack_traces($HERE, $SHARED, $TOP);
my (@cells, @saves);

for my $name (sort keys %$where) {
	my $from = (glob("\Q$where->{$name}\E/*.bin"))[0] // $where->{$name};
	my @its = rows("btexport --table=latency '$from'");

	push @cells, map { +{ %$_ } } @its;
	my @stat = rows(btstat() . " '$from'");
	rows("btstat --save='$name.save' '$from'");
	push @saves, "'$name.save'" if -s "$TOP/$name.save";
	compare($name, { rolled_up(@its) }, { by_btstat(@stat) });
}
cmp_ok(scalar @saves, '>', 20, 'traces to merge');
run_command("btstat --save=all.save @saves", $TOP, $PROGRAMS);
compare('all of them together', { histograms(@cells) },
	{ saved("$TOP/all.save") });
done_testing();
