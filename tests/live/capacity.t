#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat --capacity on disks whose capacity is known: a file with a number of servers
# and a service time, under sweeps of fio.
#
#	BIN=DIR HANGFS=FILE prove tests/live/capacity.t
#
# HANGFS is tests/live/hangfs.c, with a loop device on its file, in a private mount
# namespace.  A knee must be within 15%, what is left within 10 points.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max sum0);
use Machine qw(enter switches wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my ($END) = (60);		# seconds in which whatever has been ended ends
my ($TOP, $FS, $LOOP);

# --- the disk ----------------------------------------------------------------

sub make_disk
{
	my ($servers, $us) = @_;
	mkdir "$TOP/fs";
	$FS = open my $out, '-|', $ENV{HANGFS}, '-s', $servers, '-t', $us,
		"$TOP/fs" or die "$ENV{HANGFS}: $!\n";
	<$out> eq "ready\n" or die "$ENV{HANGFS}: not ready\n";
	$LOOP = `losetup -f --show --direct-io=on --sector-size 4096 $TOP/fs/disk`;
	chomp $LOOP;
	die "no loop device\n" if $?;
	return $out;
}

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

# Reads at random for SECONDS, DEPTH at a time: I/Os a second, and all of them.
sub fio
{
	my ($depth, $seconds, @more) = @_;
	my $got = run_command("fio --name=sweep --filename=$LOOP --direct=1" .
		" --ioengine=libaio --rw=randread --bs=4k --iodepth=$depth" .
		" --time_based --runtime=$seconds @more --output-format=json",
		$TOP, $PROGRAMS);
	my $read = decode_json($got->{out})->{jobs}[0]{read};
	return ($read->{iops}, $read->{total_ios});
}

# --- what is said of it --------------------------------------------------------

# A trace of work(): btstat's JSON with these options, and what work() returns.
sub traced
{
	my ($options, $work) = @_;
	my $run = Process->start(['blktrace', '-o', 'swept', $LOOP], $TOP,
				 $PROGRAMS->{path});
	wait_tracing($run->pid);
	my @work = $work->();
	$run->signal('INT');
	is($run->finish($END), 0, 'blktrace ends well');
	my $got = run_command("btstat $options --format=json swept", $TOP,
			      $PROGRAMS);
	my $text = run_command("btstat $options swept", $TOP, $PROGRAMS)->{out};
	note $text =~ /^(swept: .*?)^depth/ms;
	unlink glob "$TOP/swept.blktrace.*";
	return (decode_json($got->{out})->{capacities}[0], $text, @work);
}

# Depths one after the other: the most that fio did a second, and all I/Os.
sub sweep
{
	my (@depths) = @_;
	my @got = map { [fio($_, 1)] } @depths;
	return (max(map { $_->[0] } @got), sum0(map { $_->[1] } @got));
}

sub near
{
	my ($is, $want, $off, $name) = @_;
	ok(defined $is && abs($is - $want) <= $off, $name) ||
		diag(($is // 'nothing') . ", not $want +- $off");
}

# from one to several times as many as there are servers
sub test_sweep
{
	my ($servers, $us) = @_;
	my @depths = map { 2 ** $_ } 0 .. 2 + log(2 * $servers) / log 2;
	my $out = make_disk($servers, $us);
	my ($c, $text, $most, $ios) = traced('--capacity', sub {
		return sweep(@depths);
	});
	my $name = "$servers servers of $us us";

	is($c->{state}, 'found', "$name: there is a knee");
	near($c->{knee}{is}, $servers, 0.15 * $servers, '... at their number');
	near($c->{capacity_per_second}{is}, $most, 0.15 * $most,
	     '... with the capacity that fio sees');
	is($c->{ios}, $ios, '... of all I/Os');
	near($c->{left}{is}, 1 - $ios * 1e9 / $c->{time_ns} / $most, 0.1,
	     '... and what fio did not use is left');
	ok($c->{little}, q{... Little's law holds});
	like($text, qr/^swept: \d+% left \(\+-\d+\); depth above [\d.]+ \([\d.]+ to/m,
	     '... in a sentence');
	remove_disk();
}

# Half of what it can do, with a target that some depth keeps.
sub test_target
{
	my ($servers, $us) = @_;
	my $out = make_disk($servers, $us);
	my $target = 4 * $us;	# three wait for each that is served
	my ($c, $text, $most) = traced("--capacity=${target}us", sub {
		my ($most) = sweep(1, $servers, 8 * $servers);
		fio(8 * $servers, 6, '--rate_iops=' . int($most / 2));
		return $most;
	});
	my $used = $c->{ios} * 1e9 / $c->{time_ns};

	near($c->{left}{is}, 1 - $used / $most, 0.1,
	     "$servers servers of $us us: what is left below $target us");
	cmp_ok($c->{target_depth}, '>=', $servers, '... at a depth of the servers');
	cmp_ok($c->{target_depth}, '<=', 4 * $servers,
	       '... that does not take longer');
	like($text, qr/^swept: \d+% left at p99 < [\d.]+ms \(\+-\d+\); depth/m,
	     '... in a sentence');
	remove_disk();
}

# fewer at a time than there are servers
sub test_no_range
{
	my ($servers, $us) = @_;
	my $out = make_disk($servers, $us);
	my ($c, $text, $most) = traced('--capacity', sub {
		return sweep(1, 2, $servers / 2);
	});

	is($c->{state}, 'above', "half of $servers servers: no knee is seen");
	near($c->{capacity_per_second}{is}, $most, 0.15 * $most,
	     '... the capacity is at least what fio sees');
	like($text, qr/not enough range in this trace/, '... in a sentence');
	remove_disk();
}

# -----------------------------------------------------------------------------

my ($reason) = enter();
plan skip_all => $reason if $reason;
plan skip_all => 'HANGFS is not set' unless $ENV{HANGFS};
plan skip_all => 'no fio' if system 'fio --version >/dev/null 2>&1';
plan skip_all => 'this kernel has no FUSE'
	unless slurp('/proc/filesystems') =~ /\tfuse$/m;
$TOP = tempdir('capacity.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $before = switches();
test_sweep(@$_) for [1, 2000], [4, 2000], [8, 4000], [16, 8000];
test_target(4, 2000);
test_no_range(16, 4000);
is(switches(), $before, 'every switch of tracefs is what it was');
done_testing();
