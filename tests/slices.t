#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A window of a trace (blkparse -w) prints the same whether what is before it
# is passed over or read: from plain files it is passed over where that can be,
# gzip'd they are always read from end to end.
#
#	BIN=DIR prove tests/slices.t
#
# Windows are random, of all recorded traces that are at hand (SHARED) and of
# made ones: with equal and late times, with names that several processes of a
# number have, with damage.  SEED=N tries others, WINDOWS=N so many of each.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Records 'record';
use Suite::Files qw(spew slurp);
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'unpack_traces';
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || "$HERE/.."));
my $WINDOWS = $ENV{WINDOWS} || 12;
my $TOP = tempdir('slices.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my @OPTIONS = ('', '-t', '-s -t', '-v', '-h -s', '-b 1', '-b 3 -t', '-b 16',
	       '-b 100 -s', '-a issue', '-q', '-f "%C %p %T.%t %S\n"',
	       '-d dump -o /dev/null');

srand($ENV{SEED} || 1);

# --- made traces -------------------------------------------------------------

my ($NAMED, $CLOCK) = (0x04000000, 0x04000001);

# Events of one CPU: STEP ns apart at most, one in LATE of them late by up to
# LATE_BY, with notes that name processes, one number several times.
sub made_cpu
{
	my ($cpu, %o) = @_;
	my $time = 1000 + int rand 50;
	my $text = record(number => 0, cpu => $cpu, action => $CLOCK,
			  payload => pack 'L L', 1700000000, rand 9000);

	for my $number (1 .. $o{events}) {
		my $late = $o{late} && !int rand $o{late};
		my $pid = 1 + int rand 20;

		$time += int rand $o{step} + 1;
		$text .= record(number => $number, cpu => $cpu, pid => $pid,
				time => $late ? $time - int rand $o{late_by} :
						$time);
		$text .= record(number => 0, cpu => $cpu, time => $time,
				pid => $pid, action => $NAMED,
				payload => ('dd', 'cp', 'fio')[rand 3])
			unless int rand 30;
	}
	return $text;
}

# a trace m of so many CPUs in folder NAME; DAMAGE: one byte of CPU 0 is wrong
sub make_trace
{
	my ($name, $cpus, %o) = @_;
	my $dir = "$TOP/$name";

	mkdir $dir or die "$dir: $!\n";
	for my $cpu (0 .. $cpus - 1) {
		my $text = made_cpu($cpu, %o);

		substr($text, rand length $text, 1) = "\xff"
			if $o{damage} && !$cpu;
		spew("$dir/m.blktrace.$cpu", $text);
	}
	return $dir;
}

# two directories, so two hosts, whose clocks began at different times
sub make_hosts
{
	mkdir "$TOP/hosts" or die "$TOP/hosts: $!\n";
	make_trace("hosts/$_", 2, events => 1200, step => 700)
		for 'db1', 'db2';
	return "$TOP/hosts";
}

sub made_traces
{
	return (
		hosts => make_hosts(),
		plain => make_trace('plain', 4, events => 3000, step => 900),
		equal => make_trace('equal', 3, events => 2000, step => 2),
		late => make_trace('late', 3, events => 2000, step => 300,
				   late => 700, late_by => 900),
		early => make_trace('early', 2, events => 1500, step => 9,
				    late => 900, late_by => 30000),
		damaged => make_trace('damaged', 2, events => 1500,
				      step => 300, damage => 1),
	);
}

# --- one trace ---------------------------------------------------------------

# its devices, if it is one of files; or its folders, each a host's
sub devices_of
{
	my ($dir) = @_;
	my @hosts = map { m{([^/]+)/\z} } glob "\Q$dir\E/*/";

	return @hosts if @hosts;
	my %names = map { m{([^/]+)\.blktrace\.\d+\z} ? ($1 => 1) : () }
		glob "\Q$dir\E/*.blktrace.*";
	return sort keys %names;
}

# but an empty file, which is no input, would be one
sub pack_copies
{
	my ($dir, $to) = @_;

	mkdir $to or die "$to: $!\n";
	pack_copies($_, $to . substr $_, length $dir)
		for map { s{/\z}{}r } glob "\Q$dir\E/*/";
	for my $file (grep { -s } glob "\Q$dir\E/*.blktrace.*") {
		my ($name) = $file =~ m{([^/]+)\z};
		system("gzip -1nc '$file' > '$to/$name.gz'") == 0
			or die "gzip $file\n";
	}
}

# all that a command prints and returns, and the dump it made
sub told
{
	my ($command, $dir) = @_;
	my $r = run_command($command, $dir, $PROGRAMS);
	my $dump = -e "$dir/dump" ? slurp("$dir/dump") : '';
	my $text = "$r->{out}\n$r->{err}\n$r->{rc}\n$dump";

	unlink "$dir/dump";
	return $text =~ s/(?<=blktrace\.)(\d+)\.gz/$1/gr;
}

# when its last event is, in seconds after the first
sub length_of
{
	my ($dir, @devices) = @_;
	my $r = run_command("blkparse -q -M -f '%T.%9t\\n' @devices", $dir,
			    $PROGRAMS);
	my @times = $r->{out} =~ /^(\d+\.\d+)$/mg;
	return (sort { $a <=> $b } @times)[-1] || 0;
}

# any window, one that begins and ends with an event now and then
sub random_window
{
	my ($length) = @_;
	my $from = rand($length * 1.02);
	return sprintf '%.9f:%.9f', $from, $from + 1e-9 + rand $length / 8;
}

sub check
{
	my ($name, $dir) = @_;
	my @devices = devices_of($dir);
	my $length = @devices && length_of($dir, @devices);
	my @wrong;

	return if !$length;
	pack_copies($dir, "$dir.packed");
	for (1 .. $WINDOWS) {
		my $command = 'blkparse --no-progress ' .
			$OPTIONS[rand @OPTIONS] . ' -w ' .
			random_window($length) . " @devices";

		push @wrong, $command if told($command, $dir) ne
					 told($command, "$dir.packed");
	}
	is("@wrong", '', "$name: $WINDOWS windows");
}

# --- what is kept beside a long trace -----------------------------------------

# Its file is made by the first window that is far enough in, serves the others,
# and is of no use when a byte of it is wrong.
sub check_kept
{
	my $dir = "$TOP/long";
	my $kept = "$dir/.m.blktrace.0.positions";

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/m.blktrace.0", join '', map {
		record(number => $_, time => 1000 * $_, pid => $_ % 50,
		       payload => 'x' x 1400) . ($_ % 100 ? '' :
		record(number => 0, time => 1000 * $_, pid => $_ % 70,
		       action => $NAMED, payload => "name$_"))
	} 1 .. 30000);
	select undef, undef, undef, 2.5;	# it is not to be changing
	ok(!-e $kept, 'no window, nothing kept');
	check('long', $dir);
	ok(-s $kept, 'positions are kept');
	my $text = slurp($kept);
	substr($text, length($text) / 2, 1) ^= "\1";
	spew($kept, $text);
	system('rm', '-r', "$dir.packed");
	check('long, and what is kept is wrong', $dir);
}

my %traces = (%{unpack_traces($HERE, $SHARED, $TOP)}, made_traces());

check($_, $traces{$_}) for sort keys %traces;
check_kept();
done_testing();
