#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The manual pages: what all of them have in common, that what they refer to
# exists, and that they are installed and packaged.  Options in them are
# tests/options.t's.
#
#	prove tests/pages.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Suite::Files 'slurp';
use Test::More;

my $TOP = "$FindBin::Bin/..";
my @PAGES = map { s{.*/}{}r } sort glob "$TOP/doc/*.[1-8]";
my %TEXT = map { $_ => slurp("$TOP/doc/$_") } @PAGES;

# most lines of blktrace(8) on a terminal of 80 columns
my $LONGEST = 350;

# --- examples ----------------------------------------------------------------

# A page starts with its name, its synopsis if it has one, and examples.
sub test_examples
{
	for my $page (@PAGES) {
		my @sections = $TEXT{$page} =~ /^(\.SH .*\n(?:(?!\.SH ).*\n)*)/mg;

		shift @sections while @sections &&
			$sections[0] =~ /\A\.SH (?:NAME|SYNOPSIS)\n/;
		like($sections[0] // '', qr/\A\.SH EXAMPLES\n.*^\.EX\n.+^\.EE\n/ms,
		     "$page starts with an example");
	}
}

# --- references --------------------------------------------------------------

# "blkt_open.3", of each name that a page has in its line NAME
sub names_of
{
	my ($page) = @_;
	my ($section) = $page =~ /(\d)\z/;
	my ($names) = $TEXT{$page} =~ /^\.SH NAME\n(.*?) \\- ./m;
	return map { s/\\-/-/gr . ".$section" } split /, /, $names // '';
}

# other pages that a page refers to, "btstat.1", of names that are like ours
sub references_of
{
	my ($page) = @_;
	my @found = $TEXT{$page} =~ /^\.BR "?([\w\\-]+)"? \((\d)\)/mg;
	my @references;

	while (my ($name, $section) = splice @found, 0, 2) {
		$name =~ s/\\-/-/g;
		push @references, "$name.$section" if $name =~
			/\A(?:blk(?!id\b)|bt(?!rfs)|bno_|io(?:tracer|watcher)|libblk|verify_)/;
	}
	return @references;
}

# sections of the same page that it refers to: see, and capitals
sub sections_of
{
	my ($page) = @_;
	return $TEXT{$page} =~ /\b[Ss]ee\n\.BR? "?([A-Z][A-Z ]{3,}[A-Z])\b(?!_)/mg;
}

sub test_references
{
	my %known = map { $_ => 1 } map { names_of($_) } @PAGES;

	for my $page (@PAGES) {
		my @gone = grep { !$known{$_} } references_of($page);
		my %sections = map { $_ => 1 } $TEXT{$page} =~
			/^\.S[HS] "?([^"\n]*)/mg;
		push @gone, grep { !$sections{$_} } sections_of($page);
		is("@gone", '', "$page: what it refers to exists");
	}
}

# blktrace(7) presents the suite
sub test_overview
{
	my ($names, $scripts) = map {
		slurp("$TOP/Makefile") =~ /^$_ = ((?:.*\\\n)*.*)/m
	} 'NAMES', 'SCRIPTS';
	my $overview = $TEXT{'blktrace.7'} =~ s/\\f.//gr =~ s/^\.BR? //gmr =~
		s/ \(/(/gr;

	for my $program (grep { /\w/ } split ' ', "$names $scripts") {
		my ($section) = map { /(\d)\z/ } glob "$TOP/doc/$program.[18]";
		like($overview, qr/\b\Q$program($section)\E/,
		     "blktrace(7) has $program");
	}
}

# --- on a terminal -----------------------------------------------------------

sub test_terminal
{
	SKIP: {
		skip 'no mandoc', 2 if system('command -v mandoc >/dev/null');
		is(`cd '$TOP' && mandoc -Tlint -Wwarning doc/*.[1-8] 2>&1`, '',
		   'mandoc has nothing to say');
		my @lines = `mandoc -Tutf8 -Owidth=78 '$TOP/doc/blktrace.8'`;
		ok(@lines > 100 && @lines <= $LONGEST,
		   "blktrace.8 has at most $LONGEST lines") or
			diag(scalar(@lines));
	}
}

# --- words ---------------------------------------------------------------------

# doc/glossary.md: at most 40 words, in order, each with one sentence
sub test_glossary
{
	my @rows = map { [/^\| (.*?) \| (.*?) \|/] } grep { !/^\| word \|/ }
		slurp("$TOP/doc/glossary.md") =~ /^(\| .*)$/mg;
	my @words = map { lc $_->[0] } @rows;

	ok(@words > 20 && @words <= 40, 'doc/glossary.md has at most 40 words') or
		diag(scalar(@words));
	is("@words", join(' ', sort @words), '... in order');
	my @long = grep { $_->[1] !~ /\A\w[^.]*\.\z/ } @rows;
	is(join("\n", map { $_->[1] } @long), '', '... each in one sentence');
}

# --- where they go -----------------------------------------------------------

# make's list of pages of a section, and the directories of Debian's packages
sub test_places
{
	my $makefiles = join '', map { slurp("$TOP/$_") } 'Makefile',
		'lib/Makefile';
	my $packages = join '', map { slurp($_) } glob "$TOP/debian/*.install";

	for my $section (sort { $a <=> $b }
			 keys %{{ map { /(\d)\z/ => 1 } @PAGES }}) {
		like($makefiles, qr{^PAGES_$section = .*doc/\*\.$section\)}m,
		     "make installs all pages of section $section");
		my $command = "\$(INSTALL) -m 644 \$(PAGES_$section) " .
			"\$(DESTDIR)\$(mandir)/man$section\n";
		ok(index($makefiles, $command) >= 0, '... into its directory');
		like($packages, qr{^usr/share/man/man$section$}m,
		     '... and a package has that');
	}
}

# What pages call "schema.md" or "doc/examples/NAME" is in a package.
sub test_documents
{
	my @packaged = map { split ' ', slurp($_) } "$TOP/debian/docs",
		glob "$TOP/debian/*.examples";
	my %has = map { s{.*/}{}r => 1 } @packaged;
	my %named = map { s/\\-/-/gr => 1 } map {
		/\b(?:doc\/)?([a-z]+\.md)\b/g,
		/\b((?:blktrace|grafana)[\w\\-]+\.(?:json|service))\b/g,
		/^\.I (\w+\.(?:c|py))$/mg
	} values %TEXT;

	is(join(' ', grep { !-e "$TOP/$_" } @packaged), '',
		'documents in packages exist');
	cmp_ok(scalar keys %named, '>=', 5, 'pages name documents');
	is(join(' ', grep { !$has{$_} } sort keys %named), '',
		'... which are in a package');
}

test_examples();
test_references();
test_overview();
test_terminal();
test_glossary();
test_places();
test_documents();
done_testing();
