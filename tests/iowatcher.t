#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# iowatcher: its command line, and what its pictures show: as XML, and as
# pixels where rsvg-convert is installed.
#
#	BIN=DIR prove tests/iowatcher.t
#
# iowatcher/cases.tsv has what 1.3.0 drew of t.dump: sizes and graphs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::Files qw(files_below read_kept slurp spew unpack_set);
use Suite::Made 'made_ios';
use Suite::Png qw(png_read pixel);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('iowatcher.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my ($READS, $WRITES, $OTHERS) = ('#0b6fb8', '#d4570a', '#6b7785');
# the plot's place in a card, and the first card's top
my ($LEFT, $PLOT_TOP, $CARD_TOP) = (122, 60, 50);

spew("$TOP/t.dump", read_kept("$HERE/iowatcher/t.dump"));

sub installed
{
	my ($program) = @_;
	return grep { -x "$_/$program" } split /:/, $ENV{PATH};
}

my $HAS_XMLLINT = installed('xmllint');
my $HAS_RSVG = installed('rsvg-convert');

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# status 1, nothing drawn, and this in the message
sub refused
{
	my ($options, $message) = @_;
	my $got = run("iowatcher -o refused.svg $options");

	is($got->{rc}, 1, "iowatcher $options is refused");
	like($got->{err}, $message, '... and it says why');
	ok(!-e "$TOP/refused.svg", '... and draws nothing');
}

# --- pictures ----------------------------------------------------------------

# What a picture is: its text, size, texts in it.
sub picture
{
	my ($options, %want) = @_;
	my $got = run("iowatcher $options -o out.svg");

	is($got->{rc}, $want{rc} // 0, "iowatcher $options");
	like($got->{err}, $want{err} // qr/\A\z/, '... and what it says');
	return read_picture("$TOP/out.svg", $options);
}

sub well_formed
{
	my ($path, $name) = @_;
SKIP: {
		skip 'xmllint is not installed', 1 unless $HAS_XMLLINT;
		is(`xmllint --noout '$path' 2>&1`, '', "$name: well-formed");
	}
}

sub read_picture
{
	my ($path, $name) = @_;
	my $svg = slurp($path);
	my ($width, $height) = $svg =~
		/\A<svg [^>]*width="(\d+)" height="(\d+)"/;

	well_formed($path, $name);
	my $other = qr/<(?:script|style|image|filter|a)\b|href/;
	ok($svg !~ $other && $svg !~ /"[^">]*(?:nan|inf)\b/,
	   "$name: marks and text only");
	return { svg => $svg, width => $width, height => $height,
		 texts => [$svg =~ m{<text[^>]*>([^<]*)</text>}g] };
}

# the titles of graphs, in bold and in the middle
sub titles
{
	my ($p) = @_;
	return $p->{svg} =~ /font-size="18" font-weight[^>]*>([^<]*)/g;
}

sub has_text
{
	my ($p, $text) = @_;
	return scalar grep { $_ eq $text } @{$p->{texts}};
}

# the picture as pixels, or nothing
sub drawn
{
	my ($p) = @_;

	return unless $HAS_RSVG;
	spew("$TOP/draw.svg", $p->{svg});
	system("rsvg-convert '$TOP/draw.svg' -o '$TOP/draw.png'") == 0 or
		die "rsvg-convert failed\n";
	return png_read(slurp("$TOP/draw.png"));
}

# --- what 1.3.0 drew ---------------------------------------------------------

# Side by side 1.3.0 draws other pages: doc/differences.md, columns.
my %OTHER_SIZE = (columns => '2114 1322');

for my $line (split /\n/, slurp("$HERE/iowatcher/cases.tsv")) {
	next if $line =~ /^#/;
	my ($name, $options, $width, $height, $graphs) = split /\t/, $line;
	my $p = picture("-t t.dump -l lab $options");

	is("$p->{width} $p->{height}", $OTHER_SIZE{$name} // "$width $height",
	   "$name: the page is as large as 1.3.0's");
	is(join(',', titles($p)), $graphs, "$name: the graphs are 1.3.0's");
	ok(has_text($p, 'lab Reads') || has_text($p, 'lab mean') ||
	   has_text($p, 'lab reader Reads'), "$name: it has a legend");
}

# --- what it is of ------------------------------------------------------------

# Devices, host, date and time span are above the graphs, with a title or without.
sub test_about
{
	my $run = 'db1-2026-11-20-06:06:45';
	my $when = '2026-11-20 06:06:44 to 06:06:45 UTC';

	mkdir "$TOP/$run";
	unpack_set("$HERE/data/smp4-mixed-procs", "$TOP/$run");
	my $p = picture("-t $run/vda");
	my ($about) = map { s/\xe2\x80[\x89\xaf]/ /r } $p->{texts}[0];
	is($about, "vda on db1, $when (1.13 s)", 'what the picture is of');
	like($p->{svg}, qr/<title>vda on db1, /, '... is its title, too');
	$p = picture("-t $run/vda -T Mixed -x 0.5:0.7");
	is(join('|', map { s/\xe2\x80[\x89\xaf]/ /r } @{$p->{texts}}[0, 1]),
	   'vda on db1, 2026-11-20 06:06:45 to 06:06:45 UTC (200 ms)|Mixed',
	   '... below a title; of the time shown');
	$p = picture("-t $run/vda -t $run/vda -w 300 -O io");
	like($p->{texts}[0], qr/\Avda on db1, 2026-11-20 06:06:44 UTC; vda .*\.\.\.\z/,
	     '... of two, cut where it has no room');
	$p = picture("-t $run/vda -m");
	like($p->{texts}[0], qr/\Avda on db1, $when/, '... of a movie');
}

test_about();

# --- what is where -----------------------------------------------------------

sub made_trace
{
	my ($path, @ios) = @_;
	spew("$TOP/$path", made_ios(@ios));
}

# a tenth of the disk's 100 MiB, and a second, apart
my @IOS = map { { time => $_, sector => 20480 * $_,
		  op => $_ % 2 ? 'W' : 'R' } } 0 .. 9;
made_trace('ten.dump', @IOS, { time => 9.99, sector => 204792, op => 'R' });

sub near
{
	my ($png, $x, $y, $color) = @_;
	for my $dx (-3 .. 3) {
		for my $dy (-3 .. 3) {
			return 1 if pixel($png, $x + $dx, $y + $dy) eq $color;
		}
	}
	return 0;
}

SKIP: {
	skip 'rsvg-convert is not installed', 1 unless $HAS_RSVG;
	my $p = picture('-t ten.dump -O io -w 300 -h 100 -y 0:100');
	my $png = drawn($p);
	my ($foot, $seconds) = ($CARD_TOP + $PLOT_TOP + 100, 9.991);
	my ($wrong, $free) = (0, 0);

	for my $io (@IOS) {
		my $x = int($LEFT + 300 * $io->{time} / $seconds);
		my $y = int($foot - 100 * $io->{sector} / 204800) - 1;
		my ($is, $not) = $io->{op} eq 'R' ? ($READS, $WRITES) :
			($WRITES, $READS);

		$wrong++ unless near($png, $x, $y, $is) &&
			!near($png, $x, $y, $not);
		# and nothing between two of them
		$free++ unless near($png, $x + 15, $y - 5, $READS) ||
			near($png, $x + 15, $y - 5, $WRITES);
	}
	is($wrong, 0, 'each I/O is where it was, in its colour');
	is($free, 10, 'and nothing is where there was none');
	my ($x, $y) = ($LEFT + 300 + 45 + 5, $CARD_TOP + $PLOT_TOP);
	is(pixel($png, $x, $y), $READS, 'the legend has the colour of reads');
	is(pixel($png, $x, $y + 15), $WRITES, 'and of writes');
	is(pixel($png, $x, $y + 30), '#ffffff', 'and nothing below');
}

# --- options -----------------------------------------------------------------

my $plain = picture('-t ten.dump');
is(join(',', titles($plain)),
   'Device IO,Throughput,IO Latency,Queue Depth,IOPs', 'all graphs, in order');
is((stat "$TOP/out.svg")[2] & 07777, 0600, 'a new file is its owner\'s');
chmod 0644, "$TOP/out.svg";
picture('-t ten.dump');
is((stat "$TOP/out.svg")[2] & 07777, 0644, 'an old one stays as it is');
is(slurp("$TOP/out.svg"), $plain->{svg}, 'the same trace, the same bytes');
is(run('iowatcher -t ten.dump -o -')->{out}, $plain->{svg},
   '-o - is standard output');
run('iowatcher -t ten.dump');
is(slurp("$TOP/trace.svg"), $plain->{svg}, 'without -o it is trace.svg');
is(run('cat ten.dump | iowatcher -t - -o -')->{out}, $plain->{svg},
   'a pipe makes the same picture');

for my $way ('--trace=ten.dump --only-graph=io --title=x --width=300'
	     . ' --height=100 --columns=1 --xzoom=1:5 --yzoom=0:50'
	     . ' --io-plot-action=D --per-process-io --rolling=2 --label=y'
	     . ' --no-progress',
	     '--t=ten.dump') {
	my $got = run("iowatcher $way -o way.svg");
	if ($way =~ /--t=/) {
		like($got->{err}, qr/ambiguous/, '--t is not clear');
		next;
	}
	is($got->{rc}, 0, $way);
	is(slurp("$TOP/way.svg"),
	   picture('-t ten.dump -l y -O io -T x -w 300 -h 100 -c 1 -x 1:5'
		   . ' -y 0:50 -a D -P -r 2')->{svg},
	   '... and the letters draw the same');
}
like(run('iowatcher --h 5')->{err}, qr/ambiguous/, '--h is not clear');

# time and offsets: what is outside is not drawn, nor in any sum
my $part = picture('-t ten.dump -x 2.5:4.5 -O io -O iops');
is(() = $part->{svg} =~ /[M ][\d.]+ [\d.]+h2/g, 2, '-x leaves two I/Os');
ok(has_text($part, '4.4') && !has_text($part, '5.0'), '... and its axis');
my $low = picture('-t ten.dump -y :50 -O io');
is(() = $low->{svg} =~ /M[\d.]+ [\d.]+h2/g, 5, '-y leaves five');

# events: an io that took long is somewhere else when it completes
made_trace('slow.dump', { time => 0, sector => 0, op => 'R', took => 4 },
	   { time => 5, sector => 2048, op => 'W' });
my $cell = qr/M([\d.]+) [\d.]+h2" fill="none" stroke="$READS/;
my %first = map { my $p = picture("-t slow.dump -O io -a $_");
		  $_ => $p->{svg} =~ $cell } qw(Q D C);
is($first{Q}, 122, '-a Q: when it was queued');
is($first{D}, 122, '-a D: when it was issued');
cmp_ok($first{C}, '>', 600, '-a C: when it was completed');

# lines: a bin's rate, its latency; and means of them
my $line = qr/d="(M[^"]*)" fill="none" stroke="$READS" stroke-width="1.6"/;
my ($spikes) = picture('-t slow.dump -O iops')->{svg} =~ $line;
my ($smooth) = picture('-t slow.dump -O iops -r 1')->{svg} =~ $line;
isnt($spikes, $smooth, '-r smooths');
ok(has_text(picture('-t slow.dump -O latency'), 'latency (ms)'),
   'the unit fits');

