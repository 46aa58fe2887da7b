#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every case folder below tests/cases, one TAP line each.
#
#	prove tests/cases.t
#	tests/cases.t [--bin DIR] [--update | --list] [PROGRAM/CASE-GLOB ...]
#
# --bin says where the programs are (the top of the checkout).  --update makes
# what the programs do now the expectation of the cases named: read the
# resulting diff before believing it.  --list runs nothing and prints a line
# for each case: its name, its command and what it shows.  JOBS, TIMEOUT (seconds) and WRAP (a
# checker to put in front of the programs) come from the environment.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use Getopt::Long;
use Suite::Case qw(find_cases load_case try_case update_case faults one_line);
use Suite::Differs 'read_differs';
use Suite::Files 'slurp';
use Suite::Run 'find_programs';
use Suite::Tap qw(work_in_order test_line note);

my $HERE = $FindBin::Bin;
my ($ROOT, $DATA) = ("$HERE/cases", "$HERE/data");

# Prints TAP; returns how many lines failed.
sub check
{
	my ($programs, $globs, @names) = @_;
	my ($number, $failed) = (0, 0);
	my $work = sub {
		my ($name, $dir) = @_;
		try_case(load_case($ROOT, $DATA, $name), $dir, $programs);
	};
	my $show = sub {
		my ($name, @complaints) = @_;
		test_line(++$number, $name, @complaints);
		$failed++ if @complaints;
	};

	# the folders themselves are looked at when all of them are run
	print '1..', @names + !@$globs, "\n";
	work_in_order(\@names, $work, $show);
	$show->('the folders are in order', folder_faults()) unless @$globs;
	return $failed;
}

sub folder_faults
{
	my $differs = read_differs("$HERE/differs.tsv");
	my %known = map { $_ => 1 } map { split /,/ } values %$differs;
	return faults($ROOT, $DATA, \%known);
}

sub update
{
	my ($programs, @names) = @_;
	my $work = sub {
		my ($name, $dir) = @_;
		update_case(load_case($ROOT, $DATA, $name), $dir, $programs);
	};
	my $show = sub {
		my ($name, @changed) = @_;
		print "$name: @changed\n" if @changed;
	};
	work_in_order(\@names, $work, $show);
	return 0;
}

# case <tab> command <tab> about, each on one line
sub list
{
	for my $name (@_) {
		my $about = "$ROOT/$name/about";
		my $text = -e $about ? slurp($about) : '';

		print join("\t", $name, one_line("$ROOT/$name/cmd"),
			   join ' ', split ' ', $text), "\n";
	}
	return 0;
}

sub main
{
	my ($dir, $update, $list) = ($ENV{BIN} || "$HERE/..", 0, 0);
	my $usage = "usage: cases.t [--bin DIR] [--update | --list]"
		. " [CASE-GLOB ...]\n";

	GetOptions('bin=s' => \$dir, 'update' => \$update,
		   'list' => \$list) or die $usage;
	die "--update wants the names of cases\n" if $update && !@ARGV;
	my $bin = abs_path($dir) or die "$dir: $!\n";
	my @names = find_cases($ROOT, @ARGV);
	die "no such case: @ARGV\n" unless @names;
	return list(@names) if $list;
	my $programs = find_programs($bin);
	return $update ? update($programs, @names) :
		check($programs, [@ARGV], @names);
}

exit(main() ? 1 : 0);
