#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat and the ready queries say the same of every recorded trace.
#
#	BIN=DIR prove tests/agree.t
#	... prove tests/agree.t :: 'agree/dm-*'
#
# Counts, sums, smallest and largest of each phase by disk and operation;
# percentiles, shares, bytes by process and cgroup, the slowest, ios of each
# second, depth.  agree/queries (python3) compares; clickhouse.t shows
# that another engine has SQLite's answers.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Run qw(find_programs has_sqlite run_command);
use Suite::Tap qw(test_line work_in_order);
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('agree.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $PHASES = join ',', qw(q2c total q2a lower a2c q2x x2c q2g q2m preflush g2m
	g2i g2d i2d m2d requeue d2c postflush rest);

# what btstat is asked, as agree/queries wants it
my %ASKED = (
	all => "--phases=$PHASES --under=1ms,5ms --top=10",
	process => '--by=process,op --phases=total',
	cgroup => '--by=cgroup,op --phases=total',
	second => '--by=device,op --interval=1',
	disk => '--by=device',
);

# numbers of a trace that has any ios
my $LEAST = 30;

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

sub main
{
	my @globs = @_;
	my $where = unpack_traces($HERE, $SHARED, $TOP);
	my @items = match([(map { "agree/$_" } sort keys %$where),
			   'changed/cgroup-mqdl'], @globs);
	my ($number, $failed) = (0, 0);

	if (!has_sqlite($TOP, $PROGRAMS)) {
		print "1..0 # SKIP built without SQLite\n";
		return 0;
	}
	print '1..', scalar @items, "\n";
	work_in_order(\@items, sub {
		my ($what, $name) = split m{/}, $_[0];
		my $faults = $what eq 'changed' ? \&changed_faults :
			\&trace_faults;
		return $faults->($where->{$name}, $_[1]);
	}, sub {
		my ($name, @faults) = @_;
		test_line(++$number, $name, @faults);
		$failed++ if @faults;
	});
	return $failed;
}

exit(main(@ARGV) ? 1 : 0);