# several traces, labels in their order
my $two = picture('-t ten.dump -l one -t slow.dump -l two -O io -O latency');
ok(has_text($two, $_), "the legend has $_")
	for 'one Reads', 'two Writes', 'one mean', 'two p99';
like(run('iowatcher -l early -t ten.dump -o early.svg')->{err},
     qr/-l early: no -t or -F before it/, 'a label needs its trace');

# columns: as many in a row as were asked for
my $row = picture('-t ten.dump -c 3 -w 200');
my @places = $row->{svg} =~ /translate\(([\d.]+ [\d.]+)\)">/g;
is(scalar(grep { / 50\z/ } @places), 3, '-c 3: three in the first row');
is(scalar(grep { $_ eq 'Time (seconds)' } @{$row->{texts}}), 5,
   '... and the time below each');

# --- what cannot be drawn ----------------------------------------------------

refused('', qr/^iowatcher: No traces found, exiting$/m);
refused('-t t.dump extra', qr/^iowatcher: Extra arguments 'extra'/m);
refused('-t t.dump -p', qr/-p given but no program specified/);
refused('-t t.dump -p true', qr/-p: no device to trace/);
refused('-d /dev/null -p true', qr{/dev/null is not a block device});
refused('-t t.dump -O bogus', qr/no graph bogus/);
refused('-t t.dump -O lantency', qr/did you mean latency/);
refused('-t t.dump -O io -N io',
	qr/no graph left/);
