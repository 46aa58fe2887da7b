#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btreport's pages in a real browser: what they show, how they are worked with,
# how they look at three sizes, in both themes and on paper.
#
#	PAGES=dir prove tests/page.t
#
# Every dir/*.html is looked at.  Names say what is more to be seen:
# NAME-binned.html against NAME.html.  Without PAGES, pages are made by
# $BIN/btreport of traces in tests/data.  Skipped without chromium and
# chromedriver, or without pages; with PAGES_MUST=1 that is a failure.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use Suite::Browser qw(browser_found browser_start);
use Suite::Files 'slurp';
use Suite::Page qw(pages_found page_js);

# section 9 of the report's bounds: ms of the script a frame, ms of statistics
my ($FRAME, $DRAG) = (12, 60);
# bytes of a file: the usual budget, and what all pages have
my $BUDGET = 4 * 2 ** 20 + 150 * 2 ** 10;

# nothing to look with, or at
sub leave
{
	my ($why) = @_;

	die "$why\n" if $ENV{PAGES_MUST};
	plan skip_all => $why;
}

leave('no chromium and chromedriver') unless browser_found();
my @pages = pages_found();
leave('no pages: PAGES=dir, or BIN with btreport') unless @pages;

my $browser = browser_start();

# is there anything to be seen on it
sub filled
{
	return $browser->js('return btreport.meta.tables.all.n') > 0;
}

sub opens
{
	my ($path) = @_;

	$browser->resize(1440, 900);
	$browser->requests();
	ok($browser->open_page($path), 'is drawn in time');
	$browser->js(page_js());
	for my $width (1440, 1024, 390) {
		$browser->resize($width, 900);
		my $wide = $browser->wait_for('page.widths()');
		cmp_ok($wide->[0], '<=', $wide->[1],
		       "nothing sticks out at $width");
		is_deeply($browser->wait_for('page.hinted()'), [],
			  '... and what dragging does can be read');
	}
	is_deeply($browser->js('return page.small()'), [],
		  'and all buttons can be touched');
	$browser->resize(1440, 900);
}

# the numbers of the file's tables are those of its rows or bins
sub numbers
{
	is_deeply($browser->js('return page.tables()'), [],
		  'tables are sums of what is stored');
	is_deeply($browser->js('return page.phases()'), [],
		  'phases add up');
	is_deeply($browser->js('return page.depth()'), [],
		  'the mean queue depth is that of meta');
	is_deeply($browser->js('return page.shown()'), [],
		  'tables show what meta says');
}

sub drawn
{
	is_deeply($browser->js('return page.blank()'), [],
		  'no graph is blank');
	is_deeply($browser->js('return page.cells()'), [],
		  'cells are filled where I/Os are, and only there');
	is_deeply($browser->js('return page.bands()'), [],
		  'findings have their bands on all graphs');
	is_deeply($browser->js('return page.solid()'), [],
		  'lanes of events are no solid bars');
}

# drags over the latency graph, from one part of its width to another
sub drag
{
	my ($from, $to) = @_;
	my $box = $browser->js('return page.plot("latency")');
	my ($left, $top, $px) = @$box;

	$browser->mouse(1, [$left + $px * $from, $top + 100],
			[$left + $px * ($from + $to) / 2, $top + 110],
			[$left + $px * $to, $top + 100]);
	$browser->wait_for('btreport.settled()');
}

sub selects
{
	drag(0.2, 0.7);
	ok($browser->js('return btreport.view().selection !== null'),
	   'dragging selects');
	is_deeply($browser->js('return page.selected()'), [],
		  'the selection shows its own count and percentiles');
	$browser->keys('z');
	ok($browser->wait_for('page.zoomed()'), 'Z zooms to it');
}

