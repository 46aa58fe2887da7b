# SPDX-License-Identifier: GPL-2.0-only
package Bench;

# What the bench's scripts share: where the programs are, a scratch directory
# in memory, synthetic traces in it, a server, running a command for its cost,
# tables.

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'dirname';
use File::Spec;
use File::Temp 'tempdir';
use IO::Socket::INET;

our @EXPORT_OK = qw(bench_tool parser_command original_command our_command
	beside_original make_requests scratch make_trace events run_or_die
	server_port server_stop cost counted counted_all median table $FORMAT);

# the custom format that the speed budget names
our $FORMAT = '%D %2c %8s %5T.%9t %5p %2a %S + %n [%C]\n';

my $here = dirname(File::Spec->rel2abs(__FILE__));

# mktrace or cpu, which the Makefile puts beside the scripts
sub bench_tool {
	my ($name) = @_;
	my $path = "$here/$name";

	-x $path or die "$0: $path is missing: make bench/$name\n";
	return $path;
}

# Our blkparse as a list of words; BLKPARSE may name another, with arguments.
sub parser_command {
	my @command = split ' ', $ENV{BLKPARSE} || dirname($here) . '/blkparse';

	-x $command[0] or die "$0: $command[0] is missing: run make first\n";
	return @command;
}

# The original's, or nothing: ORIGINAL names it, else the PATH is searched.
sub original_command {
	return split ' ', $ENV{ORIGINAL} if $ENV{ORIGINAL};
	for my $dir (File::Spec->path) {
		return "$dir/blkparse" if -x "$dir/blkparse";
	}
	return;
}

# another program of ours
sub our_command {
	my ($name) = @_;
	my $path = dirname($here) . "/$name";

	-x $path or die "$0: $path is missing: run make first\n";
	return $path;
}

# the original's program of that name, or nothing: installed beside its
# blkparse, or where administrators' programs are
sub beside_original {
	my ($name) = @_;
	my ($parser) = original_command() or return;
	my @found = grep { -x } map { "$_/$name" } dirname($parser), '/usr/sbin';

	return $found[0] // ();
}

# Writes COUNT requests to PATH: issue and completion 50 us apart, 32 requests
# at work at any time.  (mktrace's are too fast for the original's blkiomon.)
sub make_requests {
	my ($path, $count) = @_;
	my ($record, $magic) = ('L L Q Q L L L L L S S', 0x65617407);
	my ($issue, $complete, $depth) = (0x01420007, 0x01820008, 32);

	open my $out, '>:raw', $path or die "$0: $path: $!\n";
	for my $n (1 .. $count + $depth) {
		my $done = $n - $depth;
		print $out pack $record, $magic, $n, 2000 * $n, 97 * $n, 4096,
			$issue, 1, 8 << 20, 0, 0, 0 if $n <= $count;
		print $out pack $record, $magic, $n, 2000 * $n + 500,
			97 * $done, 4096, $complete, 1, 8 << 20, 0, 0, 0
			if $done > 0;
	}
	close $out or die "$0: $path: $!\n";
	return $path;
}

# In memory where possible: a disk would be measured as well.
sub scratch {
	my $base = -w '/dev/shm' ? '/dev/shm' : $ENV{TMPDIR} // '/tmp';

	# leave by exit on a signal, so that the directory goes too
	$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP PIPE);
	return tempdir('bench.XXXXXX', DIR => $base, CLEANUP => 1);
}

# "200k" or "1M" as a number
sub events {
	my ($text) = @_;
	my %factor = ('' => 1, k => 1_000, M => 1_000_000);

	$text =~ /^(\d+)([kM]?)$/ or die "$0: not a number of events: $text\n";
	return $1 * $factor{$2};
}

sub run_or_die {
	my @command = @_;

	system(@command) == 0 or die "$0: failed: @command\n";
}