refused("-t t.dump -x $_", qr/Cannot parse time range \Q$_\E$/m)
	for qw(a:b 5:1 1 1:2:3 1:2x -1:3 2:2 nan:1 1:inf);
refused("-t t.dump -y $_", qr/Cannot parse offset range \Q$_\E$/m)
	for qw(x:1 20:10 -1:3 1:2:3);
refused('-t t.dump -y 1:17592186044416',
	qr/Upper range limit too big\. Maximum is 17592186044415\./);
refused('-t t.dump -a Z', qr/-a is Q, D or C, not Z/);
refused("-t t.dump $_", qr/takes a number from/)
	for '-w 0', '-h -5', '-w 1e9', '-c 0', '-r -1', '-r x';
refused('-t nope', qr/^iowatcher: nope: /m);
refused('-t t.dump -x 100:200', qr/nothing to draw/);
spew("$TOP/empty.dump", '');
refused('-t empty.dump', qr/^iowatcher: /m);
is(run('iowatcher -t ten.dump -o /nope/x.svg')->{rc}, 1,
   'a picture that cannot be written');
is(run('iowatcher -t ten.dump -o - >/dev/full')->{rc}, 1,
   'nor to standard output');

# --- names -------------------------------------------------------------------

spew("$TOP/named.dump", slurp("$TOP/ten.dump"));
is(picture("-t $_")->{svg}, $plain->{svg}, "-t $_ is named.dump")
	for qw(named named.dump);
