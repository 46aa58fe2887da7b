#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Pages of 10^3, 10^5 and 5 x 10^6 made I/Os: how large the file is, what they
# take in a browser, and whether the largest shows the right numbers.  All times
# but those that are only told of are of threads: others' work is not in them.
#
#	BIN=dir prove tests/scale.t
#
# Skipped without chromium and chromedriver, or bench/mktrace; with PAGES_MUST=1
# that is a failure.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Browser qw(browser_found browser_start);
use Suite::Counted qw(count_of counted_ranges);
use Suite::Page 'page_js';
use Test::More;

my $MAKER = "$FindBin::Bin/../bench/mktrace";
my $BIN = abs_path($ENV{BIN} // "$FindBin::Bin/..");
my $BESIDE = 150 * 2 ** 10;	# bytes of a file that are not its data's
# I/Os, events of them, sizes of pages
my @SCALES = (['10^3', '5400', '4M'], ['10^5', '540k', '4M', '64K'],
	      ['5 x 10^6', '27M', '4M', '64K']);
# ms of script a frame, ms of statistics, ms of all until it is shown, bytes
my ($FRAME, $DRAG, $SHOWN, $HEAP) = (12, 20, 2500, 200e6);
# statistics while dragging where all I/Os are there
my $DRAG_ROWS = 60;
# what ranges of the largest are counted plainly
my @PARTS = ([0.1, 0.104], [0.37, 0.372], [0.5, 0.51], [0.9, 0.905]);

sub leave
{
	my ($why) = @_;

	die "$why\n" if $ENV{PAGES_MUST};
	plan skip_all => $why;
}

leave('no chromium and chromedriver') unless browser_found();
leave('no bench/mktrace') unless -x $MAKER;
leave('no btreport: BIN') unless -x "$BIN/btreport";

my $dir = tempdir('scale.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $browser = browser_start();

sub made
{
	my ($events) = @_;
	return "$MAKER -c 4 -n $events -p";
}

sub page_of
{
	my ($events, $size) = @_;
	my $path = "$dir/page.html";

	is(system(made($events) . " | $BIN/btreport --no-progress "
		  . "--size=$size -o $path -"), 0, 'it is made');
	my ($n, $shift) = $size =~ /(\d+)(\w)/;
	cmp_ok(-s $path, '<=', $n * 2 ** ($shift eq 'M' ? 20 : 10) + $BESIDE,
	       "--size=$size: the file has " . -s $path);
	return $path;
}

# thread time of all that the page has done so far, ms
sub busy
{
	return 1000 * $browser->metric('TaskDuration');
}

sub opens
{
	my ($path) = @_;

	$browser->resize(1440, 900);
	my $before = busy();
	ok($browser->open_page($path), 'it is drawn');
	my $shown = busy();
	$shown -= $before if $shown > $before;
	$browser->js(page_js());
	my $paints = $browser->js('return page.paints()');

	cmp_ok($shown, '<=', $SHOWN, sprintf 'shown after %d ms', $shown);
	note(sprintf 'first picture after %d ms of wall time',
	     $paints->{'first-contentful-paint'});
	$browser->cdp('HeapProfiler.collectGarbage');
	my $heap = $browser->heap();
	cmp_ok($heap, '<=', $HEAP, sprintf 'heap: %.0f MB', $heap / 1e6);
}

sub moves
{
	my $exact = $browser->js('return page.meta.exact');
	my $frame = $browser->measure('page.dives', 60);
	my $drag = $browser->measure('page.drags', 30);

	cmp_ok($frame, '<=', $FRAME, "a frame of zooming: $frame ms");
	cmp_ok($drag, '<=', $exact ? $DRAG_ROWS : $DRAG,
	       "a frame of dragging: $drag ms");
}

# parts of the page against a plain count of all of the trace
sub counts
{
	my ($events) = @_;
	my $meta = $browser->js('return page.meta');
	my @seen = @{$browser->async('page.seen(arguments[0])', [map {
		[map { $_ * $meta->{duration} } @$_] } @PARTS])};
	my @counted = counted_ranges(made($events) . " | $BIN/btexport "
		. '--no-progress -', map { [@{$_}{qw(from to)}] } @seen);

	for my $i (0 .. $#seen) {
		my $device = $meta->{devices}[0]{number};
		my $c = count_of($counted[$i], map { "$device $_" } qw(R W D O));
		my $all = $seen[$i]{all};
		is("$all->{n} $all->{bytes} $all->{q2c}{max} "
		   . $all->{d2c}{max}, "$c->{n} $c->{bytes} $c->{q2c}{max} "
		   . $c->{d2c}{max}, "n, bytes and most of $c->{n} I/Os");
		my @far = grep { abs(log($all->{q2c}{p}[$_]
			/ $c->{q2c}{p}[$_])) > log(2) / 8 } 0 .. 3;
		is("@far", '', '... and percentiles, but for a bucket');
	}
}

$browser->cdp('Performance.enable', { timeDomain => 'threadTicks' });
for my $scale (@SCALES) {
	my ($ios, $events, @sizes) = @$scale;

	for my $size (@sizes) {
		subtest "$ios I/Os, --size=$size" => sub {
			opens(page_of($events, $size));
			moves();
			counts($events) if $scale == $SCALES[-1] &&
				$size eq '4M';
		};
	}
}
$browser->browser_stop();
done_testing();
