#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport behind blktrace, which records here: a row for each read, within a
# second of its completion.
#
#	BIN=DIR prove tests/live/btexport.t
#
# Works in a private mount namespace, on a loop device it makes itself.
use strict;
use warnings;
use Fcntl 'O_RDONLY';
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter switches loops name_of wait_tracing);
use Process;
use Suite::Run 'find_programs';
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));

# Seconds from a read's end to its row.  blktrace looks each quarter of a second
# for what there is, and live order is half of one; a busy machine may now and
# then be later.
my ($USUALLY, $AT_MOST) = (1, 3);
my ($READS, $BLOCK) = (20, 4096);
my $END = 30;			# in which whatever has been ended ends

my $TOP;

sub now
{
	return clock_gettime(CLOCK_MONOTONIC);
}

# blktrace and btexport, which reads its stream
sub start
{
	my ($loop, @options) = @_;
	pipe my $from, my $into or die "pipe: $!\n";
	my $tracer = Process->start(['blktrace', '-d', $loop, '-o', '-'], $TOP,
				    $PROGRAMS->{path}, out => $into);
	my $export = Process->start(['btexport', @options, '-'], $TOP,
				    $PROGRAMS->{path}, in => $from);
	close $_ for $from, $into;
	wait_tracing($tracer->pid) or die 'blktrace: ', $tracer->errors;
	return ($tracer, $export);
}

# Blocks that nobody has read, which are in no cache, are a MiB apart.
sub sector_of
{
	my ($number) = @_;
	return ($number + 1) * 2048;
}

sub read_block
{
	my ($disk, $number) = @_;

	sysseek $disk, 512 * sector_of($number), 0 or die "seek: $!\n";
	sysread($disk, my $bytes, $BLOCK) == $BLOCK or die "read: $!\n";
}

# Seconds from the end of each read to its row.  One comes after the other, so
# that no row waits for company.
sub delays
{
	my ($loop, $export) = @_;
	my @delays;

	sysopen my $disk, $loop, O_RDONLY or die "$loop: $!\n";
	for my $number (1 .. $READS) {
		my $sector = sector_of($number);
		read_block($disk, $number);
		my $since = now();
		$export->read_until(qr/^read\t$sector\t\d+\n/m, $END);
		push @delays, now() - $since;
		sleep 0.05 * ($number % 3);
	}
	close $disk;
	return sort { $a <=> $b } @delays;
}

sub test_rows
{
	my ($loop) = @_;
	my ($tracer, $export) = start($loop, '--format=tsv',
				      '--fields=op,sector,total_ns');
	my @delays = delays($loop, $export);

	note(sprintf 'rows come after %.2f to %.2f s, usually %.2f',
	     $delays[0], $delays[-1], $delays[@delays / 2]);
	cmp_ok($delays[@delays / 2], '<', $USUALLY,
	       'a row comes within a second of its completion, usually');
	cmp_ok($delays[-1], '<', $AT_MOST, '... at most a bit later');
	$tracer->signal('INT');
	is($tracer->finish($END), 0, 'SIGINT ends blktrace well')
		or diag($tracer->errors);
	is($export->finish($END), 0, '... and btexport')
		or diag($export->errors);
	my %seen = map { $_ => 1 } $export->text =~ /^read\t(\d+)\t\d+$/mg;
	is(scalar(grep { $seen{sector_of($_)} } 1 .. $READS), $READS,
	   '... which has a row for each read');
	like($export->errors, qr/^btexport: \d+ rows, /m, '... and says so');
}

sub main
{
	$TOP = tempdir('btexport.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my ($loop) = loops($TOP, 1);
	my $before = switches();

	test_rows($loop);
	is(switches(), $before, 'every switch is put back');
	done_testing();
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
main();
