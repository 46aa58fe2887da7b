#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# One file or nothing, in every format that btexport has: a disk that gets full,
# a signal, a reader that goes away.
#
#	BIN=DIR prove tests/whole.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Process 'wait_taken';
use Records 'record';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('whole.XXXXXX', TMPDIR => 1, CLEANUP => 1);

$SIG{PIPE} = 'IGNORE';

my $IOS = 12000;
# of reads: queued, issued, completed
my @STEPS = (0x00110001, 0x00410007, 0x00810008);

# what a full file system has room for, in pages: the file that is there, and
# these for the new one
my $PAGE = 4096;
my ($ALL, @LEFT) = (64, 0, 4);

# a pipe has room for that; less is written at the end, maybe
my $PIPE = 65536;

# many reads, of which each number is another one, so that no format can make
# little of them
sub many_ios
{
	my ($bytes, $number, $time) = ('', 0, 0);

	srand 1;
	for my $io (1 .. $IOS) {
		my $sector = 8 * int rand 1e9;
		for my $action (@STEPS) {
			$time += int rand 1e6;
			$bytes .= record(number => ++$number, time => $time,
				sector => $sector, action => $action);
		}
	}
	return $bytes;
}

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# as --help has them, but not what was left out of this build: the bytes of a
# file of each
sub formats
{
	my ($all) = run('btexport --help')->{out} =~ /--format=(\w+(?:\|\w+)+)/;
	my %bytes;

	for my $format (split /\|/, $all) {
		my $got = run("btexport --format=$format -o whole big");
		$bytes{$format} = -s "$TOP/whole"
			unless $got->{err} =~ /without SQLite/;
		unlink "$TOP/whole";
	}
	return %bytes;
}

# those of them that standard output may be

sub streams
{
	return grep { run("btexport --format=$_ big >/dev/null")->{rc} == 0 } @_;
}

# what is in a directory
sub names
{
	my ($dir) = @_;
	opendir my $in, $dir or die "$dir: $!\n";
	return join ' ', sort grep { !/\A\.\.?\z/ } readdir $in;
}

# --- a full disk --------------------------------------------------------------

# the start of a command in which a file system of our own can be mounted
sub namespace
{
	my ($found) = grep { !system "$_ sh -c 'mount -t tmpfs t /mnt' 2>/dev/null"
		} 'unshare -m', 'unshare -rm';
	return $found;
}

# with so many pages left
sub on_full_disk
{
	my ($namespace, $format, $left) = @_;
	my $filled = ($ALL - 1 - $left) * $PAGE;
	my $got = run("mkdir -p full; $namespace sh -c '
		mount -t tmpfs -o size=" . $ALL * $PAGE . " t full &&
		echo old >full/x && head -c $filled /dev/zero >full/y || exit
		btexport --format=$format -o full/x big
		echo status \$?; cat full/x; ls -A full'");

	is($got->{out}, "status 1\nold\nx\ny\n",
	   "$format, $left pages left: the old file stands");
	like($got->{err}, qr{^btexport: .*full/x.*(?:No space|is full)}m,
	     '... and it says why');
}

# -o DIR/: files in folders
sub folder_on_full_disk
{
	my ($namespace) = @_;
	my $room = $LEFT[-1] * $PAGE;
	my $got = run("mkdir -p full; $namespace sh -c '
		mount -t tmpfs -o size=$room t full || exit
		btexport --table=ios,latency -o full/ big
		echo status \$?; find full -type f'");

	is($got->{out}, "status 1\n", 'a folder: no file is left');
	like($got->{err}, qr{^btexport: .* full/ios/host=.*No space}m,
	     '... and it says which one');
}

sub test_full_disk
{
	my (%bytes) = @_;
	my $namespace = namespace();

	SKIP: {
		skip 'no mount namespace', 1 unless $namespace;
		for my $format (sort keys %bytes) {
			on_full_disk($namespace, $format, $_)
				for grep { $_ * $PAGE < $bytes{$format} } @LEFT;
		}
		folder_on_full_disk($namespace);
	}
}

# --- signals ------------------------------------------------------------------

# all that there is has been read, and more may come
sub test_signal
{
	my ($format, $is_large) = @_;
	mkdir "$TOP/files.$format" or die "$TOP/files.$format: $!\n";
	my $dir = "$TOP/files.$format";
	spew("$dir/x", "old\n");
	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start(['btexport', "--format=$format", '-o',
		"$dir/x", '-'], $TOP, $PROGRAMS->{path}, in => $in);
	close $in;
	my $bytes = slurp("$TOP/big");
	syswrite $into, $bytes, 32768, $_ * 32768 for 0 .. 7;
	wait_taken($into);
	like(names($dir), $is_large ? qr/\A\.x\.part-\d+ x\z/ :
	     qr/\A(?:\.x\.part-\d+ )?x\z/,
	     "$format: a file is written beside its place");
	$run->signal('TERM');
	is($run->finish, 128 + 15, '... SIGTERM ends it');
	is(slurp("$dir/x"), "old\n", '... the old file stands');
	is(names($dir), 'x', '... and no other is left');
	close $into;
}

# --- a reader that goes away --------------------------------------------------

sub test_reader_gone
{
	my ($format) = @_;
	my $got = run("{ btexport --format=$format big; echo \$? >&2; } |
		      head -c 100");

	is(length $got->{out}, 100, "$format: head");
	is($got->{err}, "141\n", '... SIGPIPE ends it, and nothing is said');
}

spew("$TOP/big", many_ios());
my %bytes = formats();
my @formats = sort keys %bytes;
my @large = grep { $bytes{$_} > 2 * $PIPE } @formats;
my @streams = streams(@large);
cmp_ok(scalar @large, '>', 3, "of formats @formats much is written as: @large");
cmp_ok(scalar @streams, '>', 3, "to standard output: @streams");
test_full_disk(%bytes);
for my $format (@formats) {
	test_signal($format, scalar grep { $_ eq $format } @large);
}
test_reader_gone($_) for @streams;
done_testing();
