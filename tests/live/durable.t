#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktrace -l --durable: whenever power is lost, what was acknowledged is on the
# disk, plain or packed.
#
#	BIN=DIR HANGFS=FILE prove tests/live/durable.t
#
# HANGFS is tests/live/hangfs.c: the file of a loop device with a file system, of
# which it writes what was flushed so far.  TRIALS is how often that is looked at
# with either way of ext4 to order data (10).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile",
	"$FindBin::Bin/../server", $FindBin::Bin;

BEGIN {
	exec 'unshare', '-m', $^X, $0 unless $ENV{MACHINE_INSIDE}++ || $>;
}
use Collector qw($PROGRAMS $TOP free_port serve_again stop);
use Process 'patience';
use Records 'trace';
use Suite::Files 'slurp';
use Test::More;
use Wire qw(connect_to say frame hear_frame open_acked);

my $TRIALS = $ENV{TRIALS} || 10;
my $RECORD = 48;

plan skip_all => 'needs root' if $>;
plan skip_all => 'HANGFS is not set' unless $ENV{HANGFS};

my ($FS, $OUT, $LOOP);

sub run_or_die
{
	system(@_) == 0 or die "@_\n";
}

# a file system on a disk that can lose what was not flushed
sub make_disk
{
	my ($dir, $options) = @_;

	mkdir "$dir.fs" or die "$dir.fs: $!\n";
	mkdir $dir or die "$dir: $!\n";
	$FS = open $OUT, '-|', $ENV{HANGFS}, "$dir.fs", "$dir.image"
		or die "$ENV{HANGFS}: $!\n";
	<$OUT> eq "ready\n" or die "$ENV{HANGFS}: not ready\n";
	chomp($LOOP = `losetup -f --show $dir.fs/disk`);
	run_or_die('mkfs.ext4', '-q', $LOOP);
	run_or_die('mount', '-o', $options, $LOOP, $dir);
}

sub remove_disk
{
	my ($dir) = @_;
	my $status = $?;

	system "umount $dir 2>/dev/null";
	system "losetup -d $LOOP" if $LOOP;
	system "umount -l $dir.fs" if $FS;
	kill KILL => $FS if $FS;
	($FS, $LOOP, $?) = (undef, undef, $status);
}

my $DIR;
my $MAIN = $$;
END {
	remove_disk($DIR) if $DIR && $$ == $MAIN;
}

# The bytes of a packed file's records, as far as they are those of $trace.
sub unpacked
{
	my ($file, $trace) = @_;
	my $run = Process->start(['blkparse', '-q', '-i', $file, '-f', "%s\n"],
				 $TOP, $PROGRAMS->{path});

	$run->finish(patience(30));
	my $count = 0;
	for ($run->text =~ /^(\d+)$/mg) {
		last if $_ != $count + 1;
		$count++;
	}
	return substr $trace, 0, $count * $RECORD;
}

# What the run's file has after a loss of power at this moment.
sub lose_power
{
	my ($dir, $trace) = @_;

	kill USR1 => $FS;
	<$OUT> eq "lost\n" or die "no image\n";
	mkdir "$dir.after" unless -e "$dir.after";
	run_or_die('mount', '-o', 'loop', "$dir.image", "$dir.after");
	my ($file) = glob "$dir.after/127*/sda.*";
	my $bytes = !$file ? '' : $file =~ /btz\z/ ? unpacked($file, $trace) :
		slurp($file);
	run_or_die('umount', "$dir.after");
	return $bytes;
}

# A sender, so many blocks of any size: after every few acknowledgements, what is
# on the disk.
sub test_losses
{
	my ($name, $options, @pack) = @_;
	$DIR = "$TOP/$name";
	make_disk($DIR, $options);
	my $server = { dir => $DIR, port => free_port() };
	serve_again($server, '--bind', '127.0.0.1', '--durable', @pack);
	my $socket = connect_to($server->{port});
	my $trace = trace(1, 60000);
	my ($sent, $acked, $survived, $exact, $trials, @ends) = (0, 0, 0, 0, 0);

	ok(open_acked($socket, pack('a16', $name), 0), "$name: a run");
	while ($trials < $TRIALS) {
		for (1 .. 1 + rand 5) {
			my $len = $RECORD * int 1 + rand 100;
			$len = length($trace) - $sent
				if $len > length($trace) - $sent;
			say($socket, frame('d', 0, $sent,
					   substr $trace, $sent, $len));
			push @ends, $sent += $len;
		}
		my ($kind, undef, $blocks) = hear_frame($socket);
		last unless ($kind // '') eq 'a';
		$acked = $ends[$blocks - 1];
		next if rand() < 0.5;
		my $after = lose_power($DIR, $trace);
		$trials++;
		$survived++ if length $after >= $acked;
		$exact++ if substr($after, 0, $acked) eq
			substr $trace, 0, $acked;
	}
	is($trials, $TRIALS, "... power is lost $TRIALS times");
	is($survived, $TRIALS, '... what was acknowledged is there');
	is($exact, $TRIALS, '... to the byte');
	is(stop($server), 0, '... status 0');
	remove_disk($DIR);
}

test_losses('ordered', 'data=ordered');
test_losses('writeback', 'data=writeback');
test_losses('packed', 'data=ordered', '--pack');
done_testing();
