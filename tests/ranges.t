#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What btreport's pages show of a part of a trace: ten ranges of each, drawn by
# chance, in a real browser, against a plain count of the joined I/Os and against
# btstat -w; and of the whole, against btt.
#
#	BIN=dir [SEED=n] prove tests/ranges.t
#
# Skipped without chromium and chromedriver; with PAGES_MUST=1 that is a failure.
use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max min sum0);
use Suite::Browser qw(browser_found browser_start);
use Suite::Counted qw(count_of counted_ranges);
use Suite::Figures 'figure_text';
use Suite::Files 'unpack_set';
use Suite::Page qw(page_js pages_found trace_of);
use Suite::Repeated 'repeat_trace';
use Test::More;

my $RANGES = 10;
my $SEED = $ENV{SEED} // 14;
# how far percentiles are off: of bins and btstat's histograms
my ($BUCKET, $CELL) = (2 ** (1 / 8) * 1.001, 1 + 1 / 100);
my $BIN = abs_path($ENV{BIN} // "$FindBin::Bin/..");
my $NONE = "\x{2013}";

sub leave
{
	my ($why) = @_;

	die "$why\n" if $ENV{PAGES_MUST};
	plan skip_all => $why;
}

# Ranges of the page's time in whole ns, from a thousandth of it up to most;
# every other one has one of the slowest I/Os, so that few are empty.
sub drawn_ranges
{
	my ($meta, $most) = @_;
	my $duration = $meta->{duration};
	my @ends = map { $_->[0] + $_->[8] } @{$meta->{slowest}};

	return map {
		my $length = int($duration * $most * 1000 ** -rand) + 1;
		my $from = $_ % 2 && @ends ?
			$ends[rand @ends] - int(rand $length) :
			int(rand($duration - $length));
		$from = max(0, min($duration - $length, $from));
		[$from, $from + $length]
	} 1 .. $RANGES;
}

# --- one row ------------------------------------------------------------------

sub near
{
	my ($one, $other, $factor) = @_;
	return max($one, 1) <= max($other, 1) * $factor &&
		max($other, 1) <= max($one, 1) * $factor;
}

# what is wrong with a latency of a row, which the page has counted (exactly or
# in bins)
sub span_faults
{
	my ($what, $mine, $counted, $exact) = @_;

	return $mine ? "$what: there is one" : () unless $counted;
	return "$what: there is none" unless $mine;
	my @bad = map { "$what $_: $mine->{$_}, not $counted->{$_}" }
		grep { $mine->{$_} != $counted->{$_} } qw(n max);
	for my $i (0 .. 3) {
		my ($m, $c) = ($mine->{p}[$i], $counted->{p}[$i]);
		push @bad, "$what p$i: $m, not $c"
			unless $exact ? $m == $c : near($m, $c, $BUCKET);
	}
	return @bad;
}

# The means of phases add up to that of Q2C; in bins they are sums of us.
sub mean_faults
{
	my ($what, $mine, $counted, $exact) = @_;
	my $q2c = $counted->{q2c};

	return () unless $q2c && $q2c->{n} == $mine->{n};
	my $mean = $q2c->{sum} / $q2c->{n};
	my $got = sum0(@{$mine->{phases}});
	return abs($got - $mean) <= 1e-9 * $mean + ($exact ? 1e-3 : 2000) ?
		() : "$what mean: $got, not $mean";
}

sub row_faults
{
	my ($what, $mine, $counted, $exact) = @_;
	my @bad = map { "$what $_: $mine->{$_}, not $counted->{$_}" }
		grep { $mine->{$_} != $counted->{$_} } qw(n bytes);

	return @bad unless $counted->{n};
	return @bad, mean_faults($what, $mine, $counted, $exact),
		map { span_faults("$what $_", $mine->{$_}, $counted->{$_},
				  $exact) } qw(q2c d2c);
}

# what stands in a row of a table, by what was counted
sub cells_of
{
	my ($c, $seconds) = @_;
	my $time = sub { defined $_[0] ? figure_text(TIME => $_[0]) : $NONE };

	return (figure_text(COUNT => $c->{n}),
		figure_text(DECIMAL => $c->{n} / $seconds),
		figure_text(SIZE => $c->{bytes}),
		figure_text(SIZE => $c->{bytes} / $seconds),
		$c->{bytes} ? figure_text(SIZE => $c->{bytes} / $c->{moved}) :
			      $NONE,
		(map { $time->($c->{q2c} && $c->{q2c}{p}[$_]) } 0 .. 3),
		$time->($c->{q2c} && $c->{q2c}{max}),
		(map { $time->($c->{d2c} && $c->{d2c}{p}[$_]) } 0, 2),
		$time->($c->{d2c} && $c->{d2c}{max}));
}

# The cells that are exact are to be read as counted.
sub cell_faults
{
	my ($what, $cells, $c, $seconds, $exact) = @_;
	my @wanted = cells_of($c, $seconds);
	my @sure = $exact ? 0 .. 12 : (0 .. 4, 9, 12);

	# what never came has no row
	return $c->{n} ? "$what: no row" : () unless $cells;
	return map { "$what, cell $_: $cells->[$_], not $wanted[$_]" }
		grep { $cells->[$_] ne $wanted[$_] } @sure;
}

# --- a range ------------------------------------------------------------------

# keys of what counts: of devices, and of operations but flushes
sub keys_of
{
	my ($devices, @ops) = @_;
	return map { my $d = $_; map { "$d $_" } @ops } @$devices;
}

sub range_faults
{
	my ($meta, $seen, $counted) = @_;
	my @on = map { $_->{number} } grep { $_->{on} } @{$meta->{devices}};
	# the last bin is longer than the trace
	my ($exact, $seconds) = ($seen->{exact}, max(1,
		min($seen->{to}, $meta->{duration}) - $seen->{from}) / 1e9);
	my $all = count_of($counted, keys_of(\@on, qw(R W D O)));
	my @bad = row_faults('all', $seen->{all}, $all, $exact);
	my $sum = sum0(@{$seen->{processes}});

	for my $op (map { $_->{key} } @{$meta->{operations}}) {
		my $c = count_of($counted, keys_of(\@on, $op));
		push @bad, row_faults("operation $op", $seen->{operations}{$op},
				      $c, $exact),
			cell_faults("operation $op", $seen->{op}{$op}, $c,
				    $seconds, $exact);
	}
	for my $i (0 .. $#{$meta->{devices}}) {
		my $d = $meta->{devices}[$i]{number};
		my $c = count_of($counted, keys_of([$d], qw(R W D O)));
		push @bad, row_faults("device $d", $seen->{devices}[$i], $c,
				      $exact),
			cell_faults("device $d", $seen->{device}{$i}, $c,
				    $seconds, $exact);
	}
	push @bad, "processes: $sum, not $all->{n}" if $sum != $all->{n};
	my $said = figure_text(COUNT => $all->{n}) . ' I/O';
	push @bad, "$seen->{line}: not $said"
		if $all->{n} && index($seen->{line}, $said) < 0;
	return @bad;
}

# --- btstat -------------------------------------------------------------------

# rows of btstat for what ends in [from, to), by device and phase
sub of_btstat
{
	my ($command, $from, $to) = @_;
	my $window = sprintf '%.9f:%.9f', $from / 1e9, ($to - 1) / 1e9;
	my $json = `$command --format=json --by=device --phases=q2c,d2c \\
		--where='op != flush && op != passthrough' -w $window`;
	my $said = decode_json($json);
	my %found = map { ("$_->{disk} $_->{phase}", $_) }
		@{$said->{tables}{phases}};

	return ($said->{coverage}, \%found);
}

# Devices as btstat has them.  That also counts a D2C whose Q is not known, leaves
# out more where records were lost, and reads no further than its window, so that
# it cannot know that a stacked device's I/O was not over with those below it.
sub btstat_faults
{
	my ($meta, $seen, $command) = @_;
	my ($coverage, $rows) = of_btstat($command,
		map { $_ + $meta->{start} } @{$seen}{qw(from to)});
	my @bad;

	return () if $coverage->{gap} || $coverage->{ghosts} ||
		$coverage->{without_q};
	for my $i (grep { !$meta->{devices}[$_]{stacked} }
		   0 .. $#{$meta->{devices}}) {
		my $name = $meta->{devices}[$i]{name};
		for my $span (qw(q2c d2c)) {
			my ($m, $t) = ($seen->{devices}[$i]{$span},
				       $rows->{"$name $span"});
			my $what = "$name $span by btstat";
			$t = undef if $t && !$t->{count};
			push @bad, "$what: $m->{n} $m->{max}, not $t->{count}"
				. " $t->{max_ns}" if $m && $t &&
				($m->{n} != $t->{count} ||
				 $m->{max} != $t->{max_ns});
			push @bad, "$what: only one has it" if !$m ne !$t;
			next unless $m && $t;
			my @p = @{$t}{qw(p50_ns p90_ns p99_ns p99_9_ns)};
			push @bad, map { "$what p$_: $m->{p}[$_], not $p[$_]" }
				grep { defined $p[$_] && !near($m->{p}[$_],
				       $p[$_], $seen->{exact} ? $CELL :
				       $CELL * $BUCKET) } 0 .. 3;
		}
	}
	return @bad;
}

# --- pages --------------------------------------------------------------------

my $browser;

# programs that count a trace
sub commands
{
	my $trace = quotemeta $_[0];
	return ("$BIN/btexport --no-progress $trace 2>/dev/null",
		"$BIN/btstat $trace");
}

# opens a page: its numbers
sub opened
{
	my ($path) = @_;

	$browser->open_page($path) or die "$path is not drawn\n";
	$browser->js(page_js());
	return $browser->js('return page.meta');
}

# what the page shows of ranges
sub seen
{
	my @ranges = @_;
	return @{$browser->async('page.seen(arguments[0])', \@ranges)};
}

# what a mouse selects, from a place of the latency graph to another
sub by_mouse
{
	my ($meta, $exporter) = @_;
	my ($left, $top, $px) = @{$browser->js('return page.plot("latency")')};

	$browser->mouse(1, map { [$left + $px * $_, $top + 100] }
			0.15, 0.3, 0.45);
	my $seen = $browser->async('page.rested()');
	my ($counted) = counted_ranges($exporter, [map {
		$_ + $meta->{start} } @{$seen}{qw(from to)}]);

	cmp_ok($seen->{to}, '<', $meta->{duration}, 'a mouse selects a part');
	is(join("\n", range_faults($meta, $seen, $counted)), '',
	   "... of $seen->{all}{n} I/Os");
}

sub ranges_of_page
{
	my ($path, $exporter, $stat, $most) = @_;
	my $meta = opened($path);

	return pass('it has no time') if $meta->{duration} < 1000 ||
		!$meta->{tables}{all}{n};
	my @ranges = drawn_ranges($meta, $most);
	my @seen = seen(@ranges);
	my @counted = counted_ranges($exporter, map {
		[map { $_ + $meta->{start} } @{$_}{qw(from to)}] } @seen);

	for my $i (0 .. $#ranges) {
		my $name = sprintf '%d to %d ns: %d I/Os', @{$seen[$i]}{
			qw(from to)}, $seen[$i]{all}{n};
		is(join("\n", range_faults($meta, $seen[$i], $counted[$i])), '',
		   $name);
		is(join("\n", btstat_faults($meta, $seen[$i], $stat)), '',
		   '... by btstat') if $stat;
	}
	by_mouse($meta, $exporter);
}

# --- bins against rows --------------------------------------------------------

# traces that are long enough when they are there so many times
my %MANY = ('md-raid1-3dev' => 12, 'dm-linear-3dev' => 25,
	    'ext4-fsync-meta' => 12, 'smp4-merges-kworker' => 10,
	    'discard-zeroes' => 25, 'mask-issue-complete' => 40);
my $AROUND = 60;
# one that is long enough by itself, if it is at hand
my $SHARED = $ENV{SHARED} || "$FindBin::Bin/../../shared";
my $LONG = "$SHARED/traces/database";

# pages of a trace: of all of its I/Os, and of bins
sub pages_of_many
{
	my ($set) = @_;
	my $dir = tempdir('many.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $times = $MANY{$set};

	mkdir "$dir/trace" or die "$dir: $!\n";
	unpack_set($times ? "$FindBin::Bin/data/$set" : $set, "$dir/trace");
	repeat_trace("$dir/trace", $times) if $times;
	for my $page (['exact', '4M'], ['binned', '64K']) {
		my ($name, $size) = @$page;
		system("$BIN/btreport", '--no-progress', "--size=$size", '-o',
		       "$dir/$name.html", "$dir/trace") == 0
			or die "btreport: $?\n";
	}
	return ("$dir/trace", "$dir/exact.html", "$dir/binned.html");
}

sub compares
{
	my ($set) = @_;
	my ($trace, $exact, $binned) = pages_of_many($set);
	my ($exporter, $stat) = commands($trace);

	ok(!opened($binned)->{exact}, 'it is counted in bins');
	my $ranges = $browser->js("return page.ranges($AROUND)");
	my $rough = $browser->js('return page.figures(arguments[0])', $ranges);
	ok(opened($exact)->{exact}, '... and all I/Os of it are there');
	is_deeply($browser->js('return page.compare(arguments[0], ' .
			       'arguments[1])', $ranges, $rough), [],
		  "... both say the same of $AROUND ranges");
	ranges_of_page($exact, $exporter, $stat, 0.9) unless $MANY{$set};
	ranges_of_page($binned, $exporter, $stat, 0.9);
}

# --- btt ----------------------------------------------------------------------

# N, MIN, AVG, MAX of Q2C and D2C by btt, by the numbers of devices
sub of_btt
{
	my ($trace) = @_;
	my $dir = tempdir('btt.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my ($part) = `cd $dir && $BIN/btt --no-progress -A $trace 2>/dev/null` =~
		/= Per Device =+\n(.*?)\n=+ Device Overhead/s;
	my (%found, $span);

	for my $line (split /\n/, $part // '') {
		$span = lc $1 if $line =~ /^\s+(\w+)\s+MIN/;
		my ($major, $minor, @numbers) = $line =~
			/^\(\s*(\d+),\s*(\d+)\)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\d+)/
			or next;
		$found{"$major:$minor"}{$span} = [map { $_ * 1e9 }
			@numbers[0 .. 2]];
		push @{$found{"$major:$minor"}{$span}}, $numbers[3];
	}
	return \%found;
}

# Where btt is right: n, least, mean and most.  Elsewhere it takes one I/O for
# another: parts, appends, discards, the same sector twice.  Of md it gives a small
# read the times of a larger one that it lies in.
my @BTT = qw(single dm md procs lossy hostile errors);
my $MEAN = 2e-4;

sub by_btt
{
	my ($meta, $trace) = @_;
	my $btt = of_btt($trace);
	my $compared = 0;

	for my $row (@{$meta->{tables}{devices}}) {
		my $d = $meta->{devices}[$row->{device}]{number};
		for my $span (grep { $btt->{$d}{$_} && $row->{$_} }
			      qw(q2c d2c)) {
			my ($t, $m) = ($btt->{$d}{$span}, $row->{$span});
			my $said = join ' ', map { sprintf '%.0f', $_ }
				@$t[0, 2], $t->[3];
			is("$m->{min} $m->{max} $m->{n}", $said,
			   "$d $span by btt: least, most, n");
			cmp_ok(abs($m->{mean} - $t->[1]), '<=',
			       1 + $MEAN * $t->[1], '... and the mean');
			$compared++;
		}
	}
	ok($compared, 'btt knows a device');
}

leave('no chromium and chromedriver') unless browser_found();
my @pages = grep { trace_of($_) } pages_found();
leave('no pages: BIN with btreport') unless @pages;

diag("SEED=$SEED");
srand $SEED;
$browser = browser_start();
for my $path (@pages) {
	my ($name) = $path =~ m{([^/]+)\.html\z};
	my $trace = trace_of($path);

	subtest $name => sub {
		ranges_of_page($path, commands($trace), 0.9);
		by_btt($browser->js('return page.meta'), quotemeta $trace)
			if grep { $_ eq $name } @BTT;
	};
}
subtest "many times $_" => \&compares, $_ for sort keys %MANY;
subtest $LONG => \&compares, $LONG if -d $LONG;
$browser->browser_stop();
done_testing();
