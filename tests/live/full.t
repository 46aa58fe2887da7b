#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A disk that the records fill: what was cut says so by its name, and cards have
# their end all the same.
#
#	BIN=DIR prove tests/live/full.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Machine qw(enter loops name_of);
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
# of the disk, in MiB; a write of it makes 300 bytes of records
my ($SIZE, $WRITES) = (2, 14000);
# bytes of the disk for a packed trace, of which some are kept for its end
my $LEFT = 200 << 10;
my $NOTES = 40;		# of a run on all CPUs, at most
my ($TOP, $LOOP, $NAME);

# each a name, and how it becomes a full disk at a path
my @DISKS = (
	['tmpfs', sub { system('mount', '-t', 'tmpfs', '-o',
			       "size=${SIZE}m", 'tmpfs', shift) == 0 }],
	['ext4', sub {
		my ($at) = @_;
		my $image = "$at.image";
		spew($image, '');
		truncate $image, ($SIZE + 2) << 20 or return 0;
		return system("mkfs.ext4 -q -O ^has_journal -m 0 $image " .
			      ">/dev/null 2>&1") == 0 &&
			system("mount -o loop $image $at") == 0;
	}],
);

sub blktrace
{
	my (@options) = @_;
	my $got = run_command("blktrace @options $LOOP -- dd if=/dev/zero " .
			      "of=$LOOP bs=4k count=$WRITES oflag=direct",
			      $TOP, $PROGRAMS);
	$got->{err} =~ s/^blktrace: relay files unavailable.*\n//m;
	return $got;
}

# how the card of a directory says that it ended
sub ended
{
	my ($dir) = @_;
	my $path = "$dir/$NAME.blktrace.json";
	my $card = -s $path ? decode_json(slurp($path)) : {};
	my $end = $card->{end} ? $card->{end}{cause} : 'no end';
	return $end . ($card->{clock}{end} ? ', clock' : ', no clock');
}

sub free_blocks
{
	my ($at) = @_;
	my ($line) = (`df --output=avail -k $at`)[1];
	return 0 + $line;
}

sub test_plain
{
	my ($disk, $at) = @_;
	my $got = blktrace('-D', "$at/plain");
	isnt($got->{rc}, 0, "$disk: status") or diag($got->{err});
	like($got->{err}, qr/cannot write \S+: No space left on device/,
	     '... and why');
	is(ended("$at/plain"), 'error, clock', '... and the card has its end');
	unlike($got->{err}, qr/cannot write \S+json/, '... without a word');
	$got = run_command("blkparse -q -D $at/plain $NAME -O", $TOP,
			   $PROGRAMS);
	is($got->{rc}, 0, '... and what there is is whole records');
	system "rm -r $at/plain";
}