mkdir "$TOP/kworker" or die "mkdir: $!\n";
unpack_set("$HERE/data/smp4-merges-kworker", "$TOP/kworker");
my $all = picture('-t kworker -P')->{svg};
is(picture("-t $_ -P")->{svg}, $all, "-t $_ is that directory's device")
	for 'kworker/vda', 'kworker/vda.blktrace.1', 'kworker/vda.none';
ok($all =~ qr/>kworker Writes</, 'kworkers are one');
ok($all !~ qr{kworker/}, '... all of them');
is(join(' ', grep { /dump/ && !/^(?:named|slow|empty|t|ten)\.dump/ }
	files_below($TOP)), '', 'no dump is left behind');

my @HOSTILE = ('</text><script>alert(1)</script>', '"&<>\'', "\x01\x1b[31m",
	       "\xff\xfe\xed\xa0\x80", ']]>', "a\xef\xbf\xbf", '%n%s');
made_trace('hostile.dump', map {
	{ time => $_, sector => 8 * $_, op => 'R', pid => 200 + $_,
	  name => substr $HOSTILE[$_], 0, 15 }
} 0 .. $#HOSTILE);
for my $text (@HOSTILE) {
	spew("$TOP/text", $text);
	my $p = picture('-t hostile.dump -P -O io -T "$(cat text)"'
			. ' -l "$(cat text)"');
	is(() = $p->{svg} =~ /<text/g, scalar @{$p->{texts}},
	   '... and all of it is text');
}

# more processes than colours
made_trace('many.dump', map { { time => $_ / 10, sector => 8 * $_, op => 'R',
				pid => 300 + $_, name => "p$_" } } 1 .. 40);
ok(has_text(picture('-t many.dump -P -O io'), '26 more'),
   'a long legend says how many are left out');

# --- devices, discards, loss -------------------------------------------------

made_trace('devices.dump',
	   (map { { time => $_, sector => 2048 * $_, op => 'W',
		    device => 8 } } 0 .. 9),
	   map { { time => $_, sector => 2048 * $_, op => 'R',
		   device => 9 } } 0 .. 9);
my $stack = picture('-t devices.dump -O io');
ok(has_text($stack, $_), "$_ has a band") for '8,0', '9,0';
made_trace('discard.dump', { time => 0, sector => 0, op => 'W' },
	   { time => 1, sector => 80, op => 'D', bytes => 1 << 30 },
	   { time => 2, sector => 0, op => 'R' });
my $discard = picture('-t discard.dump');
ok(has_text($discard, 'Others'), 'discards are others');
is(scalar(grep { $_ eq 'Others' } @{$discard->{texts}}), 2,
   '... of offsets and IOPs');
ok(has_text($discard, 'MiB/s') || has_text($discard, 'KiB/s'),
   '... and no throughput');
ok($discard->{svg} =~ /stroke="$OTHERS"/, '... in their colour');
ok(!has_text(picture('-t slow.dump'), 'Others'),
   'which are there only if there are any');

mkdir "$TOP/lossy" or die "mkdir: $!\n";
unpack_set("$HERE/data/derived-skips", "$TOP/lossy");
my $lossy = picture('-t lossy', err => qr/lossy: \d+ records lost$/m);
ok($lossy->{svg} =~ /\d+ records lost/, 'the picture says so, too');
mkdir "$TOP/damaged" or die "mkdir: $!\n";
unpack_set("$HERE/data/derived-badmagic", "$TOP/damaged");
picture('-t damaged', rc => 1, err => qr/damaged/);

# --- fio's logs, and what CPUs did -------------------------------------------

spew("$TOP/bw.log", join '', map { "$_, 100, 0, 4096\n$_, 300, 1, 4096, 0\n" }
     map { 500 * $_ } 0 .. 9);
my $log = picture('-F bw.log -l job -O fio');
is(join(',', titles($log)), 'Fio Throughput', '-F: a graph of its own');
ok(has_text($log, $_), "... with $_") for 'job Reads', 'job Writes', 'KiB/s';
is("$log->{width} $log->{height}", '1000 474', '... on a page like 1.3.0\'s');
is(picture('--fio-trace=bw.log -l job -O fio')->{svg}, $log->{svg},
   '--fio-trace is -F');
spew("$TOP/trim.log", "0, 5, 2, 4096\n");
refused('-F trim.log -O fio', qr/nothing to draw/);
spew("$TOP/bad.log", "0, 5, 0, 1\nhello\n0, 99999999999999999999, 0\n");
picture('-F bad.log', rc => 1, err => qr/bad\.log: 2 lines do not belong to a band/);
refused('-F nope.log', qr/cannot read nope\.log/);
my $both = picture('-t slow.dump -F bw.log -l trace -l log');
ok(has_text($both, $_), "-l reaches $_") for 'trace Reads', 'log Writes';

my $head = '%s CPU %%usr %%nice %%sys %%iowait %%irq %%soft %%idle';
spew("$TOP/slow.mpstat", join '', map {
	my $at = sprintf '10:00:%02d', $_;
	sprintf("$head\n", $at) . "$at all 10 0 20 30 1 2 37\n"
	. "$at 0 10 0 20 99 1 2 0\n"
} 1 .. 5);
my $cpus = picture('-t slow.dump -l x');
is(join(',', titles($cpus)), 'Device IO,Throughput,CPU IO Wait Time,'
   . 'CPU System Time,CPU IRQ Time,CPU Soft IRQ Time,CPU User Time,'
   . 'IO Latency,Queue Depth,IOPs', 'CPU graphs, in 1.3.0\'s order');
is(scalar(grep { $_ eq 'x avg' } @{$cpus->{texts}}), 5, '... each with a mean');
is(scalar(grep { $_ eq 'x high' } @{$cpus->{texts}}), 1,
   '... and marks where a CPU stands out');
my $mean = qr/d="M([^"]*)" fill="none" stroke="$READS"/;
my %y = map { my $p = picture("-t slow.dump -O $_");
	      $_ => join ' ', $p->{svg} =~ $mean }
	qw(cpu-io cpu-sys cpu-irq cpu-soft cpu-user);
