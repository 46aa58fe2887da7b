#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The script of btreport's page as source: every file is joined once, is short,
# is a script by itself, and all of them joined are one without a name twice;
# nothing in it parses HTML, fetches, or makes code of text.
#
#	prove tests/script.t	(or make page)
use strict;
use warnings;
use File::Temp 'tempfile';
use FindBin;
use lib "$FindBin::Bin/lib";
use Suite::Files 'slurp';
use Test::More;

my $PAGE = "$FindBin::Bin/../emit/report/page";
my $LINES = 300;
my $COLUMNS = 80;
# what could run or parse the texts of a trace, or send anything elsewhere
my $NEVER = qr/\b(?:innerHTML|outerHTML|insertAdjacentHTML|eval|Function|
		  fetch|XMLHttpRequest|WebSocket|import|document\.write)\b
	       \s*[(=]|https?:/x;

my @order = grep { /^[^#]/ } split /\n/, slurp("$PAGE/order");
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
}

SKIP: {
	skip 'no node', 1 + @files unless `node --version 2>&1` =~ /^v\d/;
	is(node_says("$PAGE/$_"), '', "$_ is a script") for @files;
	my ($joined, $path) = tempfile(SUFFIX => '.js', UNLINK => 1);
	print $joined qq("use strict";\n{\n),
		(map { slurp("$PAGE/$_") } @order), "}\n";
	close $joined;
	is(node_says($path), '', 'all of them are one script');
}
done_testing();
