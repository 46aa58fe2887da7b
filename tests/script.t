#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The script of btreport's page as source: every file is joined once, is short,
# is a script by itself, and all of them joined are one without a name twice;
# nothing in it parses HTML, fetches, or makes code of text.  As pages carry it,
# without comments and indentation, it is a script, too, and small when packed.
#
#	prove tests/script.t	(or make page)
use strict;
use warnings;
use File::Temp 'tempfile';
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Suite::Figures qw(figure_cases figure_text);
use Suite::Files 'slurp';
use Test::More;

my $PAGE = "$FindBin::Bin/../report/page";
my $LINES = 300;
my $COLUMNS = 80;
# bytes that a page may spend on its script: of the 150 KiB beside its data 66,
# and 72 if it is of two runs
my ($CARRIED, $OF_PAIR) = map { $_ * 2 ** 10 } 66, 72;
# what could run or parse the texts of a trace, or send anything elsewhere
my $NEVER = qr/\b(?:innerHTML|outerHTML|insertAdjacentHTML|eval|Function|
		  fetch|XMLHttpRequest|WebSocket|import|document\.write)\b
	       \s*[(=]|https?:/x;

my @lines = grep { /^[^#]/ } split /\n/, slurp("$PAGE/order");
my @order = map { s/ pair\z//r } @lines;
my @single = grep { !/ pair\z/ } @lines;
my @files = map { m{([^/]+)\z} } glob "$PAGE/*.js";

# the longest line of a text, tabs being 8 wide
sub widest
{
	my ($text) = @_;
	my $most = 0;

	for my $line (split /\n/, $text) {
		1 while $line =~ s/\t/' ' x (8 - $-[0] % 8)/e;
		$most = length $line if length $line > $most;
	}
	return $most;
}

# files as pages carry them
sub carried
{
	my @paths = map { "$PAGE/$_" } @_;
	my @lean = "@paths" =~ /css\z/ ? ('sed', '-f', "$PAGE/../lean.sed") :
		"$PAGE/../lean.sh";

	open my $lean, '-|', @lean, @paths or die "@lean: $!\n";
	local $/;
	my $text = <$lean>;
	utf8::decode($text);
	return $text;
}

# how long they are when packed as for a page
sub packed
{
	my $paths = join ' ', map { "\Q$PAGE/$_\E" } @_;
	return length `\Q$PAGE\E/../lean.sh $paths | gzip -9n | base64 -w0`;
}

# what node says of a script, nothing if it is one
sub node_says
{
	my ($path) = @_;
	my $said = `node --check \Q$path\E 2>&1`;
	return $? ? $said : '';
}

is_deeply([sort @order], [sort @files], 'order names every file once');
for my $name (@files) {
	my $text = slurp("$PAGE/$name");
	utf8::decode($text);
	my $lines = () = $text =~ /\n/g;

	cmp_ok($lines, '<=', $LINES, "$name is short");
	cmp_ok(widest($text), '<=', $COLUMNS, "$name is narrow");
	my $code = $text =~ s{^\s*//.*}{}gmr;
	unlike($code, $NEVER, "$name makes nothing of text but text");
	is(scalar(grep { tr/`// % 2 } split /\n/, $text), 0,
	   "$name has no text of several lines");
}

# makes one script of a text with all of them
sub wrapped
{
	my ($text) = @_;
	my ($out, $path) = tempfile(SUFFIX => '.js', UNLINK => 1);

	binmode $out, ':utf8';
	print $out qq("use strict";\n{\n), $text, "}\n";
	close $out;
	return $path;
}

# the same numbers as unit report_figure has, as number.js shows them
sub numbers_of_script
{
	my ($out, $path) = tempfile(SUFFIX => '.js', UNLINK => 1);

	print $out slurp("$PAGE/number.js"), 'const of = {
		COUNT: numberWhole, DECIMAL: numberShort, TIME: numberTime,
		SIZE: numberBytes, SHARE: (v) => numberPercent(v, 1) };
		console.log(JSON.stringify(',
		encode_json([map { [@$_[0, 1]] } figure_cases()]),
		'.map(([kind, v]) => of[kind](v))));';
	close $out;
	return decode_json(`node \Q$path\E`);
}

my ($lean, $style) = (carried(@order), carried('page.css'));
cmp_ok(packed(@single), '<=', $CARRIED,
       'the script is small, as pages carry it');
cmp_ok(packed(@order), '<=', $OF_PAIR, '... also of two runs');
unlike($lean, qr{^\s|^//|^/\*}m, '... without comments and indentation');
unlike($style, qr{^\s|/\*}m, '... nor has the style any');
is(scalar(() = $style =~ /\{/g), scalar(() = slurp("$PAGE/page.css") =~ /\{/g),
   '... which keeps its rules');

SKIP: {
	skip 'no node', 3 + @files unless (`node --version 2>&1` // '') =~ /^v\d/;
	is(node_says("$PAGE/$_"), '', "$_ is a script") for @files;
	my $joined = join '', map { slurp("$PAGE/$_") } @order;
	utf8::decode($joined);
	is(node_says(wrapped($joined)), '', 'all of them are one script');
	is(node_says(wrapped($lean)), '', '... also as pages carry them');
	is_deeply(numbers_of_script(), [map { $_->[2] } figure_cases()],
		  'numbers are shown as the program shows them');
}
is_deeply([map { figure_text(@$_[0, 1]) } figure_cases()],
	  [map { $_->[2] } figure_cases()], '... and as other tests do');
done_testing();
