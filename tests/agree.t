#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# All programs print the same numbers about a trace.
#
#	BIN=DIR UNITS=BUILD/tests/unit prove tests/agree.t
#	... prove tests/agree.t :: 'headline/dm-*'
#
# headline/: figures of btstat, btreport, blktop, btexport's queries and counters
# and libblktrace, about recorded and simulated traces, are those that
# agree/headline (python3) counts in btexport's rows, or it has a reason why not.
# queries/: ready queries and btstat, in detail: each phase by disk and operation,
# percentiles, shares, bytes by process and cgroup, the slowest, ios of each
# second, depth.  agree/queries compares; clickhouse.t shows that another engine
# has SQLite's answers.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Files 'spew';
use Suite::Run qw(find_programs has_sqlite run_command);
use Suite::Tap qw(test_line work_in_order);
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('agree.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $PHASES = join ',', qw(q2c total q2a lower a2c q2x x2c q2g q2m preflush g2m
	g2i g2d i2d m2d requeue d2c postflush rest);

# what btstat is asked, as agree/queries needs it
my %ASKED = (
	all => "--phases=$PHASES --under=1ms,5ms --top=10",
	process => '--by=process,op --phases=total',
	cgroup => '--by=cgroup,op --phases=total',
	second => '--by=device,op --interval=1',
	disk => '--by=device',
);

# numbers of a trace that has any ios
my $LEAST = 30;

# simulated traces, and how many of them a process makes
my ($SIMULATED, $AT_ONCE) = (50, 10);

# doc/examples/requests.c with libblktrace, or empty
my ($REQUESTS) = grep { -x } dirname($ENV{UNITS} ? abs_path($ENV{UNITS}) :
	"$HERE/../build/tests/unit") . '/library/requests';
my $NEEDED = "$TOP/needed";

# what both say of TRACE, a folder, to DIR; complaints
sub ask
{
	my ($trace, $dir) = @_;
	my $input = -e "$trace/pipe.bin" ? "$trace/pipe.bin" : $trace;
	my @commands = ("btexport -o all.sqlite '$input'", map {
		"btstat --format=json $ASKED{$_} -o $_.json '$input'"
	} sort keys %ASKED);
	my @faults;

	for my $command (@commands) {
		my $got = run_command($command, $dir, $PROGRAMS);
		# 1: a damaged trace
		push @faults, "$command: status $got->{rc}", $got->{err}
			if $got->{rc} > 1;
	}
	return @faults;
}

sub compare
{
	my ($dir) = @_;
	my $got = run_command("'$HERE/agree/queries' .", $dir, $PROGRAMS);
	my @faults = split /\n/, $got->{out};

	return "queries: $got->{err}" if $got->{rc} || $got->{err} ne '';
	my ($number) = pop(@faults) =~ /^(\d+) compared$/;
	push @faults, "only $number numbers" if $number < $LEAST;
	return @faults;
}

# --- headline figures --------------------------------------------------------

# Reasons that were needed are files in $NEEDED.
sub headline_faults
{
	my ($dir, @arguments) = @_;
	my $got = run_command("BIN='$PROGRAMS->{path}' REQUESTS='" . ($REQUESTS // '') . "' " .
			      "'$HERE/agree/headline' @arguments", $dir,
			      $PROGRAMS);
	my @lines = split /\n/, $got->{out};

	return "headline: $got->{err}" if $got->{rc} || $got->{err} ne '';
	my ($number) = pop(@lines) =~ /^(\d+) compared$/;
	spew("$NEEDED/$_", '') for map { /^needs (\S+)$/ } @lines;
	return ((grep { !/^needs / } @lines),
		$number < $LEAST ? "only $number figures" : ());
}

sub recorded_faults
{
	my ($trace, $dir) = @_;
	my $name = -e "$trace/pipe.bin" ? 'pipe.bin' : '.';

	return headline_faults($dir, "'$trace'", $name);
}

sub simulated_faults
{
	my ($first, $dir) = @_;

	return headline_faults($dir, '--simulated', $first, $AT_ONCE);
}

# No reason is there without need: all traces have been compared.
sub idle_reasons
{
	my $got = run_command("'$HERE/agree/headline' --reasons", $TOP,
			      $PROGRAMS);
	my @reasons = split /\n/, $got->{out};

	return ('no reasons', $got->{err}) unless @reasons;
	return map { "no trace needs $_" } grep { !-e "$NEEDED/$_" } @reasons;
}

# --- btstat and queries ------------------------------------------------------

sub trace_faults
{
	my ($trace, $dir) = @_;
	my @faults = ask($trace, $dir);

	return @faults ? @faults : compare($dir);
}

# A comparison that accepts anything would show nothing: ios took longer.
sub changed_faults
{
	my ($trace, $dir) = @_;
	my @faults = trace_faults($trace, $dir);
	my $got = run_command("python3 -c '
import sqlite3
db = sqlite3.connect(\"all.sqlite\")
db.execute(\"UPDATE ios SET total_ns = 2 * total_ns\")
db.commit()'", $dir, $PROGRAMS);

	push @faults, $got->{err} if $got->{rc};
	my $said = join "\n", compare($dir);
	push @faults, "another $_ is the same" for grep { $said !~ /\b$_\b/ }
		qw(sum_ns max_ns p50 under slowest);
	return @faults;
}

my %FAULTS = (headline => \&recorded_faults, queries => \&trace_faults,
	      simulated => \&simulated_faults, changed => \&changed_faults);

sub main
{
	my @globs = @_;
	my $where = unpack_traces($HERE, $SHARED, $TOP);
	my @names = sort keys %$where;
	my @seeds = map { 1 + $_ * $AT_ONCE } 0 .. $SIMULATED / $AT_ONCE - 1;
	my @items = match([(map { "headline/$_" } @names),
			   (map { "simulated/$_" } @seeds),
			   (map { "queries/$_" } @names),
			   'changed/cgroup-mqdl'], @globs);
	my ($number, $failed) = (0, 0);

	if (!has_sqlite($TOP, $PROGRAMS)) {
		print "1..0 # SKIP built without SQLite\n";
		return 0;
	}
	mkdir $NEEDED or die "$NEEDED: $!\n";
	print '1..', @items + !@globs, "\n";
	print "# no libblktrace: make library-programs\n" unless $REQUESTS;
	work_in_order(\@items, sub {
		my ($what, $name) = split m{/}, $_[0];
		return $FAULTS{$what}->($where->{$name} // $name, $_[1]);
	}, sub {
		my ($name, @faults) = @_;
		test_line(++$number, $name, @faults);
		$failed++ if @faults;
	});
	return $failed if @globs;
	my @faults = idle_reasons();
	test_line(++$number, 'each reason is needed', @faults);
	return $failed + @faults;
}

exit(main(@ARGV) ? 1 : 0);
