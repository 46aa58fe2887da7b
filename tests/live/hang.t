#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A disk that hangs under load: btstat and blktop name it while it does, and so
# does the trace that was taken.
#
#	BIN=DIR HANGFS=FILE prove tests/live/hang.t
#
# HANGFS is tests/live/hangfs.c: a file that does not answer while its process
# is stopped, with a loop device on it, in a private mount namespace.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter switches name_of wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
# seconds from when the oldest I/O is 1 s old until it must be named; and in
# which whatever has been ended ends, unless it hangs
my ($SOON, $END) = (2, 30);

my ($TOP, $FS, $LOOP);

# --- the disk ----------------------------------------------------------------

sub make_disk
{
	mkdir "$TOP/fs" or die "$TOP/fs: $!\n";
	$FS = open my $out, '-|', $ENV{HANGFS}, "$TOP/fs"
		or die "$ENV{HANGFS}: $!\n";
	<$out> eq "ready\n" or die "$ENV{HANGFS}: not ready\n";
	$LOOP = `losetup -f --show $TOP/fs/disk`;
	chomp $LOOP;
	die "no loop device\n" if $?;
	return $out;
}

# its process first: I/O that waits fails then
sub remove_disk
{
	my ($status) = $?;
	kill 'KILL', $FS if $FS;
	system "losetup -d $LOOP" if $LOOP;
	system "umount -l $TOP/fs" if $FS;
	($FS, $LOOP, $?) = (undef, undef, $status);
}

my $MAIN = $$;
END {
	remove_disk() if $$ == $MAIN;
}

# COUNT reads of 4 KiB from a block on, by another process
sub reads
{
	my ($count, $from) = @_;
	return Process->start(['dd', "if=$LOOP", 'of=/dev/null', 'bs=4k',
			       "count=$count", "skip=$from", 'iflag=direct'],
			      $TOP, '/bin');
}

# The disk stops to answer, with one read under way: that, and when it began.
sub hang
{
	my ($from) = @_;
	is(reads(20, $from)->finish($END), 0, 'the disk reads');
	kill 'STOP', $FS;
	return (reads(1, $from + 1000), clock_gettime(CLOCK_MONOTONIC));
}

sub go_on
{
	my ($read) = @_;
	kill 'CONT', $FS;
	is($read->finish($END), 0, '... and it goes on');
}

# --- what is said of it --------------------------------------------------------

sub words
{
	my $name = shift // name_of($LOOP);
	return qr/$name: in flight 1, oldest [\d.]+s \(read, sector \d+, dd\)/;
}

# seconds from a time on until a file has these words, or too many
sub seconds_until
{
	my ($file, $words, $from) = @_;
	for (1 .. 10 * $END) {
		my $now = clock_gettime(CLOCK_MONOTONIC);
		return $now - $from if slurp($file) =~ $words;
		sleep 0.1;
	}
	return 10 * $END;
}

# blktrace's records as they come, to a program
sub test_live
{
	my ($name, $from, $words, @command) = @_;
	my $file = "$TOP/$name";
	pipe my $end, my $into or die "pipe: $!\n";
	open my $out, '>', $file or die "$file: $!\n";
	my $reader = Process->start(\@command, $TOP, $PROGRAMS->{path},
				    in => $end, out => $out);
	my $run = Process->start(['blktrace', '-o', '-', $LOOP], $TOP,
				 $PROGRAMS->{path}, out => $into);
	close $_ for $end, $into, $out;
	wait_tracing($run->pid);
	my ($read, $began) = hang($from);
	my $seconds = seconds_until($file, $words, $began + 1);

	cmp_ok($seconds, '<', $SOON,
	       "$name names it soon after it has hung for a second");
	note sprintf "%s: named after %.1f s", $name, $seconds;
	go_on($read);
	$run->signal('INT');
	is($run->finish($END), 0, '... blktrace ends well');
	is($reader->finish($END), 0, "... and $name");
}

# of a capture that ends while the disk hangs
sub test_files
{
	my $name = name_of($LOOP);
	my $run = Process->start(['blktrace', '-o', 'hung', $LOOP], $TOP,
				 $PROGRAMS->{path});
	wait_tracing($run->pid);
	my ($read) = hang(9000);
	sleep 2.5;
	$run->signal('INT');
	is($run->finish($END), 0, 'blktrace ends though the disk hangs');
	go_on($read);
	my $got = run_command('btstat hung', $TOP, $PROGRAMS);
	like($got->{out}, qr/^open +hung: in flight 1, oldest [2-5]\.\d+s/m,
	     'the trace has how long');
	like($got->{out}, qr/^\w+ +stuck +hung: /m, '... which is a finding');
	like($got->{out}, qr/^hung read .* >?\d\d+%$/m, '... and the disk is busy');
	$got = run_command("btstat --where 'open && age>2s' --top=9 hung", $TOP,
			   $PROGRAMS);
	is(scalar(() = $got->{out} =~ /in flight$/mg), 1,
	   '... and it can be asked for');
}

# -----------------------------------------------------------------------------

my ($reason) = enter();
plan skip_all => $reason if $reason;
plan skip_all => 'HANGFS is not set' unless $ENV{HANGFS};
plan skip_all => 'this kernel has no FUSE'
	unless slurp('/proc/filesystems') =~ /\tfuse$/m;
$TOP = tempdir('hang.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $before = switches();
my $out = make_disk();
test_live('btstat', 0, words('7,\d+'), qw(btstat -i - --interval=1));
test_live('blktop', 3000, words('(?:loop\d+|7,\d+)'),
	  qw(blktop -b -d 1 -i -));
test_files();
remove_disk();
is(switches(), $before, 'every switch of tracefs is what it was');
done_testing();
