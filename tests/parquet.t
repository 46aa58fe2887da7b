#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Parquet files at the edges of the format, read back value by value.
#
#	make export-programs; EXPORT=build/tests/export prove tests/parquet.t
#	... prove tests/parquet.t :: 'edges/rows-*'
#
# edges: what export/parquet_edges has written is what export/parquet-values
# (python3), which knows the format from its description alone, reads; and it
# says so if a byte is another one.  groups: how many rows are in each.
# Some are of chance, by seeds; SEEDS names others.
# bare: the columns that are not packed, as that saves too little.
# memory: bounded, whatever the rows are.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Files qw(slurp spew);
use Suite::Tap qw(work_in_order test_line);

my $HERE = $FindBin::Bin;
my $EXPORT = abs_path($ENV{EXPORT} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/export' :
	"$HERE/../build/tests/export"));
my $TOP = tempdir('parquet.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $VALUES = "$HERE/export/parquet-values";

# rows in each group: full ones, and those that end before their time
my %GROUPS = (
	'rows-0' => [], 'rows-1' => [1], 'rows-131071' => [131071],
	'rows-131072' => [131072], 'rows-131073' => [131072, 1],
	'rows-300000-gzip' => [131072, 131072, 37856],
	'distinct-texts' => [131072, 8928],
);

# columns of times-gzip that packing makes no smaller
my @BARE = qw(wide wide_null slim slim_null);

my $SEEDS = $ENV{SEEDS} || join ' ', 1 .. 8;

# of any writer, in KiB, beside what the program has; and rows for some groups
my $MEMORY = 11 * 1024;
my %LOADS = (ios => 270000, chance => 40000, texts => 90000, long => 1500);

# what a program prints, and its status
sub output_of
{
	my ($command) = @_;
	my $text = `$command`;
	return ($?, $text);
}

# --- edges ------------------------------------------------------------------

sub edge_faults
{
	my ($name) = @_;
	my ($status, $got) = output_of("$VALUES $TOP/$name.parquet 2>&1");

	return $got =~ /([^\n]*)\n*\z/ if $status;
	return 'other values' if $got ne slurp("$TOP/$name.tsv");
	return ();
}

sub edge_tests
{
	return map {
		my $name = $_;
		["edges/$name", sub { edge_faults($name) }]
	} @_;
}

# A reader that accepts anything would show nothing.
sub changed_faults
{
	my $whole = slurp("$TOP/rows-130.parquet");
	my $rows = slurp("$TOP/rows-130.tsv");
	my @faults;

	for my $at (map { 4 + 37 * $_ } 0 .. 24) {
		my $other = $whole;
		vec($other, $at, 8) ^= 1 << $at % 8;
		spew("$TOP/changed.$at", $other);
		my ($status, $got) =
			output_of("$VALUES $TOP/changed.$at 2>/dev/null");
		push @faults, "byte $at" if !$status && $got eq $rows;
	}
	return @faults;
}

# --- groups -----------------------------------------------------------------

sub group_faults
{
	my ($name) = @_;
	my ($status, $got) =
		output_of("$VALUES --groups $TOP/$name.parquet 2>&1");
	my $want = join '', map { "$_\n" } @{$GROUPS{$name}};

	return $status || $got ne $want ? "groups: $got" : ();
}

# --- bare columns -----------------------------------------------------------

# The first group is packed; numbers of chance are not in the next ones.
sub bare_faults
{
	my ($status, $got) =
		output_of("$VALUES --bare $TOP/times-gzip.parquet 2>&1");
	my ($first, @others) = split /\n/, $got;

	return $got if $status || $first ne '' || @others != 2;
	return grep { $_ ne join ' ', @BARE } @others;
}

# --- memory -----------------------------------------------------------------

# checkers need memory of their own
sub is_checked
{
	return slurp("$EXPORT/parquet_load") =~ /__[at]san_init/;
}

sub memory_faults
{
	my ($kind, $how) = @_;
	my ($status, $got) = output_of(
		"$EXPORT/parquet_load $kind $LOADS{$kind} $how 2>&1 " .
		">$TOP/$kind.$how");
	my ($kib) = $got =~ /^(\d+) KiB$/m;

	return "status $status: $got" if $status || !defined $kib;
	return "$kib KiB" if $kib > $MEMORY;
	($status, $got) = output_of("$VALUES --groups $TOP/$kind.$how 2>&1");
	return $got if $status;
	return 'one group, which shows nothing' if $got !~ /\n./;
	return 'other bytes than without threads' if $how eq 'beside' &&
		system("$EXPORT/parquet_load $kind $LOADS{$kind} gzip " .
		"2>/dev/null | cmp -s - $TOP/$kind.$how");
	return ();
}

sub memory_tests
{
	return () if is_checked();
	return map {
		my $kind = $_;
		map {
			my $how = $_;
			["memory/$kind-$how",
			 sub { memory_faults($kind, $how) }]
		} qw(bare gzip beside)
	} sort keys %LOADS;
}

# ----------------------------------------------------------------------------

sub main
{
	my @globs = @_;
	my ($status, $names) =
		output_of("$EXPORT/parquet_edges $TOP $SEEDS");
	my @edges = split /\n/, $names;
	die "parquet_edges: status $status\n" if $status || !@edges;
	my @tests = (edge_tests(@edges), ['edges/changed', \&changed_faults],
		['bare/times', \&bare_faults],
		(map { my $name = $_; ["groups/$name",
			sub { group_faults($name) }] } sort keys %GROUPS),
		memory_tests());
	my %do = map { @$_ } @tests;
	my @chosen = match([map { $_->[0] } @tests], @globs);
	my ($number, $failed) = (0, 0);

	print '1..', scalar @chosen, "\n";
	work_in_order(\@chosen, sub { $do{$_[0]}->() }, sub {
		my ($name, @faults) = @_;
		test_line(++$number, $name, @faults);
		$failed++ if @faults;
	});
	return $failed;
}

exit(main(@ARGV) ? 1 : 0);