# Makes DIR/sda.blktrace.*; returns the words that let blkparse read it.
sub make_trace {
	my ($dir, $events, $cpus) = @_;

	run_or_die(bench_tool('mktrace'), '-n', $events, '-c', $cpus,
		'-o', $dir);
	return ('-i', "$dir/sda");
}

my ($server, $server_says);

# Starts our server, which stores below $dir; the port it listens on.
sub server_port {
	my ($dir) = @_;
	my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
		Listen => 1) or die "$0: no port: $!\n";
	my $port = $socket->sockport;

	close $socket;
	$server = open $server_says, '-|', dirname($here) . '/blktrace', '-l',
		'-p', $port, '--bind', '127.0.0.1', '-D', $dir
		or die "$0: blktrace: $!\n";
	<$server_says> // die "$0: the server does not listen\n";
	return $port;
}

# Closing its end waits for it.
sub server_stop {
	kill TERM => $server if $server;
	close $server_says if $server;
	undef $server;
}

END {
	local $?;
	server_stop();
}

sub quoted {
	return join ' ', map { my $w = s/'/'\\''/gr; "'$w'" } @_;
}

# Runs @command with the shell redirection $sink; returns its CPU seconds, its
# peak memory in MiB, and its seconds by the clock.  A pipe's far end is not the
# command's own cost.
sub cost {
	my ($dir, $sink, @command) = @_;
	my $report = "$dir/cost";
	my $line = quoted(bench_tool('cpu'), @command) . ' 2>/dev/null 3>' .
		quoted($report) . " $sink";

	unlink $report;
	system('sh', '-c', $line) == 0 or die "$0: failed: $line\n";
	open my $in, '<', $report or die "$0: $report: $!\n";
	my ($user, $system, $wall, $kib) = split ' ', <$in>;
	close $in;
	return ($user + $system, $kib / 1024, $wall);
}

# stops counting when that function is entered, and goes on when it is left
my @without_deflate = qw(--toggle-collect=deflate --collect-atstart=yes);

# Instructions of one run with that standard input, from the line that
# callgrind ends with; and what it has printed.  Those of packing are left out,
# which is the library's work.
sub counted {
	my ($dir, $input, @command) = @_;

	return counted_by($dir, $input, \@without_deflate, @command);
}

# the same with packing
sub counted_all {
	my ($dir, $input, @command) = @_;

	return counted_by($dir, $input, [], @command);
}

sub counted_by {
	my ($dir, $input, $options, @command) = @_;
	my ($log, $out) = ("$dir/log", "$dir/out.counted");
	my $pid = fork // die "$0: fork: $!\n";

	if ($pid == 0) {
		open STDIN, '<', $input or die "$0: $input: $!\n";
		open STDOUT, '>', $out or die "$0: $out: $!\n";
		open STDERR, '>', '/dev/null' or die "$0: /dev/null: $!\n";
		exec 'valgrind', '--tool=callgrind', "--log-file=$log",
			'--callgrind-out-file=/dev/null', @$options, @command
			or die "$0: valgrind: $!\n";
	}
	waitpid $pid, 0;
	$? == 0 or die "$0: failed: @command\n";
	open my $in, '<', $log or die "$0: $log: $!\n";
	my ($count) = map { /Collected : (\d+)/ } <$in>;
	close $in;
	open $in, '<', $out or die "$0: $out: $!\n";
	my $said = do { local $/; <$in> } // '';
	close $in;
	return ($count // die("$0: no count from callgrind for @command\n"),
		$said);
}

sub median {
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

# Prints rows of equal length, the first column to the left, others right.
sub table {
	my @rows = @_;
	my @width = (0) x @{$rows[0]};

	for my $row (@rows) {
		for my $i (0 .. $#$row) {
			my $length = length $row->[$i];
			$width[$i] = $length if $length > $width[$i];
		}
	}
	my ($first, @rest) = @width;
	my $format = "%-${first}s" . join('', map { "  %${_}s" } @rest) . "\n";
	printf $format, @$_ for @rows;
}

1;
