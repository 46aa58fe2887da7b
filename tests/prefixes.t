#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every prefix of a long option that release 1.3.0 accepts still means the
# same: it does exactly what the short option does, and without it something
# else happens.  One table for each program.
#
#	BIN=DIR prove tests/prefixes.t [:: PROGRAM...]
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Copy 'copy';
use File::Temp 'tempdir';
use Records qw(record trace);
use Suite::Files qw(slurp spew census read_kept);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('prefixes.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# Long name, short letter, argument (undef: takes none), the rest of the
# command.  In each, leaving the option out changes what happens.  Names that
# are listed twice in 1.3.0 are so here: only the whole of them was accepted.
#
# How many prefixes that gives is written down, so that a mistake in the rules
# below is not a test that cannot fail.
my %TABLES = (
	blkparse => { prefixes => 145, make => \&make_traces, options => [
		['act-mask', 'a', 'issue', 'x'],
		['set-mask', 'A', '40', 'x'],
		['batch', 'b', '1', 'x'],
		['input-directory', 'D', 'sub', 'z'],
		['dump-binary', 'd', 'made', 'x'],
		['format', 'f', '%a %S\n', 'x'],
		['format-spec', 'F', 'Q,%a %S\n', 'x'],
		['hash-by-name', 'h', undef, '-s x'],
		['input', 'i', 'y', 'x'],
		['no-msgs', 'M', undef, '-d made x'],
		['output', 'o', 'made', 'x'],
		['no-text-output', 'O', undef, 'x'],
		['quiet', 'q', undef, 'x'],
		['per-program-stats', 's', undef, 'x'],
		['sort-program-stats', 'S', 'W', 'x'],
		['track-ios', 't', undef, 'x'],
		['stopwatch', 'w', '0.000002', 'x'],
		['verbose', 'v', undef, 'x'],
		['version', 'V', undef, 'x'],
	] },
	# without a device to trace: what is refused tells which option it was
	blktrace => { prefixes => 101, make => sub { }, options => [
		['dev', 'd', '/nope', ''],
		['input-devs', 'I', '/nope', ''],
		['act-mask', 'a', 'nope', '/nope'],
		['set-mask', 'A', '0', '/nope'],
		['relay', 'r', '/nope', '--check'],
		['output', 'o', 'nope', '/nope /nope2'],
		['output-dir', 'D', '/nope/nope', '--check'],
		['kill', 'k', undef, '-h 127.0.0.1 /dev/null'],
		['stopwatch', 'w', '0', '/nope'],
		['buffer-size', 'b', '0', '/nope'],
		['num-sub-buffers', 'n', '0', '/nope'],
		['listen', 'l', undef, '--bind=192.0.2.1'],
		['host', 'h', '127.0.0.1', '/dev/null'],
		['port', 'p', '0', '/nope'],
		['no-sendfile', 's', undef, '-h 127.0.0.1 /dev/null', 'unseen'],
		['version', 'V', undef, ''],
		['version', 'v', undef, ''],
	] },
	# in this dump there is nothing that -r would leave out
	btt => { prefixes => 230, make => \&make_dump, front => '-i x.bin',
		 options => [
		['seek-absolute', 'a', undef, ''],
		['all-data', 'A', undef, ''],
		['dump-blocknos', 'B', 'made', ''],
		['range-delta', 'd', '0.001', ''],
		['devices', 'D', '8,16', ''],
		['exes', 'e', 'fio', ''],
		['help', 'h', undef, '', 'moved'],
		['input-file', 'i', 'nope', ''],
		['iostat', 'I', 'made', ''],
		['d2c-latencies', 'l', 'made', ''],
		['periodic-latencies', 'L', '0.5', ''],
		['seeks-per-second', 'm', 'made', '-s seeks'],
		['dev-maps', 'M', 'map', ''],
		['output-file', 'o', 'made', ''],
		['per-io-dump', 'p', 'made', ''],
		['per-io-trees', 'P', 'x', ''],
		['q2c-latencies', 'q', 'made', ''],
		['active-queue-depth', 'Q', 'made', ''],
		['no-remaps', 'r', undef, '', 'unseen'],
		['seeks', 's', 'made', ''],
		['iostat-interval', 'S', '2', '-I table'],
		['time-start', 't', '0.5', ''],
		['time-end', 'T', '0.5', ''],
		['unplug-hist', 'u', 'made', ''],
		['version', 'V', undef, ''],
		['verbose', 'v', undef, ''],
		['easy-parse-avgs', 'X', undef, '-o out'],
		['q2d-latencies', 'z', 'made', ''],
		['do-active', 'Z', undef, ''],
	] },
	blkiomon => { prefixes => 53, make => sub { }, options => [
		['interval', 'I', '1', ''],
		['human-readable', 'h', 'made', '-I 1'],
		['binary', 'b', 'made', '-I 1'],
		['dump-lldd', 'd', 'made', '-I 1'],
		['debug', 'D', 'made', '-I 1'],
		['msg-queue', 'Q', '/nope', '-I 1'],
		['msg-queue-id', 'q', '7', '-I 1 -Q nope -m 1'],
		['msg-id', 'm', '7', '-I 1 -Q nope -q 1'],
		['version', 'V', undef, ''],
	] },
	btrecord => { prefixes => 65, make => \&make_traces, options => [
		['input-directory', 'd', 'sub', 'z'],
		['output-directory', 'D', 'sub', 'x'],
		['find-traces', 'F', undef, ''],
		['help', 'h', undef, '', 'moved'],
		['max-bunch-time', 'm', '1', 'x'],
		['max-pkts', 'M', '1', 'y'],
		['output-base', 'o', 'base', 'x'],
		['verbose', 'v', undef, 'x'],
		['version', 'V', undef, ''],
	] },
	# --help has no letter, and makes --h and --he unclear
	iowatcher => { prefixes => 154, make => \&make_picture,
		       front => '-t t.dump', others => ['help'], options => [
		['output', 'o', 'made', ''],
		['trace', 't', 'u.dump', ''],
		['fio-trace', 'F', 'log', ''],
		['label', 'l', 'made', ''],
		['rolling', 'r', '2', ''],
		['title', 'T', 'made', ''],
		['no-graph', 'N', 'io', ''],
		['only-graph', 'O', 'io', ''],
		['prog', 'p', undef, 'true'],
		['keep-movie-svgs', 'K', undef, '', 'unseen'],
		['codec', 'C', 'made', '', 'unseen'],
		['height', 'h', '100', ''],
		['width', 'w', '100', ''],
		['columns', 'c', '2', ''],
		['device', 'd', '/nope', ''],
		['blktrace-destination', 'D', 'nope', '', 'unseen'],
		['xzoom', 'x', '1:2', ''],
		['yzoom', 'y', '1:20', ''],
		['io-plot-action', 'a', 'C', ''],
		['per-process-io', 'P', undef, ''],
		['movie', 'm', undef, ''],
	] },
	# without a device: what is refused tells which option it was
	btreplay => { prefixes => 89, make => \&make_scrap, options => [
		['cpus', 'c', '0', 'nope'],
		['input-directory', 'd', 'missing', 'nope'],
		['find-records', 'F', undef, ''],
		['help', 'h', undef, '', 'moved'],
		['input-base', 'i', 'base', 'nope'],
		['iterations', 'I', '0', 'nope'],
		['map-devs', 'M', 'missing', 'nope'],
		['no-stalls', 'N', undef, 'nope', 'unseen'],
		['acc-factor', 'x', '0', 'nope'],
		['verbose', 'v', undef, 'nope', 'unseen'],
		['version', 'V', undef, ''],
		['write-enable', 'W', undef, 'nope', 'unseen'],
	] },
);

my ($ISSUE, $NAME, $MESSAGE) = (0x00420007, 0x04000000, 0x04000002);

# A trace in which every option above has something to do.
sub make_traces
{
	my ($dir) = @_;
	my ($n, @records) = (0);
	# -b: at batch 1 a name that comes late is not yet known; -v: a hole
	my @parts = (
		[action => $NAME, pid => 7, payload => 'twin'],
		[action => $NAME, pid => 8, payload => 'twin'],
		[pid => 7], [pid => 8], [pid => 7, action => $ISSUE],
		[pid => 9, number => 90],
		[pid => 9, action => $ISSUE, number => 91],
		[action => $MESSAGE, payload => 'a message'],
		[pid => 6], [action => $NAME, pid => 6, payload => 'late'],
	);

	for my $part (@parts) {
		$n++;
		push @records, record(number => $n, time => $n * 1000,
				      @$part);
	}
	spew("$dir/x.blktrace.0", join '', @records);
	spew("$dir/y.blktrace.0", trace(1, 3, time => 5));
	mkdir "$dir/sub" or die "mkdir: $!\n";
	spew("$dir/sub/z.blktrace.0", trace(1, 3));
}

sub make_dump
{
	my ($dir) = @_;
	copy("$FindBin::Bin/cases/btt/all-files/in/x.bin", $dir)
		or die "x.bin: $!\n";
	spew("$dir/map", "sda 8,0\nsdb 8,16\nsdc 259,0\n");
}

sub make_picture
{
	my ($dir) = @_;
	my $dump = read_kept("$FindBin::Bin/iowatcher/t.dump");
	spew("$dir/$_.dump", $dump) for 't', 'u';
	spew("$dir/log", "0, 5, 0, 4096\n");
}

# a replay file, by its name
sub make_scrap
{
	my ($dir) = @_;
	spew("$dir/nope.base.0", 'too short');
}

# What getopt_long() accepts for NAME among all names of a table: prefixes of
# it alone, and itself.
sub prefixes
{
	my ($name, $table) = @_;
	my @names = ((map { $_->[0] } @{$table->{options}}),
		     @{$table->{others} // []});

	return grep {
		my $prefix = $_;
		$prefix eq $name ||
			1 == grep { index($_, $prefix) == 0 } @names
	} map { substr $name, 0, $_ } 1 .. length $name;
}

# Everything a run with these arguments says and writes, as one text; but for
# how long it took, which btt -v tells.
my $runs = 0;
sub deeds
{
	my ($program, $arguments, $how) = @_;
	my $dir = "$TOP/" . $runs++;
	my $table = $TABLES{$program};

	mkdir $dir or die "mkdir: $!\n";
	$table->{make}->($dir);
	my $got = run_command(join(' ', $program, $table->{front} // (),
				   $arguments), $dir, $PROGRAMS);
	my $files = census($dir);
	return join "\n", $got->{rc}, $got->{out} =~ s/(?<= traces \@).*//r .
		($how eq 'moved' ? '' : "\n") . $got->{err},
		map { "$_: " . (-f "$dir/$_" ? slurp("$dir/$_") : '') }
		sort keys %$files;
}

sub quote
{
	my ($text) = @_;
	return "'$text'";
}

# An option that takes an argument is tried as --name=arg and --name arg.
sub ways
{
	my ($prefix, $argument) = @_;

	return "--$prefix" unless defined $argument;
	return ("--$prefix=" . quote($argument),
		"--$prefix " . quote($argument));
}

# How an option is tested: as it is; unseen, where its work is not to be seen
# here, by what it is not; moved, where the long name prints on another stream.
sub test_option
{
	my ($program, $name, $letter, $argument, $rest, $how) = @_;
	my $short = "-$letter" . (defined $argument ? ' ' . quote($argument) :
				  '');
	$how //= 'plain';
	my $want = deeds($program, "$short $rest", $how);

	isnt($want, deeds($program, $rest, $how),
	     "$program -$letter does something") unless $how eq 'unseen';
	for my $prefix (prefixes($name, $TABLES{$program})) {
		my @wrong = grep { deeds($program, "$_ $rest", $how) ne
			$want }
			ways($prefix, $argument);
		is("@wrong", '', "$program --$prefix is -$letter");
	}
}

sub test_program
{
	my ($program) = @_;
	my @options = @{$TABLES{$program}{options}};

	is(scalar(map { prefixes($_->[0], $TABLES{$program}) } @options),
	   $TABLES{$program}{prefixes},
	   "$program: the prefixes are as many as they should be");
	test_option($program, @$_) for @options;
}

test_program($_) for @ARGV ? @ARGV : sort keys %TABLES;
done_testing();
