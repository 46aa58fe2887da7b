#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every unit program, one TAP line for each test in it.
#
#	prove tests/unit.t
#	tests/unit.t [PROGRAM ...]
#
# UNITS names the directory of the programs (build/tests/unit).  JOBS, TIMEOUT
# (seconds) and WRAP (a checker to put in front of the programs) come from the
# environment, as they do for cases.t.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'basename';
use Suite::Run 'run_command';
use Suite::Tap qw(work_in_order note);

my $HERE = $FindBin::Bin;

# the programs in DIR: what can be run and is no library, object or the like
sub find_units
{
	my ($dir) = @_;
	return sort map { basename($_) }
		grep { -f && -x && basename($_) !~ /\./ }
		glob "$dir/*";
}

# Runs one program.  Returns its own test lines without their numbers, and one
# line more when it ended otherwise than its lines would have it.
sub run_unit
{
	my ($units, $name, $dir) = @_;
	my $wrap = defined $ENV{WRAP} ? $ENV{WRAP} : '';
	# programs that ask for it do less under a checker: rounds.h
	my $told = length $wrap ? 'WRAP=yes' : '';
	my $programs = { dir => $units, path => $units };
	my $ran = run_command("CMOCKA_MESSAGE_OUTPUT=TAP $told $wrap " .
			      "$units/$name", $dir, $programs);
	my @lines = map { s/^((?:not )?ok) \d+ - /$1 - $name: /r }
		grep { /^(?:not )?ok \d|^#/ } split /\n/, $ran->{out};
	my @faults = ending_faults($ran, @lines);

	push @lines, "not ok - $name: the program itself", @faults if @faults;
	push @lines, quoted($ran->{err}) if grep { /^not ok/ } @lines;
	return @lines;
}

# what is wrong with how a program ended, as diagnostics
sub ending_faults
{
	my ($ran, @lines) = @_;
	my ($plan) = $ran->{out} =~ /^1\.\.(\d+)$/m;
	my $tests = grep { /^(?:not )?ok/ } @lines;
	my $failed = grep { /^not ok/ } @lines;
	my @faults;

	push @faults, '# it took too long' if $ran->{late};
	push @faults, '# it has no tests' unless $plan;
	push @faults, "# $tests of $plan tests were run"
		if $plan && $plan != $tests;
	# failed tests are a status of their own, told already
	push @faults, "# it ended with status $ran->{rc}"
		if $ran->{rc} && !$failed;
	return @faults;
}

sub quoted
{
	return map { "# $_" } grep { length } split /\n/, $_[0];
}

# Prints TAP, tests numbered over all programs; returns how many failed.
sub check
{
	my ($units, @names) = @_;
	my ($number, $failed) = (0, 0);
	my $work = sub { run_unit($units, @_) };
	my $show = sub {
		my ($name, @lines) = @_;
		# a helper that died leaves complaints and no test lines
		unshift @lines, "not ok - $name: could not be run"
			unless grep { /^(?:not )?ok/ } @lines;
		for my $line (@lines) {
			if ($line =~ /^(not )?ok - (.*)/) {
				$failed++ if $1;
				$number++;
				print $1 || '', "ok $number - $2\n";
			} else {
				note($line =~ s/^# ?//r);
			}
		}
	};

	$| = 1;
	work_in_order(\@names, $work, $show);
	print "1..$number\n";
	return $failed;
}

sub main
{
	my $dir = $ENV{UNITS} || "$HERE/../build/tests/unit";
	my $units = abs_path($dir);
	my @names = @ARGV ? @ARGV : $units ? find_units($units) : ();

	if (!@names) {
		print "1..1\nnot ok 1 - there are unit programs in $dir\n";
		return 1;
	}
	return check($units, @names);
}

exit(main() ? 1 : 0);