# what the address said comes back with it
sub addresses
{
	my ($path) = @_;
	my $before = $browser->wait_for('page.state()');

	select undef, undef, undef, 0.3;
	my $address = $browser->js('return location.hash');
	like($address, qr/^#t=[\d.]+-[\d.]+/, 'the address says where');
	$browser->open_page($path, $address);
	$browser->js(page_js());
	is_deeply($browser->js('return page.state()'), $before,
		  'and brings it back');
}

sub works
{
	my ($path) = @_;

	selects();
	addresses($path);
	$browser->keys("\x{e00c}");
	ok($browser->wait_for('page.whole()'), 'Esc leads back');
	drag(0.3, 0.5);
	$browser->keys('0');
	ok($browser->wait_for('page.everything()'), '0 shows all');
	$browser->keys("\x{e00c}");
	is_deeply($browser->js('return page.chips()'), [],
		  'chips switch operations');
	is_deeply($browser->js('return page.menus()'), [],
		  'menus switch what they name');
	is_deeply($browser->js('return page.switches()'), [],
		  'switches of graphs change the address');
	is_deeply($browser->js('return page.values()'), [],
		  'value axes zoom, and fit again');
	is_deeply($browser->js('return page.hovers()'), [],
		  'every graph says what is under the pointer');
	$browser->wait_for('btreport.settled()');
	is_deeply($browser->js('return page.slowest()'), [],
		  'the slowest requests can be sorted and shown');
	is_deeply($browser->js('return page.why()'), [],
		  '... and say why they took so long');
	is_deeply($browser->js('return page.shows()'), [],
		  'a finding shows its time');
	is_deeply($browser->async('page.leads()'), [],
		  'a row leads to the graph, and the list stays');
	is_deeply($browser->js('return page.names()'), [],
		  'percentile lines and marks have names');
	is_deeply($browser->async('page.links()'), [],
		  'a link has no path');
	fingers();
}

# where on the screen a place of the latency graph is, by parts of its width
sub touched
{
	my ($top, @parts) = @_;
	my $box = $browser->js('return page.plot("latency")');

	return [map { [$box->[0] + $box->[2] * $_, $box->[1] + $top] } @parts];
}

sub close_to
{
	my ($name, @wanted) = @_;
	my $got = $browser->js('return page.part()');
	my @far = grep { abs($got->[$_] - $wanted[$_]) > 0.03 } 0, 1;

	is(scalar @far, 0, "$name: @$got");
}

# fingers: one moves the window, two zoom it around what is between them
sub fingers
{
	$browser->wait_for('btreport.settled()');
	$browser->js('page.halve()');
	$browser->touch(touched(90, 0.6), touched(90, 0.55), touched(90, 0.5),
			touched(90, 0.4));
	close_to('one finger moves', 0.2, 1.2);
	$browser->js('page.halve()');
	$browser->touch(touched(90, 0.4, 0.6), touched(90, 0.35, 0.65),
			touched(90, 0.3, 0.7));
	close_to('two fingers zoom', 0.25, 0.75);
	$browser->js('page.halve()');
	$browser->touch(touched(90, 0.3, 0.7), touched(90, 0.4, 0.6));
	close_to('and back', -0.5, 1.5);
	$browser->keys('0');
	$browser->wait_for('page.everything()');
}

# keys of the page as a whole
sub turns
{
	my $before = $browser->js('return document.documentElement' .
				  '.dataset.theme');

	$browser->keys('t');
	isnt($browser->js('return document.documentElement.dataset.theme'),
	     $before, 'T turns the theme');
	ok($browser->wait_for('/theme=/.test(location.hash)'),
	   'and the address says so');
	$browser->keys('?');
	ok($browser->wait_for('document.querySelector("dialog[open]")'),
	   '? opens help');
	$browser->keys("\x{e00c}");
	ok($browser->wait_for('!document.querySelector("dialog[open]")'),
	   'Esc closes it');
}

# G leads from each graph to the next
sub steps
{
	my @ids = @{ $browser->js('return page.ids()') };
	my @seen;

	is_deeply($browser->js('return page.reached()'), [],
		  'graphs have roles, names and keys');
	$browser->js('page.first()');
	for (@ids) {
		$browser->keys('g');
		push @seen, $browser->js('return page.active()');
	}
	is("@seen", "@ids", '... and G leads from one to the next');
}

# Tab reaches all that can be worked with, in the order of the page
sub walks
{
	my $most = 2 * $browser->js('return page.reachable()') + 10;

	$browser->js('page.first()');
	for (1 .. $most) {
		last unless $browser->js('return page.left()');
		$browser->keys("\x{e004}");
	}
	is_deeply($browser->js('return page.missed()'), [],
		  'Tab reaches every control');
	$browser->js('page.focus("latency")');
	$browser->keys(("\x{e014}") x 3);
	ok($browser->wait_for('page.spoken()'), 'arrows speak the values');
}

sub looks
{
	is_deeply($browser->js('return page.contrast()'), [],
		  'contrast: text 4.5, marks 3, in both themes');
	is_deeply($browser->js('return page.texts()'), [],
		  'also of each text on what is behind it');
	is_deeply($browser->js('return page.unnamed()'), [],
		  'graphs, buttons and tables have names');
	my $paper = $browser->printed();
	my $sheets = () = $paper =~ m{/Type\s*/Page\b}g;
	cmp_ok($sheets, '>=', 2, 'on paper: two pages or more');
	cmp_ok($sheets, '<=', 8, 'and eight at most');
}

# tiles and tables stand in the file, without any script
sub stands
{
	my ($path) = @_;

	cmp_ok(-s $path, '<=', $BUDGET, 'the file is not too large');
	my ($static) = slurp($path) =~ m{<main>(.*)<script}s;

	$static =~ s{<script.*?</script>}{}gs;
	like($static, qr/data-tile="$_"/, "tile $_ is in the file")
		for qw(duration ios data rate p50 p99 slowest depth coverage);
	like($static, qr/id="t-$_"/, "table $_ is in the file")
		for qw(operations processes devices slowest);
	ok($static !~ /NaN|undefined|>null<|Infinity/, 'and no NaN');
}

sub quiet
{
	is_deeply([$browser->complaints()], [], 'nothing in the console');
	is_deeply([$browser->requests()], [], 'no request leaves the page');
	ok($browser->js('return document.body.innerText') !~
	   /NaN|undefined|Infinity/, 'no NaN is shown');
	isnt($browser->js('return document.title'), 'HACKED',
	     'no text of the trace is run');
}

# thread time a frame, of the script alone: other work on the machine is not in
sub fast
{
	my $each = $browser->measure('page.zooms', 60);

	cmp_ok($each, '<', $FRAME, "a frame of zooming: $each ms");
	$each = $browser->measure('page.drags', 30);
	cmp_ok($each, '<', $DRAG, "a frame of dragging: $each ms");
}

# A disk that hangs: five wait at the end, the oldest for four seconds.
sub hangs
{
	my ($path) = @_;

	$browser->open_page($path);
	$browser->js(page_js());
	$browser->js('btreport.draw()');
	my $listed = $browser->js('return page.listed()');

	is_deeply($browser->js('return page.open()'), [],
		  'what is in flight is drawn up to the end');
	is($browser->js('return page.lastDepth()'), 5,
	   '... the depth stays at it');
	like($listed->[0], qr/^2\.700000write.*4\Ds/, '... it is listed');
	is($listed->[1], 5, '... all of it');
}

# one page, by its path
sub look_at
{
	my ($path) = @_;

	opens($path);
	numbers();
	if (filled()) {
		is_deeply($browser->js('return page.graphs()'), [],
			  'graphs add up to the whole trace');
		drawn();
		works($path);
		fast();
	}
	is_deeply($browser->async('page.copiesAll()'), [],
		  'findings are copied with a command');
	turns();
	steps();
	walks();
	looks();
	stands($path);
	quiet();
}

# the same trace as bins and as rows, over ranges that begin where bins do
sub compares
{
	my ($binned, $exact) = @_;

	$browser->open_page($binned);
	$browser->js(page_js());
	my $ranges = $browser->js('return page.ranges(60)');
	my $rough = $browser->js('return page.figures(arguments[0])', $ranges);
	my $name = $browser->js('return page.meta.processes[0].name');
	my $depth = $browser->js('return page.depthOf(arguments[0])', $name);

	$browser->open_page($exact);
	$browser->js(page_js());
	is_deeply($browser->js('return page.compare(arguments[0], ' .
			       'arguments[1])', $ranges, $rough), [],
		  'bins and rows agree over 60 ranges');
	return unless defined $depth;
	my $exactly = $browser->js('return page.depthOf(arguments[0])', $name);
	cmp_ok(abs($depth - $exactly), '<', 0.02 * $exactly + 1e-3,
	       "depth under a filter: $depth, exactly $exactly");
}

for my $path (@pages) {
	my ($name) = $path =~ m{([^/]+)\.html\z};

	subtest $name => sub { look_at($path) };
	subtest "$name stays" => sub { hangs($path) }
		if $name =~ /\Ahang\b/;
	next unless $name =~ /\A(.*)-binned\z/;
	my ($exact) = grep { m{/\Q$1\E\.html\z} } @pages;
	subtest "$name as $1" => sub { compares($path, $exact) } if $exact;
}
$browser->browser_stop();
done_testing();
