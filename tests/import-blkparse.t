#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What blkparse prints of a trace becomes a trace again, of which blkparse prints
# the same and whose I/Os are the same; also what it prints by a format.
#
#	BIN=DIR [SHARED=DIR] prove tests/import-blkparse.t
#
# With ../shared (SHARED) at hand its traces are read, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Suite::Traces 'every_trace';
use Test::More;

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('import.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# Joined I/Os, without what text has no place for: names, cgroups, times of day.
my @FIELDS = qw(dev kind op flags sector bytes pid process queue_cpu issue_cpu
		complete_cpu time_ns issue_ns complete_ns birth merge ended
		error total_ns q2a_ns lower_ns q2x_ns x2c_ns q2g_ns q2m_ns
		preflush_ns g2m_ns g2i_ns g2d_ns i2d_ns m2d_ns requeue_ns
		d2c_ns postflush_ns rest_ns issues requeues rq_bytes rq_ios
		done_bytes seek_sectors children from_dev from_sector plug_ns
		gap events sure);

# How many of them differ, and why.
my %ROWS = (
	# flushes and resets without data: only A, R and C have their sector
	'dm-ext4' => 21, 'zoned-basic' => 6,
	# a part of an I/O, split where another one was before
	'md-raid0-3dev' => 31,
	# a message that was recorded late, and comes in order now
	'hot-lossy' => 1,
);

sub run
{
	my ($command, $dir) = @_;
	return run_command($command, $dir // $TOP, $PROGRAMS);
}

# --- the same text ------------------------------------------------------------

# An event's time, for sorting: lines of one time have no order.
sub time_in
{
	return $_[0] =~ /^ *\d+,\d+ +\d+ +-?\d+ +(\d+)\.(\d{9}) / ?
		$1 * 1e9 + $2 : die "no event: $_[0]\n";
}

# Letters of version 8, which records of version 7 have no categories for.
sub in_version_7
{
	my ($line) = @_;
	return $line =~ s{^(.{40,}? [A-Z]{1,2} +F?)(?:Z(?:RA|[ARFOC])|WZ)}
			 {$1W}r =~ s/ +/ /gr;
}

# lines of events, but for the message that an imported trace has, in order
sub events_in
{
	my ($text) = @_;
	my @lines = grep { /^ *\d+,\d+ / && !/blktrace: imported from / }
		split /\n/, $text;
	my @timed = map { [time_in($_), in_version_7($_)] } @lines;

	return [map { $_->[1] }
		sort { $a->[0] <=> $b->[0] || $a->[1] cmp $b->[1] } @timed];
}

# without numbers, where they do not begin at 1
sub without_numbers
{
	my ($lines) = @_;
	return [sort map { s/^( ?\d+,\d+ \d+ )-?\d+ /$1/r } @$lines];
}

sub first_difference
{
	my ($got, $expected) = @_;
	for my $i (0 .. ($#$got > $#$expected ? $#$got : $#$expected)) {
		my ($is, $was) = ($got->[$i] // 'no line',
				  $expected->[$i] // 'no line');
		return "was: $was\n is: $is" if $is ne $was;
	}
	return '';
}

sub same_lines
{
	my ($got, $expected, $name) = @_;
	is(first_difference($got, $expected), '', $name);
}

# --- all traces ---------------------------------------------------------------

# the joined I/Os of a trace in one of these places
sub rows_of
{
	my ($operand) = grep { -e "$TOP/$_" } @_;
	my $fields = join ',', @FIELDS;
	my $got = run("btexport --no-header --fields=$fields $operand");
	return [sort split /\n/, $got->{out}];
}

sub count_others
{
	my ($got, $expected) = @_;
	my %left;

	$left{$_}++ for @$expected;
	return scalar grep { !$left{$_}-- } @$got;
}

# zone plugs are printed without sector, and other letters are not kept
sub is_version_8
{
	return $_[0] =~ /^v8-/;
}

sub same_rows
{
	my ($name) = @_;
	my $got = rows_of("$name.d/new/x", "$name.d/new");
	my $expected = rows_of("$name.d/old/x.bin", "$name.d/old");

	is(@$got, @$expected, "$name: I/Os");
	is(count_others($got, $expected), $ROWS{$name} // 0,
	   '... that differ') unless is_version_8($name);
}

# what blkparse is called with, for a trace in a directory: files or a stream
sub operand
{
	my ($dir) = @_;
	my ($stream) = glob "\Q$TOP/$dir\E/*.bin*";
	return defined $stream ? "-i - < $stream" : $dir;
}

sub test_trace
{
	my ($name, $folder) = @_;
	my $dir = "$name.d/old";

	mkdir "$TOP/$name.d" and mkdir "$TOP/$dir" or die "$name: $!\n";
	unpack_set($folder, "$TOP/$dir");
	my $input = operand($dir);
	my $old = run("blkparse -q $input > $name.txt; cat $name.txt");
	my $import = run("mkdir $name.d/new && btimport $name.txt" .
			 " -o $name.d/new/x");
	is($import->{rc}, 0, "$name: imported") or diag($import->{err});
	unlike($import->{err}, qr/line \d+/, '... without faults');
	my $new = run("btimport $name.txt -o - 2>/dev/null |" .
		      ' blkparse -q -i -');
	my ($is, $was) = map { events_in($_->{out}) } $new, $old;
	ok(@$was > 50, '... all ' . @$was . ' events');
	same_lines(without_numbers($is), without_numbers($was),
		   '... with the same text');
	run("cat $TOP/$dir/*.bin* > $name.d/stream; rm $TOP/$dir/*; " .
	    "mv $name.d/stream $dir/x.bin") if $input =~ /</;
	same_rows($name);
	return ($is, $was);
}

# the numbers, too, where nothing was left out
sub test_traces
{
	my $numbered = 0;

	for my $trace (every_trace($HERE, $SHARED)) {
		my ($is, $was) = test_trace(@$trace);
		$numbered += !first_difference($is, $was);
	}
	cmp_ok($numbered, '>=', 20, 'most have the same numbers');
}

sub test_losses
{
	my $got = run('btimport derived-skips.txt -o skips');

	like($got->{err}, qr/^btimport: 242 events were lost/m,
	     'numbers that are missing are lost events');
	$got = run('grep " [QC] " derived-skips.txt > some.txt;' .
		   ' btimport some.txt -o some');
	unlike($got->{err}, qr/lost/, 'but not those of filtered text');
	like(slurp("$TOP/some.blktrace.json"), qr/"lacks":"not all events"/,
	     '... which the card says');
}

# --- formats ------------------------------------------------------------------

my @FORMATS = (
	'%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\n',
	'%T.%t,%M,%m,%c,%a,%d,%S,%N,%e,%p,%C\n',
	'%-5c|%-8T|%12t|%-3a|%-4d|%-12S|%5n|%-16C|%8p|%D|%e\n',
	'%16C [%C-less] %a%p%d%S:%T.%9t%U %P %n\n' =~ s/ \[.*\]//r,
	'%a %T.%t\n',
	'%5T.%t %a %S\n',
	'%T.%t %a %d %P|%N %D\n',
);

# the text without what is numbered anew
sub lines_by
{
	my ($format, $input) = @_;
	my $got = run("blkparse -q -f '$format' $input");
	return [sort grep { length && !/ m   N |^Trace started|^Input file/ }
		split /\n/, $got->{out}];
}

sub test_format
{
	my ($name, $format) = @_;
	my $input = operand("$name.d/old");
	my $shown = $format =~ s/%8s //r;
	my $got = run("blkparse -q -f '$format' $input > f.txt;" .
		      " btimport --format='$format' f.txt -o - > f.bin");

	is($got->{rc}, 0, "$name: $format") or diag($got->{err});
	same_lines(lines_by($shown, '-i - < f.bin'), lines_by($shown, $input),
		   '... has the same lines');
}

sub test_formats
{
	for my $name (qw(cgroup-mqdl scsidbg-passthru split-large
			 virtio-bfq-mixed)) {
		test_format($name, $_) for @FORMATS;
	}
	my $got = run("btimport --format='%a %T.%t\\n' f.txt -o none");
	like($got->{err}, qr/^btimport:\ --format\ carries\ no\ devices,\ CPUs,
			     \ pids,\ process\ names,\ RWBS,\ sectors,
			     \ errors,\ sizes$/mx,
	     'what a format does not carry is reported');
	is(() = $got->{err} =~ /carries/g, 1, '... once');
}

sub test_refused
{
	my %formats = (
		'%a %S\n' => 'it has no time: %T and %t, or %z',
		'%T.%t\n' => 'it has no action, %a',
		'%a %T.%t' => 'it does not end in \n',
		'%a %T.%t%p\q\n' => 'after a backslash there must be',
		'%a %T.%t %S%n\n' => 'where %S ends is not clear',
	);

	for my $format (sort keys %formats) {
		my $got = run("btimport --format='$format' f.txt -o no");
		is($got->{rc}, 1, "$format: refused");
		like($got->{err}, qr/^btimport: --format: \Q$formats{$format}/,
		     '... with the reason');
		ok(!-e "$TOP/no", '... before there is a trace');
	}
	my $got = run("btimport --from=fiu --format='%a %T.%t\\n' f.txt -o no");
	is($got->{rc}, 1, 'a format of another format');
	like($got->{err}, qr/--format is of --from=blkparse only/,
	     '... is refused');
}

# --- lines --------------------------------------------------------------------

my $LINE = "  8,0    0        1     0.000000000   100  Q   R 8 + 8 [a b]\n";

# the events of a text, and what is reported
sub convert
{
	my ($text, $options) = @_;

	spew("$TOP/in.txt", $text);
	my $got = run('btimport ' . ($options // '') .
		      ' in.txt -o - 2>err.txt | blkparse -q -i -');
	return (events_in($got->{out}), slurp("$TOP/err.txt"));
}

sub test_names
{
	my $n = 0;
	my $text = join '', map {
		sprintf "  8,0    0 %8d     0.%09d %5d  Q   R 8 + 8 [%s]\n",
			++$n, $n, $n, $_
	} 'a b', 'Web Content', '[kworker] 1', '(sd-pam)', 'a] 3', '8,0 Q [x]';
	my ($got) = convert($text);

	same_lines($got, events_in($text =~ s/0\.00000000\K(\d)/$1 - 1/ger),
		   'names with blanks, brackets and parentheses');
}

sub test_faults
{
	my ($got, $err) = convert($LINE . <<'END');
  8,0    0        2     0.000000001   100  Q   R 8 + x [a b]
  8,0    0        3     0.000000002   100  Y   R 8 + 8 [a b]

  8,0    0        4     0.000000003   100  U   N [a b] 1
no event
END
	is(@$got, 2, 'lines with faults are skipped');
	is($err, <<'END', '... and reported by line and column');
btimport: in.txt: line 2, column 54: "x" is not a number of sectors
btimport: in.txt: line 3, column 44: "Y" is not an action
btimport: in.txt: line 6, column 1: "no" is not a device, such as 8,0
btimport: in.txt: 3 lines were skipped
btimport: 2 events of 1 device
btimport: 2 events were lost when it was recorded, of these or other devices
END
	($got, $err) = convert($LINE . 'x' x 20_000_000 . "\n" . $LINE);
	is(@$got, 2, 'after a line of 20 MB the next one is read');
	like($err, qr/line 2, column 1: "x{39}" is not a device/,
	     '... and it is reported');
}

sub test_summary
{
	my $whole = run('blkparse -s -v md-raid1-3dev.d/old > whole.txt');
	my ($got, $err) = convert(slurp("$TOP/whole.txt"));
	my $events = events_in(slurp("$TOP/md-raid1-3dev.txt"));

	is(@$got, @$events, 'a summary ends the events');
	unlike($err, qr/line/, '... and is no fault');
	($got, $err) = convert(slurp("$TOP/whole.txt") x 2);
	is(@$got, @$events, 'another run after it is not read');
	like($err, qr/line \d+, column 1: events after the summary are of/,
	     '... and reported');
}

# A time that is not in order is put there, up to a second later.
sub test_order
{
	my @lines = map { $LINE =~ s/0\.000000000/sprintf '%.9f', $_/er }
		0, 0.5, 0.2, 1.1, 0.3, 1.6;	# s
	my ($got, $err) = convert(join '', @lines);

	same_lines(without_numbers($got),
		   without_numbers(events_in(join '', @lines)),
		   'lines of several CPUs are put in order');
	unlike($err, qr/order/, '... without a fault');
	($got, $err) = convert(join '', @lines[0, 1, 5, 2]);
	like($err, qr/1 event out of order, by up to 300ms/,
	     '... but if they come later');
}

sub test_detection
{
	my @ways = ("Input file x added\n$LINE", "\n\n$LINE", $LINE =~ s/ +/ /gr,
		    $LINE =~ s/ Q .*/ m   N text/r);

	for my $text (@ways) {
		my ($got) = convert($text);
		is(@$got, 1, 'known by its first event');
	}
	spew("$TOP/in.txt", $LINE);
	my $got = run('gzip in.txt && btimport in.txt.gz -o - | blkparse -q -i -');
	is(@{events_in($got->{out})}, 1, '... and when it is packed');
	$got = run("printf 'x\\n8,0\\n' | btimport - -o -");
	like($got->{err}, qr/unknown format/, 'other text is not');
}

test_traces();
test_losses();
test_formats();
test_refused();
test_names();
test_faults();
test_summary();
test_order();
test_detection();
done_testing();