is(scalar(grep { length } values %y), 5, 'each CPU graph has its line');
# 20 of 20, 10 of 10: at the top; 30 of 40
like($y{'cpu-sys'}, qr/^[\d.]+ 60L/, 'system time is system time');
spew("$TOP/slow.mpstat", "nothing\n");
picture('-t slow.dump', rc => 1, err => qr/no CPU times in it/);
unlink "$TOP/slow.mpstat";
refused('-t slow.dump -O cpu-io', qr/nothing to draw/);

# --- numbers -----------------------------------------------------------------

sub numbers
{
	my ($options) = @_;
	my $got = run("iowatcher --json=out.json $options");

	is($got->{rc}, 0, "iowatcher --json $options") or diag($got->{err});
	my $all = decode_json(slurp("$TOP/out.json"));
	return ($all, map { $_->{name} => $_ } @{$all->{graphs}});
}

# the rows of GRAPH.csv, by series
sub rows_of
{
	my ($graph) = @_;
	my (%rows, $head);

	for my $line (split /\n/, slurp("$TOP/out/$graph.csv")) {
		my ($series, @numbers) = split /,/, $line, -1;
		push @{$rows{$series}}, \@numbers if $head++;
	}
	return \%rows;
}

unlink "$TOP/trace.svg";
my ($about, %graphs) = numbers('-t t.dump -l lab -T "A \"title\"" --csv=out');
ok(!-e "$TOP/trace.svg", 'numbers alone draw no picture');
is(join(',', map { $_->{name} } @{$about->{graphs}}),
   'io,tput,latency,queue-depth,iops', 'JSON has all graphs');
