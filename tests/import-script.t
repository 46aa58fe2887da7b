#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btimport reads block events as perf script, ftrace and trace-cmd print them: from
# a trace of the kernel's own records their text is made, and what becomes of that
# must be those records.
#
#	BIN=DIR prove tests/import-script.t
#
# With perf at hand its text of data/import's perf.data is read, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use IO::Compress::Gzip 'gzip';
use Suite::Files qw(read_kept slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('script.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $BASE = 5000;		# s: texts' times begin there
my ($PROCESS, $COMPLETE, $TIMER) = (0, 8, 11);	# a note, and actions

sub run
{
	return run_command($_[0], $TOP, $PROGRAMS);
}

# --- the kernel's records ------------------------------------------------------

# of a file: hashes, notes too
sub records
{
	my ($bytes) = @_;
	my @records;

	for (my $at = 0; $at < length $bytes;) {
		my %r;
		@r{qw(time sector bytes action pid dev cpu error len)} =
			unpack 'x8 Q<2 V5 v2', substr $bytes, $at, 48;
		$r{payload} = substr $bytes, $at + 48, $r{len};
		$r{note} = $r{action} >> 26 & 1;
		push @records, \%r;
		$at += 48 + $r{len};
	}
	return @records;
}

# all of a set's events in order of time, with their processes' names as known then
sub events
{
	my (@paths) = @_;
	my (%names, @events);
	my @all = sort { $a->{time} <=> $b->{time} }
		map { records(slurp($_)) } @paths;

	for my $r (@all) {
		if ($r->{note}) {
			my $number = $r->{action} & 0xff;
			$names{$r->{pid}} = unpack 'Z*', $r->{payload}
				if $number == $PROCESS;
			next;
		}
		# no text shows why
		$r->{action}-- if ($r->{action} & 0xff) == $TIMER;
		push @events, { %$r, comm => $names{$r->{pid}} // '<...>' };
	}
	return @events;
}

# --- their text ----------------------------------------------------------------

my %LETTERS = (1 => 'bio_queue', 2 => 'bio_backmerge', 3 => 'bio_frontmerge',
	       4 => 'getrq', 5 => 'sleeprq', 6 => 'rq_requeue', 7 => 'rq_issue',
	       8 => 'rq_complete', 9 => 'plug', 10 => 'unplug', 12 => 'rq_insert',
	       13 => 'split', 14 => 'bio_bounce', 15 => 'bio_remap');
my ($FS, $PC) = (1 << 8, 1 << 9);

# as the kernel's blk_fill_rwbs()
sub rwbs
{
	my ($c, $bytes) = @_;
	my $flush = $c & 4;
	my $deed = $c & 1 << 13 ? 'D' : $c & $PC ? 'N' : $c & 2 ? 'W' :
		$flush && !$bytes ? 'F' : 'R';
	return join '', $flush ? 'F' : '', $deed, $c & 1 << 15 ? 'F' : '',
		$c & 1 << 11 ? 'A' : '', $c & 8 ? 'S' : '', $c & 1 << 12 ? 'M' : '';
}

sub device
{
	return ($_[0] >> 20) . ',' . ($_[0] & 0xfffff);
}

sub signed
{
	return $_[0] > 32767 ? $_[0] - 65536 : $_[0];
}

# name and text of an event
sub printed
{
	my ($e, $priority) = @_;
	my $number = $e->{action} & 0xff;
	my $categories = $e->{action} >> 16;
	my $request = $categories & ($FS | $PC);
	my $name = $LETTERS{$number} // die "action $number\n";
	my $op = device($e->{dev}) . ' ' . rwbs($categories, $e->{bytes});
	my $place = "$e->{sector} + " . $e->{bytes} / 512;
	# a command has none
	$place = $number == $COMPLETE ? '18446744073709551615 + ' .
		int $e->{bytes} / 512 : '0 + 0' if $categories & $PC;
	my $comm = "[$e->{comm}]";

	$name = 'rq_merge' if $number == 2 && $request;
	$name = 'bio_complete' if $number == 8 && !$request;
	return ($name, $comm) if $name eq 'plug';
	return ($name, "$comm " . unpack 'Q>', $e->{payload})
		if $name eq 'unplug';
	return ($name, "$op $e->{sector} / " . unpack('Q>', $e->{payload}) .
		" $comm") if $name eq 'split';
	if ($name eq 'bio_remap') {
		my ($from, undef, $sector) = unpack 'N2 Q>', $e->{payload};
		return ($name, "$op $place <- (" . device($from) . ") $sector");
	}
	return ($name, "$op $place [" . signed($e->{error}) . ']')
		if $name eq 'bio_complete';
	return ($name, "$op () $place$priority [" . signed($e->{error}) . ']')
		if $name =~ /complete|requeue/;
	return ($name, "$op $e->{bytes} () $place$priority $comm")
		if $name =~ /^rq_/;
	return ($name, "$op $place $comm");
}

# what each program prints of one, with the time in ns
my %LINES = (
	'perf script --ns' => sub {
		my ($e, $name, $text, $time) = @_;
		return sprintf "%16s %5d [%03d] %s: %20s: %s\n",
			$e->{comm} eq '<...>' ? ":$e->{pid}" : $e->{comm},
			$e->{pid}, $e->{cpu}, $time, "block:block_$name", $text;
	},
	'ftrace' => sub {
		my ($e, $name, $text, $time) = @_;
		return sprintf "%16s-%-7d [%03d] d..1. %s: block_%s: %s\n",
			$e->{comm}, $e->{pid}, $e->{cpu}, $time, $name, $text;
	},
	'systrace' => sub {
		my ($e, $name, $text, $time) = @_;
		return sprintf "%16s-%-5d (%5d) [%03d] d..1 %s: block_%s: %s\n",
			$e->{comm}, $e->{pid}, $e->{pid}, $e->{cpu}, $time, $name,
			$text;
	},
	'trace-cmd report' => sub {
		my ($e, $name, $text, $time) = @_;
		return sprintf "%16s-%-5d [%03d] %s: block_%-15s %s\n",
			$e->{comm}, $e->{pid}, $e->{cpu}, $time, "$name:",
			$text;
	},
);
my %HEADS = (
	'perf script --ns' => '',
	'ftrace' => "# tracer: nop\n#\n#   TASK-PID  CPU#  TIMESTAMP  FUNCTION\n",
	'trace-cmd report' => "cpus=4\n",
	# the page's own script is longer than any line that is kept
	'systrace' => "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\"/>\n" .
		"<title>Android System Trace</title>\n<script>\n" . 'x' x 50000 .
		"\n</script>\n<script class=\"trace-data\" type=" .
		"\"application/text\">\n# tracer: nop\n#\n",
);

sub text_of
{
	my ($program, $priority, @events) = @_;
	my $first = $events[0]{time};

	return $HEADS{$program} . join '', map {
		my $ns = $_->{time} - $first;
		my $time = sprintf '%5d.%09d', $BASE + int $ns / 1e9, $ns % 1e9;
		$LINES{$program}->($_, printed($_, $priority), $time);
	} @events;
}

# --- and back ------------------------------------------------------------------

sub import_text
{
	my ($text, $command) = @_;

	remove_tree("$TOP/out");
	unlink glob "$TOP/out.*";
	spew("$TOP/text", $text);
	return run($command || 'btimport text -o out');
}

# What a record is, without its number: of a device, a CPU and a time since START.
# A plug's device was found by the process.
sub described
{
	my ($r, $start) = @_;
	return join ' ', $r->{time} - $start,
		@$r{qw(cpu pid dev sector bytes error)},
		sprintf('%x', $r->{action}), unpack 'H*', $r->{payload};
}

sub made
{
	my @records = grep { !$_->{note} } map { records(slurp($_)) }
		glob("$TOP/out/*.blktrace.*[0-9]"),
		glob "$TOP/out.blktrace.*[0-9]";
	my ($first) = sort { $a <=> $b } map { $_->{time} } @records;
	return sort map { described($_, $first) } @records;
}

sub test_set
{
	my ($set, $devices, @paths) = @_;
	my @events = events(@paths);
	my $first = $events[0]{time};
	my @want = sort map { described($_, $first) } @events;

	for my $program (sort keys %LINES) {
		my $priority = $program eq 'ftrace' ? ' none,0,0' : '';
		my $got = import_text(text_of($program, $priority, @events));

		is($got->{err}, "btimport: @{[scalar @events]} events of" .
		   " $devices device" . ($devices == 1 ? '' : 's') . "\n",
		   "$set by $program: is read");
		is_deeply([made()], \@want, '... into the same records');
	}
}

# sets that have merges, remaps, splits, errors, requeues and several devices
my %SETS = (
	'nvme-part-remap' => 1,
	'scsidbg-transport' => 1,
	'scsidbg-mediumerr' => 1,
	'smp4-merges-kworker' => 1,
	'split-large' => 1,
	'virtio-kyber-seqmerge' => 1,
);
for my $set (sort keys %SETS) {
	mkdir "$TOP/$set" or die "$TOP: $!\n";
	unpack_set("$HERE/data/$set", "$TOP/$set");
	test_set($set, $SETS{$set}, glob "$TOP/$set/*.blktrace.*[0-9]");
}

# --- what is said ----------------------------------------------------------------

my @events = events(glob "$TOP/nvme-part-remap/*.blktrace.*[0-9]");
my $text = text_of('ftrace', '', @events);
my $all = import_text($text)->{err};

gzip(\$text, \my $gzipped);
is(import_text($gzipped)->{err}, $all, 'gzip\'d: is read');
is(import_text($text, 'cat text | btimport - -o out')->{err}, $all,
   'a pipe: is read');
is(import_text($text =~ s/^#.*\n//mgr)->{err}, $all, 'without a heading, too');
like(run('btstat text')->{err},
     qr/^btstat: text: not a trace$/m, 'without it no reader knows it');
import_text($text);
like(run('btstat text')->{err},
     qr/text: recorded by ftrace; convert it with: btimport text -o NAME$/m,
     '... with it they do');
like(slurp((glob "$TOP/out*.json")[0]), qr/"from":"ftrace"/,
     'its card says what it is from');
import_text(text_of('perf script --ns', '', @events));
like(slurp((glob "$TOP/out*.json")[0]), qr/"from":"perf script"/,
     '... and of perf script');

import_text(join '', grep { !/block_(?:rq_issue|getrq)/ } $text =~ /.*\n/g);
like(slurp((glob "$TOP/out*.json")[0]),
     qr/"lacks":"no get request or issue events"/, '... and what it lacks');

my $lossy = $text =~ s/((?:.*\n){200})/$1CPU:0 [LOST 23 EVENTS]\n/r;
like(import_text($lossy)->{err}, qr/^btimport: 23 events were lost/m,
     'losses are counted');
my $broken = $text =~ s/(block_bio_queue: \S+ \S+) \d+/$1 x/r;
my $got = import_text($broken);
like($got->{err}, qr/text: line \d+, column \d+: a sector at "x \+/,
     'a line that is wrong: line, column, and what should be there');
is($got->{rc}, 1, '... status 1');
$got = import_text("# tracer: function\n  dd-1 [000] .... 1.5: vfs_read <-x\n");
like($got->{err}, qr/it has no events of the block layer$/m,
     'nothing of the block layer: is said');
is($got->{rc}, 1, '... status 1');

# --- perf's own text ---------------------------------------------------------------

SKIP: {
	skip 'perf is missing', 1 if run('perf version')->{rc};
	spew("$TOP/perf.data", read_kept("$HERE/data/import/direct.perf.data"));
	my $script = run('perf script --ns -i perf.data')->{out};
	is(import_text($script)->{err}, "btimport: 3561 events of 1 device\n",
	   'what perf script prints: is read');
	my @printed = made();
	my $binary = import_text('', 'btimport perf.data -o out');
	skip 'built without libtraceevent', 1
		if $binary->{err} =~ /built without libtraceevent/;
	is_deeply(\@printed, [made()], '... and is what is in perf.data');
}
done_testing();