sub test_segments
{
	my ($disk, $at) = @_;
	my $got = blktrace('--rotate=512K', '-D', "$at/segments");
	my @all = sort glob "$at/segments/0*";
	my @cut = grep { /\.partial$/ } @all;
	isnt($got->{rc}, 0, "$disk, segments: status");
	ok(@cut && $all[-1] eq $cut[-1], '... the last was cut') or
		diag(join ' ', @all);
	like($got->{err}, qr/\.partial was cut: it keeps its name/,
	     '... which is reported');
	is(ended($cut[-1]), 'error, clock', '... its card has its end');
	is(join(' ', map { ended($_) =~ s/.*, //r } @all),
	   join(' ', ('clock') x @all), '... as all have');
	$got = run_command("btstat $at/segments", $TOP, $PROGRAMS);
	like($got->{out}, qr/^$NAME write/m, '... and btstat reads them');
	system "rm -r $at/segments";
}

sub test_packed_segments
{
	my ($disk, $at) = @_;
	fill($at, $LEFT);
	mkdir "$at/packed";
	my $got = blktrace('--rotate=64K', '--pack', '-D', "$at/packed");
	my @all = map { s{.*/}{}r } sort glob "$at/packed/0*";
	my ($cut) = grep { /\.partial$/ } @all;
	isnt($got->{rc}, 0, "$disk, packed segments: status");
	like($all[-1], qr/\.btz\.partial$/, '... the last was cut') or
		diag(join ' ', @all);
	like($got->{err}, qr/\.partial was cut: it keeps its name/,
	     '... which is reported');
	$got = run_command("blktrace --card $at/packed/$cut", $TOP, $PROGRAMS);
	like($got->{out}, qr/^ended/m, '... its card has its end');
	$got = run_command("btstat $at/packed", $TOP, $PROGRAMS);
	like($got->{out}, qr/^$NAME write/m, '... and btstat reads them');
	system "rm -r $at/packed $at/filler";
}

sub test_dump
{
	my ($disk, $at) = @_;
	my $got = blktrace('--ring=16M', '--on=exit', '-D', "$at/dumps");
	my @all = glob "$at/dumps/0*";
	isnt($got->{rc}, 0, "$disk, a dump: status");
	like("@all", qr/^\S+\.partial$/, '... it keeps .partial');
	is(ended($all[0]), 'no end, clock', '... and has a card of its end');
	my $cause = decode_json(slurp("$all[0]/cause.json"));
	like($cause->{incomplete}, qr/No space/, '... and its cause says why');
	system "rm -r $at/dumps";
}

# So many bytes are left; what was removed is free a moment later.
sub fill
{
	my ($at, $left) = @_;
	my $blocks = $LEFT >> 10;
	for (1 .. 50) {
		$blocks = free_blocks($at);
		last if $blocks > $SIZE << 9;
		sleep 0.1;
	}
	my $size = ($blocks << 10) - $left;
	system("fallocate -l $size $at/filler") == 0 or die "fallocate\n";
}

# One file for all: a message, and its card and what there is, to the record.
sub test_packed
{
	my ($disk, $at) = @_;
	fill($at, $LEFT);
	my $got = blktrace('--pack', '-D', $at);
	isnt($got->{rc}, 0, "$disk, packed: status") or diag($got->{err});
	my @said = $got->{err} =~ /^blktrace: (.*)$/mg;
	is(scalar @said, 1, '... one message');
	like($said[0], qr/^cannot write \S+btz: No space left on device$/,
	     '... says why');
	my $card = run_command("blktrace --card $at/$NAME.btz", $TOP,
			       $PROGRAMS);
	like($card->{out}, qr/^ +ended by +error$/m, '... the card has its end');
	my $parsed = run_command("blkparse -q -f '\@%a\n' $at/$NAME.btz",
				 $TOP, $PROGRAMS);
	is($parsed->{err}, '', '... and what there is is whole');
	my $events = () = $parsed->{out} =~ /^\@/mg;
	my ($said) = $got->{out} =~ /Total: +(\d+) events/;
	cmp_ok($events, '<=', $said, '... as much as it says');
	cmp_ok($events, '>=', $said - $NOTES, '... but notes');
	cmp_ok($events, '>', 0, '... and that is something');
	unlink "$at/$NAME.btz", "$at/filler";
}

# What has been taken for the end is given back, and costs little.
sub test_room
{
	my ($disk, $at) = @_;
	my $before = free_blocks($at);
	for my $pack ('', '--pack') {
		run_command("blktrace $pack -D $at/room $LOOP -- true", $TOP,
			    $PROGRAMS);
		my $taken = $before - free_blocks($at);
		cmp_ok($taken, '<=', 16, "$disk: no room is left taken $pack");
		system "rm -r $at/room";
	}
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
$TOP = tempdir('blktrace-full.XXXXXX', TMPDIR => 1, CLEANUP => 1);
($LOOP) = loops($TOP, 1);
$NAME = name_of($LOOP);
for (@DISKS) {
	my ($disk, $make) = @$_;
	my $at = "$TOP/$disk";
	mkdir $at or die "$at: $!\n";
	if (!$make->($at)) {
		diag("no $disk here");
		next;
	}
	$_->($disk, $at) for \&test_room, \&test_plain, \&test_packed,
		\&test_segments, \&test_packed_segments, \&test_dump;
	system 'umount', $at;
}
done_testing();