is($about->{title}, 'A "title"', '... and the title');
for my $name (qw(tput latency queue-depth iops)) {
	my $rows = rows_of($name);
	for my $series (@{$graphs{$name}{series}}) {
		my @csv = map { "$_->[0] $_->[1]" }
			@{$rows->{$series->{label}}};
		my @json = map { "$series->{time_s}[$_] "
				 . ($series->{value}[$_] // '') }
			0 .. $#{$series->{time_s}};
		is("@csv", "@json", "CSV of $name, $series->{label}: as JSON");
	}
}
my $cells = rows_of('io');
my $count = map { @$_ } values %$cells;
ok($count >= 60 && $count < 70, 'a cell for each of 60 I/Os, or two');
is(scalar @{$graphs{io}{cells}}, $count, '... in JSON, too');

# 1.3.0 drew so many px above the foot for each second; 250 px are 448 KB/s
my %drawn = (Writes => [214, 250, 250, 214, 250],
	     Reads => [142, 107, 107, 142, 107]);
for my $way (sort keys %drawn) {
	my ($series) = grep { $_->{label} eq "lab $way" }
		@{$graphs{tput}{series}};
	my @sums = (0) x 6;
	$sums[$series->{time_s}[$_]] += $series->{value}[$_] * $about->{bin_s}
		for 0 .. $#{$series->{time_s}};
	# a bin may be in two seconds: an I/O, and half a px
	my @wrong = grep { abs($sums[$_] / 1024
			       - $drawn{$way}[$_] * 448 / 250) > 66 } 0 .. 4;
	is("@wrong", '', "$way of each second: as 1.3.0 drew");
}
my ($d2c) = grep { $_->{label} eq 'lab mean' } @{$graphs{latency}{series}};
my @known = map { int($_ / 1e6 + 0.5) } grep { defined } @{$d2c->{value}};
is("@known[0 .. 8]", '1 2 3 4 5 6 7 1 2', 'latencies are those of the trace');
my ($depth) = grep { $_->{label} eq 'lab range' }
	@{$graphs{'queue-depth'}{series}};
is(join(' ', sort { $a <=> $b } keys %{{ map { $_ => 1 } @{$depth->{value}} }}),
   '0 1', 'never more than one at a time');

# what is drawn is what is written
my $svg = picture('-t t.dump -l lab -O iops')->{svg};
my ($path) = $svg =~ $line;
my ($top) = sort { $b <=> $a } $svg =~ />(\d+)</g;
my ($reads) = grep { $_->{label} eq 'lab Reads' } @{$graphs{iops}{series}};
my @heights = map { (310 - $_) / 250 * $top } $path =~ /[ML][\d.]+ ([\d.]+)/g;
my @far = grep { abs($heights[$_] - $reads->{value}[$_]) > $top / 500 }
	0 .. $#heights;
is(scalar @heights, scalar @{$reads->{value}}, 'a point for each number');
is("@far", '', '... at its height');

for my $text (@HOSTILE) {
	spew("$TOP/text", $text);
	my $got = run('iowatcher -t hostile.dump -P -T "$(cat text)" --json=-');
	ok(eval { decode_json($got->{out}) }, 'JSON of hostile names')
		or diag($@);
}
is(run('iowatcher -t t.dump --csv=/nope/x')->{rc}, 1,
   'a directory that cannot be made');
is(run('iowatcher -t t.dump --json=- >/dev/full')->{rc}, 1,
   'JSON that cannot be written');
run('iowatcher -t t.dump -o with.svg --json=with.json');
ok(-s "$TOP/with.svg" && -s "$TOP/with.json", 'with -o both are written');

# --- the page ----------------------------------------------------------------

# a page without what says which program made it, and how
sub nameless
{
	my ($html) = @_;
	return $html =~ s/"(?:command|program)":"[^"]*"//gr =~
		s{<dt>(?:Command|Made by)</dt>.*\n}{}gr;
}

# the page of traces is that of btreport
sub same_page
{
	my ($mine, $theirs) = @_;
	my $got = run("iowatcher --html=mine.html $mine");

	is("$got->{rc} $got->{out}$got->{err}", '0 ',
	   "iowatcher --html=mine.html $mine");
	ok(!-e "$TOP/trace.svg", '... draws no picture');
	is(run("btreport -o - $theirs")->{rc}, 0, "... btreport $theirs");
	is(nameless(slurp("$TOP/mine.html")),
	   nameless(run("btreport -o - $theirs")->{out}),
	   '... makes the same page');
}

unlink "$TOP/trace.svg";
same_page('-t t.dump', 't.dump');
same_page('-t t.dump -T Title -x 0.01:0.2 --size=64K',
	  '-t Title -w 0.01:0.2 --size=64K t.dump');
is(run('iowatcher --html=- -t - <t.dump')->{rc}, 0, 'a page of a pipe');
my $page = run('iowatcher --html=mine.html --json=mine.json -t t.dump');
is($page->{rc}, 0, 'a page and numbers');
ok(-s "$TOP/mine.json", '... are both written');
refused('--html=x.html -t - <t.dump', qr/-: a pipe can be read only once/);
refused('--html=x.html -F t.log', qr/--html needs a trace/);
refused('--html=x.html --size=1K -t t.dump', qr/--size=1K: a number of/);
is(run('iowatcher --html=/nope/x -t t.dump')->{rc}, 1,
   'a page that cannot be written');
unlink "$TOP/gone.html";
is(run('iowatcher --html=gone.html -t none')->{rc}, 1, 'no such trace');
ok(!-e "$TOP/gone.html", '... no page');

# --- completions alone ---------------------------------------------------------

# records of a dump for which this is true of their action, in number 0: holes
# in the numbers would be losses
sub only
{
	my ($bytes, $wanted) = @_;
	my ($at, $out) = (0, '');

	while ($at < length $bytes) {
		my ($action, $more) = unpack 'x28 L x14 S', substr $bytes, $at;
		my $record = substr $bytes, $at, 48 + $more;
		substr $record, 4, 4, pack 'L', 0;
		$out .= $record if $wanted->($action);
		$at += 48 + $more;
	}
	return $out;
}

sub sums_of
{
	my ($graph) = @_;
	my %sums;

	for my $series (@{$graph->{series}}) {
		my $sum = 0;
		$sum += $_ // 0 for @{$series->{value}};
		$sums{$series->{label}} = sprintf '%.3f', $sum;
	}
	return \%sums;
}

sub values_of
{
	my ($graph) = @_;
	return scalar grep { defined } map { @{$_->{value}} }
		@{$graph->{series} // []};
}

# without when: the trace begins with its first event
sub offsets_of
{
	my ($graph) = @_;
	return map { "$_->[0] $_->[2]" } @{$graph->{cells}};
}

my $is_end = sub { $_[0] >> 16 & 1 << 10 || ($_[0] & 0xffff) == 8 };
spew("$TOP/ends.dump", only(slurp("$TOP/t.dump"), $is_end));
my (undef, %ends) = numbers('-t ends.dump -l lab');
# the last bin is cut elsewhere, as the trace begins with its first event
for my $name (qw(tput iops)) {
	my ($mine, $whole) = map { sums_of($_) } $ends{$name}, $graphs{$name};
	is(join(',', sort keys %$mine), join(',', sort keys %$whole),
	   "$name of completions alone, as a mask leaves them");
	cmp_ok(abs($mine->{$_} - $whole->{$_}), '<', 0.01 * $whole->{$_},
	       "... $_: as much") for keys %$whole;
}
my (undef, %places) = numbers('-t t.dump -a C -l lab -O io');
my %there = map { $_ => 1 } offsets_of($ends{io});
is(scalar(grep { !$there{$_} } offsets_of($places{io})), 0,
   '... and where they were');
is(values_of($ends{latency}), 0, '... nobody knows how long they took');

# --- PNG ---------------------------------------------------------------------

SKIP: {
	skip 'rsvg-convert is not installed', 3 unless $HAS_RSVG;
	is(run('iowatcher -t ten.dump -O io -o out.png')->{rc}, 0, 'PNG');
	my $png = png_read(slurp("$TOP/out.png"));
	is("$png->{width} $png->{height}", '1044 474', '... of the same size');
	is((stat "$TOP/out.png")[2] & 07777, 0600, '... its owner\'s');
}
mkdir "$TOP/bin" or die "mkdir: $!\n";
spew("$TOP/bin/rsvg-convert", "#!/bin/sh\nexit 7\n");
chmod 0755, "$TOP/bin/rsvg-convert";
my $broken = run('PATH=$PWD/bin:$PATH; iowatcher -t t.dump -o no.png');
is($broken->{rc}, 1, 'a converter that fails');
like($broken->{err}, qr/rsvg-convert failed with status 7/, '... is named');
SKIP: {
	skip 'a checker has to be found, too', 2 if $ENV{WRAP};
	$broken = run('i=$(command -v iowatcher); PATH=/nope;'
		      . ' $i -t t.dump -o no.png');
	is($broken->{rc}, 1, 'a converter that is not there');
	like($broken->{err}, qr/Debian: librsvg2-bin/,
	     '... can be had');
}
ok(!-e "$TOP/no.png", '... and nothing is left');

# --- movies ------------------------------------------------------------------

my $HEAD = "YUV4MPEG2 W960 H540 F20:1 Ip A1:1 C444\n";
my $FRAME = 960 * 540 * 3;

for my $style ('-mrect', '-mspindle', '-m', '--movie=rect', '--movie') {
	my $p = picture("-t ten.dump $style");
	is("$p->{width} $p->{height}", '960 540', "$style: a movie's size");
	my @begins = $p->{svg} =~ /begin="l\.begin\+([\d.]+)s"/g;
	is(join(' ', sort { $a <=> $b } @begins),
	   join(' ', map { sprintf '%.2f', int($_->{time} / 9.991 * 600) / 20 }
		@IOS, { time => 9.99 }),
	   "$style: each I/O at its time");
	is(() = $p->{svg} =~ /d="M[\d.]+ [\d.]+h4" opacity/g,
	   $style =~ /rect/ ? 11 : 0, "$style: cells in rows, or not");
}
is(picture('-t ten.dump -m')->{svg}, picture('-t ten.dump -mspindle')->{svg},
   'a disc is usual');
picture("-t ten.dump -m -T '$_'") for '</svg>', '&amp;"';
refused('-t ten.dump -mfoo', qr/-m is spindle or rect, not foo/);

# brightness of a pixel of a frame, counted from 0
sub brightness
{
	my ($frame, $x, $y) = @_;
	my $at = length($HEAD) + $frame * ($FRAME + 6) + 6 + 960 * $y + $x;
	my $got = run('iowatcher -t ten.dump -mrect -o - 2>/dev/null |'
		      . " tail -c +" . ($at + 1) . " | head -c 1");

	return ord $got->{out};
}

# Each of these is a gigabyte of pixels, too much under a checker in front of
# the program; and that has to be found in PATH.
sub test_frames
{
	like(run('iowatcher -t ten.dump -mrect -o - | head -c 60')->{out},
	     qr/\A\Q$HEAD\EFRAME\n/, '-o - is a YUV4MPEG2 stream');
	is(brightness(0, 409, 49), 93, 'what is read first lights up');
	ok(brightness(11, 409, 49) > 200, '... fades');
	is(brightness(12, 409, 49), 235, '... and is gone');
	is(brightness(0, 409, 300), 235, '... elsewhere there is nothing');

	spew("$TOP/bin/ffmpeg", "#!/bin/sh\necho \"\$@\" >ffmpeg.words\n"
	     . "wc -c >ffmpeg.bytes\n");
	chmod 0755, "$TOP/bin/ffmpeg";
	my $in = 'PATH=$PWD/bin:$PATH; iowatcher -t ten.dump -m';
	my $film = run("$in -o x.mp4");
	is($film->{rc}, 0, 'a video') or diag($film->{err});
	is(slurp("$TOP/ffmpeg.words"), '-loglevel error -y -f yuv4mpegpipe -i -'
	   . " -pix_fmt yuv420p -vcodec libx264 file:x.mp4\n",
	   'ffmpeg is told how');
	is(slurp("$TOP/ffmpeg.bytes") + 0, length($HEAD) + 600 * ($FRAME + 6),
	   '... and gets 600 frames');
	for my $case (['-C mpeg4 -o x.avi', 'mpeg4'],
		      ['--codec=vp9 -o x.webm', 'vp9'],
		      ['-o x.ogv', 'libtheora']) {
		my ($options, $codec) = @$case;
		run("$in $options");
		like(slurp("$TOP/ffmpeg.words"), qr/-vcodec $codec /, $options);
	}
	ok(!-e "$TOP/x.mp4.y4m", 'frames are not kept');
	for my $way ('-K', '--keep-movie-svgs') {
		run("$in $way -o k.mp4");
		is(-s "$TOP/k.mp4.y4m", length($HEAD) + 600 * ($FRAME + 6),
		   "... but with $way");
		unlink "$TOP/k.mp4.y4m";
	}
	spew("$TOP/bin/ffmpeg", "#!/bin/sh\nhead -c 99 >/dev/null\nexit 5\n");
	$film = run("$in -K -o x.mp4");
	is($film->{rc}, 5, 'its status is ours');
	like($film->{err}, qr/ffmpeg failed with status 5/, '... and is told');
	unlink "$TOP/x.mp4.y4m";
	$film = run('i=$(command -v iowatcher); PATH=/nope;'
		    . ' $i -t ten.dump -m -o x.mp4');
	is($film->{rc}, 1, 'without ffmpeg');
	like($film->{err}, qr/Debian: ffmpeg/, '... it can be had');
	$film = run('iowatcher -t ten.dump -m -o cut.y4m & sleep 0.1; kill $!;'
		    . ' wait $!');
	is($film->{rc}, 128 + 15, 'a signal ends it');
	# one that came behind the last frame has nothing to undo
	is(join(' ', grep { /cut/ &&
			    -s "$TOP/$_" != length($HEAD) + 600 * ($FRAME + 6) }
		files_below($TOP)), '', '... and nothing half written is left');
	is(run('iowatcher -t ten.dump -m -o /nope/x.y4m')->{rc}, 1,
	   'a stream that cannot be written');
}

test_frames() unless $ENV{WRAP};

# an I/O behind the last sector that a number can have is in no cell
made_trace('nowhere.dump', { time => 0, sector => 2 ** 64 - 1, op => 'R',
			     bytes => 65536 });
is(run('iowatcher -t nowhere.dump --json=nowhere.json')->{rc}, 0,
   'an I/O that has no place');
is_deeply(decode_json(slurp("$TOP/nowhere.json"))->{graphs}[0]{cells}, [],
	  '... has no cell');

# --- size --------------------------------------------------------------------

my ($seed, @many) = (1);
for my $n (1 .. 30000) {
	$seed = ($seed * 1103515245 + 12345) % 2147483648;
	push @many, { time => $n / 1000, sector => 8 * ($seed >> 8), op =>
		      $seed & 64 ? 'R' : 'W' };
}
made_trace('large.dump', @many);
my $large = picture('-t large.dump');
cmp_ok(length $large->{svg}, '<', 400000, '30,000 I/Os all over the disk');
my $movie = picture('-t large.dump -mrect');
cmp_ok(length $movie->{svg}, '<', 1000000, '... as a movie');

done_testing();
