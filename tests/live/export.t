#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What fio makes of btexport's iologs, as root: recorded traces are replayed on
# a loop device, watched by our own blktrace.
#
#	BIN=DIR prove tests/live/export.t
#	BIN=DIR prove tests/live/export.t :: SET...
#
# A SET is a directory of a recorded trace, some of tests/data if none is named;
# each of its devices is replayed by itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use File::Basename 'basename';
use File::Temp 'tempdir';
use List::Util 'max';
use Suite::Files qw(slurp unpack_set);
use Suite::Traced qw(enter_namespace hindrance loop_device traced);
use Test::More;

my $BIN = abs_path($ENV{BIN} || '.');
my @SETS = map { abs_path($_) } @ARGV ? @ARGV : map {
	"$FindBin::Bin/../data/$_"
} qw(cgroup-mqdl dm-linear-3dev ext4-fsync-meta);
my $MIB = 1 << 20;
# categories
my ($FLUSH, $DISCARD) = (1 << 2, 1 << 9);

my $top = tempdir('export.XXXXXX', DIR => -w '/dev/shm' ? '/dev/shm' : '/tmp',
	CLEANUP => 1);
my ($asked, $done) = (0, 0);

# What an iolog asks for, each "read 4096 512" and so on, in its order.  fio
# 3.33 drops trims of an iolog.
sub wanted
{
	my ($path) = @_;
	return grep { !/\Atrim/ } map {
		/\A\d+ \S+ ((?:read|write|trim|datasync) \d+ \d+)\z/ ? $1 : ()
	} split /\n/, slurp($path);
}

# the same of what was seen
sub line_of
{
	my ($io) = @_;

	return 'datasync 0 0' if $io->{what} & $FLUSH && !$io->{bytes};
	return ($io->{read} ? 'read ' : 'write ') . 512 * $io->{sector} .
		" $io->{bytes}";
}

# One I/O may come in several pieces, each where the one before it ends, when
# it is larger than what the kernel queues at once.
sub seen_lines
{
	my ($wanted, @seen) = @_;
	my @lines;

	for my $io (grep { !($_->{what} & $DISCARD) } @seen) {
		my $line = line_of($io);
		my $want = $wanted->[$#lines] // '';
		if (@lines && $lines[-1] ne $want &&
		    joined($lines[-1], $line, $want)) {
			$lines[-1] = joined($lines[-1], $line, $want);
		} else {
			push @lines, $line;
		}
	}
	return @lines;
}

# both as one, if that is within what is wanted
sub joined
{
	my ($line, $next, $want) = @_;
	my ($op, $at, $bytes) = split / /, $line;
	my ($next_op, $next_at, $more) = split / /, $next;
	my ($want_op, $want_at, $most) = split / /, $want;

	return undef if $op ne $next_op || $at + $bytes != $next_at ||
		$op ne $want_op || $at != $want_at || $bytes + $more > $most;
	return "$op $at " . ($bytes + $more);
}

# where the last of these ends, in MiB
sub mib_of
{
	return 1 + int max(8, map { my (undef, $at, $bytes) = split / /;
		($at + $bytes) / $MIB } @_);
}

sub replay
{
	my ($iolog) = @_;

	system("fio --name=replay --read_iolog=$iolog --ioengine=libaio " .
	       '--direct=1 --iodepth=64 --replay_no_stall=1 ' .
	       "--output=$iolog.out >$iolog.err 2>&1") == 0
		or die "fio: $?\n", slurp("$iolog.err");
}

sub export
{
	my ($iolog, $input, @options) = @_;
	# of a damaged trace what could be read
	system("$BIN/btexport -o $iolog @options $input 2>$iolog.said");
	return -e $iolog ? wanted($iolog) : ();
}

# what --where calls the devices that something is done to
sub devices_of
{
	my ($input) = @_;

	export("$top/all.iolog", $input);
	return map { s/:/,/r } sort(slurp("$top/all.iolog") =~
		m{^\d+ /dev/(?:block/)?(\S+) add$}mg);
}

sub first_difference
{
	my ($got, $want) = @_;
	for my $i (0 .. max($#$got, $#$want)) {
		my ($its, $mine) = map { $_->[$i] // 'nothing' } $got, $want;
		return "$i: $its, wants $mine" if $its ne $mine;
	}
	return '';
}

sub test_device
{
	my ($name, $input, $device, $at) = @_;
	my $iolog = "$top/$name-$device-$at.iolog";
	my @options = ("--where 'device==$device'", "--at=$at");
	my @want = export($iolog, $input, @options);
	my $what = "$name, $device, as " . ($at eq 'queue' ? 'queued' : 'issued');

	return unless @want;
	my $loop = loop_device($top, mib_of(@want));
	@want = export($iolog, $input, @options, "--target=$loop");
	my @seen = seen_lines(\@want, traced($BIN, $loop, "$iolog.trace",
		sub { replay($iolog) }));
	my $fault = first_difference(\@seen, \@want);
	is($fault, '', "$what: all " . @want . ' of them, in order')
		or diag(slurp("$iolog.said"));
	$asked += @want;
	$done += @want unless $fault;
	unlink glob("$iolog*/*"), $iolog;
}

sub test_set
{
	my ($set) = @_;
	my $name = basename($set);
	my $dir = "$top/$name";

	mkdir $dir or die "$dir: $!\n";
	unpack_set($set, $dir);
	my $input = -e "$dir/pipe.bin" ? "$dir/pipe.bin" : $dir;
	for my $device (devices_of($input)) {
		test_device($name, $input, $device, $_) for qw(queue issue);
	}
}

my ($reason) = hindrance();
plan skip_all => $reason if $reason;
plan skip_all => 'no fio' if system 'fio --version >/dev/null 2>&1';
plan skip_all => 'no tracefs' unless enter_namespace($0, @ARGV);
test_set($_) for @SETS;
note "$done of $asked reads, writes and syncs are as in the iologs";
done_testing();
