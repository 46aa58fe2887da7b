#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btreport's pages of two runs in a real browser: both sides are drawn on the
# same axes, what is selected or left out is so on both, and the tables say it.
#
#	BIN=DIR prove tests/pair.t
#
# Skipped without chromium and chromedriver; with PAGES_MUST=1 that is a
# failure.  Numbers are tests/btreport.t's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Browser qw(browser_found browser_start);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

unless (browser_found()) {
	die "no chromium and chromedriver\n" if $ENV{PAGES_MUST};
	plan skip_all => 'no chromium and chromedriver';
}

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('pair.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $ASKED = slurp("$FindBin::Bin/pair/asked.js") .
	slurp("$FindBin::Bin/page/5-looks.js");
# a name that would end a script, as long as names are
my $HOSTILE = "</script><img\0\0\0";

# pages by name: A, B, options
my %PAGES = (
	'two devices' => ['virtio-kyber-seqmerge', 'virtio-bfq-mixed', ''],
	'stacks' => ['md-raid1-3dev', 'dm-linear-3dev', ''],
	'bins and rows' => ['overflow-b4n2', 'smp4-merges-kworker',
			    '--size=64K'],
	'a mask' => ['mask-issue-complete', 'readahead-seq', ''],
	'damage' => ['derived-truncated', 'derived-skips', ''],
	'one is empty' => ['readahead-seq', 'virtio-bfq-mixed',
			   '-w 0.1:0.12'],
	'both are empty' => ['readahead-seq', 'virtio-bfq-mixed',
			     '-w 1000:1001'],
	'hostile names' => ['hostile', 'md-raid1-3dev',
			    q(-t '</title><script>x()</script>')],
);

my %done;

sub unpacked
{
	my ($set) = @_;
	my $hostile = $set eq 'hostile';

	return if $done{$set}++;
	mkdir "$TOP/$set" or die "$TOP/$set: $!\n";
	unpack_set("$FindBin::Bin/data/" . ($hostile ? 'md-raid1-3dev' : $set),
		   "$TOP/$set");
	return unless $hostile;
	spew($_, slurp($_) =~ s/fio\0{13}/$HOSTILE/gr) for glob "$TOP/$set/*";
}

my $browser = browser_start();

# the page of a row of PAGES, drawn
sub opened
{
	my ($name) = @_;
	my ($a, $b, $options) = @{$PAGES{$name}};

	unpacked($_) for $a, $b;
	my $got = run_command("btreport --compare $a $b $options -o page.html",
			      $TOP, $PROGRAMS);
	cmp_ok($got->{rc}, '<=', 1, "btreport --compare $a $b $options");
	$browser->resize(1440, 900);
	$browser->requests();
	ok($browser->open_page("$TOP/page.html"), 'is drawn in time');
	$browser->js($ASKED);
}

sub none
{
	my ($what, $why) = @_;
	my $of = $what =~ /\./ ? $what : "pair.$what";
	is_deeply($browser->js("return $of()"), [], $why);
}

# the page as it is first
sub looks
{
	for my $width (1440, 1024, 390) {
		$browser->resize($width, 900);
		$browser->open_page("$TOP/page.html");
		$browser->js($ASKED);
		my $wide = $browser->wait_for('pair.widths()');
		cmp_ok($wide->[0], '<=', $wide->[1],
		       "nothing sticks out at $width");
		none('first', '... and the difference is on the first screen');
		none('page.hinted', '... and what dragging does');
	}
	$browser->resize(1440, 900);
	$browser->open_page("$TOP/page.html");
	$browser->js($ASKED);
	is_deeply($browser->js('return pair.ns()'),
		  $browser->js('return pair.whole()'),
		  'both sides count all of their I/Os');
	none('axes', 'graphs of both have the same axes');
	none('tables', 'tables have both');
	none('empty', 'no cell of the verdicts is empty');
	none('undecided', '... and no verdict says what would decide');
	none('scale', 'colours of the difference are for any eyes');
	none('page.texts', 'texts can be read');
	none('page.unnamed', '... graphs, buttons and tables have names');
	none('page.reached', '... and graphs roles and keys');
}

# drags over the latency graph of B
sub drags
{
	my ($left, $top, $px) = @{$browser->js(
		'return pair.plot("g-latency-b")')};

	$browser->mouse(1, [$left + $px * 0.1, $top + 50],
			[$left + $px * 0.2, $top + 60],
			[$left + $px * 0.4, $top + 50]);
	ok($browser->wait_for('btreport.view().selection && ' .
			      'btreport.settled()'), 'dragging on B selects');
	is($browser->js('return pair.crossed()'),
	   $browser->js('return pair.cards()'), 'the cursor is in all graphs');
	none('selected', 'each side counts what is selected of it');
	none('tables', 'and tables show it');
}

sub works
{
	drags();
	$browser->keys('z');
	ok($browser->wait_for('!btreport.view().selection && ' .
			      'btreport.view().t0 > 0 && btreport.settled()'),
	   'Z zooms both');
	select undef, undef, undef, 0.4;
	none('axes', 'the axes are still the same');
	none('counts', 'the difference is of all in view');
	my $before = $browser->js('return pair.state()');
	my $address = $browser->js('return location.hash');
	$browser->open_page("$TOP/page.html", $address);
	$browser->js($ASKED);
	is($browser->js('return pair.state()'), $before,
	   'the address brings it back');
	$browser->keys('0');
	none('chips', 'a chip switches both sides');
	none('alone', 'a device of one side leaves the other empty');
}

sub quiet
{
	is_deeply([$browser->complaints()], [], 'nothing in the console');
	is_deeply([$browser->requests()], [], 'no request leaves the page');
	ok($browser->js('return document.body.innerText') !~
	   /NaN|undefined|Infinity/, 'no NaN is shown');
}

# what stands there without any script
sub stands
{
	my ($static) = slurp("$TOP/page.html") =~
		m{<main>(.*)<script type="application}s;

	like($static, qr/id="verdicts"/, 'verdicts are in the file');
	like($static, qr/data-tile="$_"/, "... and tile $_")
		for qw(duration ios p99 coverage);
	like($static, qr/id="t-$_"/, "... and table $_")
		for qw(operations processes devices slowest-a slowest-b);
	unlike($static, qr/NaN|undefined|>null<|Infinity|\binf\b|\bnan\b/i,
	       '... and no NaN');
}

for my $name (sort keys %PAGES) {
	subtest $name => sub {
		opened($name);
		looks();
		my $some = $browser->js('return pair.whole()');
		if ($some->[0] && $some->[1]) {
			none('blank', 'no graph is blank');
			none('counts', 'the difference counts all');
			none('coloured', '... in the colour of the side');
		}
		works() if $some->[0] && $some->[1];
		quiet();
		stands();
	};
}
$browser->browser_stop();
done_testing();
