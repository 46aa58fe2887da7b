#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The dashboard in doc/examples: Grafana would load it, and what its panels ask
# for is what btexport prints.
#
#	BIN=DIR prove tests/grafana.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::Files qw(slurp unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $TOP = "$FindBin::Bin/..";
my $FILE = "$TOP/doc/examples/grafana-blktrace.json";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $DIR = tempdir('grafana.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $COLUMNS = 24;		# that a dashboard has

# labels that Prometheus gives to whatever it scrapes
my %ITS_OWN = map { $_ => 1 } qw(instance job);

# --- what Grafana's schema asks for -------------------------------------------

# a type: a word, [type of all elements], or { member => type }; a member whose
# name ends with ? may be missing
my $DATASOURCE = { type => 'text', uid => 'text' };
my $TARGET = { refId => 'text', expr => 'text', datasource => $DATASOURCE,
	       legendFormat => 'text', 'format?' => 'text' };
my $PANEL = { id => 'number', type => 'text', title => 'text',
	      description => 'text', datasource => $DATASOURCE,
	      gridPos => { map { $_ => 'number' } qw(x y w h) },
	      fieldConfig => { defaults => {}, overrides => ['any'] },
	      options => {}, targets => [$TARGET] };
my $VARIABLE = { name => 'text', type => 'text', 'label?' => 'text',
		 query => 'any', 'datasource?' => $DATASOURCE,
		 'refresh?' => 'number', 'multi?' => 'bool',
		 'includeAll?' => 'bool' };
my $DASHBOARD = { title => 'text', uid => 'text', schemaVersion => 'number',
		  version => 'number', editable => 'bool', tags => ['text'],
		  time => { from => 'text', to => 'text' },
		  refresh => 'text', timezone => 'text',
		  annotations => { list => ['any'] },
		  templating => { list => [$VARIABLE] },
		  panels => [$PANEL] };

my %IS = (
	any => sub { defined $_[0] },
	text => sub { !ref $_[0] && defined $_[0] && length $_[0] &&
		      JSON::PP->new->allow_nonref->encode($_[0]) =~ /^"/ },
	number => sub { !ref $_[0] && defined $_[0] &&
		JSON::PP->new->allow_nonref->encode($_[0]) =~ /^\d+\z/ },
	bool => sub { JSON::PP::is_bool($_[0]) },
);

# what is wrong with a value at a path
sub faults
{
	my ($value, $type, $path) = @_;

	return $IS{$type}->($value) ? () : "$path: no $type" unless ref $type;
	return "$path: another kind" unless ref $value eq ref $type;
	return map { faults($value->[$_], $type->[0], "$path\[$_]") }
		0 .. $#$value if ref $type eq 'ARRAY';
	my @found;
	for my $key (sort keys %$type) {
		my $name = $key =~ s/\?\z//r;
		next if $name ne $key && !exists $value->{$name};
		push @found, faults($value->{$name}, $type->{$key},
				    "$path.$name");
	}
	return @found;
}

# panels that lie over others, or beyond the edge
sub misplaced
{
	my (@panels) = @_;
	my (%taken, @found);

	for my $panel (@panels) {
		my ($x, $y, $w, $h) = @{$panel->{gridPos}}{qw(x y w h)};
		push @found, "$panel->{title}: width" if !$w || !$h ||
			$x + $w > $COLUMNS;
		for my $cell (map { my $row = $_;
				    map { "$_,$row" } $x .. $x + $w - 1 }
			      $y .. $y + $h - 1) {
			push @found, "$panel->{title}: $cell"
				if $taken{$cell}++;
		}
	}
	return @found;
}

sub repeated
{
	my %seen;
	return grep { $seen{$_}++ } @_;
}

sub test_schema
{
	my ($d) = @_;
	my @panels = @{$d->{panels}};

	is(join("\n", faults($d, $DASHBOARD, '')), '',
	   'it has what a dashboard must have');
	is(join(', ', repeated(map { $_->{id} } @panels)), '',
	   'each panel has its own id');
	is(join(', ', map { repeated(map { $_->{refId} } @{$_->{targets}}) }
		@panels), '', 'and its targets have theirs');
	is(join(', ', misplaced(@panels)), '', 'no panel is over another');
	my @sources = grep { $_ ne '${datasource}' } map { $_->{uid} }
		map { $_->{datasource}, map { $_->{datasource} }
		      @{$_->{targets}} } @panels;
	is("@sources", '', 'all of them ask the source that was chosen');
}

# --- what it asks for ----------------------------------------------------------

# metrics and labels that btexport prints: { metric => { label => 1 } }
sub printed
{
	my ($text) = @_;
	my %known;

	for (split /\n/, $text) {
		my ($name, $labels) = /^(\w+)(?:\{(.*)\})? / or next;
		$known{$name}{$_} = 1 for ($labels // '') =~ /(\w+)="/g;
		$known{$name} //= {};
	}
	return \%known;
}

# [metric, label...] of each metric in an expression, with what it is summed by
sub asked
{
	my ($expr) = @_;
	my @by = map { split /\s*,\s*/ } $expr =~ /\bby\s*\(([^)]*)\)/g,
		$expr =~ /\blabel_values\(.*,\s*(\w+)\)/;
	my @found;

	while ($expr =~ /\b(blktrace_\w+)(?:\{([^}]*)\})?/g) {
		my ($metric, $labels) = ($1, $2 // '');
		push @found, [$metric, @by, $labels =~ /(\w+)\s*[=!]/g];
	}
	return @found;
}

sub unknown
{
	my ($known, $expr) = @_;
	my @found;

	my @asked = asked($expr);
	return "nothing of ours: $expr" unless @asked;
	for my $ask (@asked) {
		my ($metric, @labels) = @$ask;
		push @found, $metric unless $known->{$metric};
		push @found, map { "$metric $_" } grep {
			!$known->{$metric}{$_} && !$ITS_OWN{$_} } @labels;
	}
	return @found;
}

# variables that are used and not there
sub unset
{
	my ($d, @texts) = @_;
	my %there = map { $_->{name} => 1 } @{$d->{templating}{list}};

	return grep { !/^__/ && !$there{$_} }
		map { /\$\{?(\w+)/g } @texts;
}

sub test_metrics
{
	my ($d) = @_;
	my $got = run_command('btexport --format=prometheus vda', $DIR,
			      $PROGRAMS);
	my $known = printed($got->{out});
	my @targets = map { @{$_->{targets}} } @{$d->{panels}};
	my @exprs = map { $_->{expr} } @targets;
	my @queries = map { $_->{definition} // () } @{$d->{templating}{list}};

	is($got->{rc}, 0, 'btexport prints counters');
	is(join("\n", map { unknown($known, $_) } @exprs, @queries), '',
	   'metrics and labels are those that it prints');
	my %asked = map { $_->[0] =~ s/_(?:bucket|sum|count)\z//r => 1 }
		map { asked($_) } @exprs;
	my %families = map { $_ => 1 } $got->{out} =~ /^# TYPE (\w+) /mg;
	is(join(' ', sort keys %asked), join(' ', sort keys %families),
	   'and all that it prints is shown');
	is(join(' ', unset($d, @exprs, @queries)), '',
	   'each variable is there');
	for my $target (@targets) {
		my %by = map { $_ => 1 } map { split /\s*,\s*/ }
			$target->{expr} =~ /\bby\s*\(([^)]*)\)/g;
		my @lost = grep { !$by{$_} }
			$target->{legendFormat} =~ /\{\{(\w+)\}\}/g;
		is("@lost", '', "legend of $target->{expr}");
	}
}

# --- the test itself --------------------------------------------------------------

# What it is there to find, it finds.
sub test_faults
{
	my ($d) = @_;
	my %no_title = (%$d, title => undef);
	my %text_id = (%$d, panels => [{ %{$d->{panels}[0]}, id => '1' }]);
	my $known = { blktrace_x => { disk => 1 } };

	is(join('', faults(\%no_title, $DASHBOARD, '')), '.title: no text',
	   'a dashboard without a title is found');
	is(join('', faults(\%text_id, $DASHBOARD, '')),
	   '.panels[0].id: no number', 'and an id that is a text');
	is(join(' ', unknown($known, 'sum by (op) (blktrace_x{host="a"})')),
	   'blktrace_x op blktrace_x host', 'and labels that are not printed');
	is(join(' ', unknown($known, 'blktrace_y')), 'blktrace_y',
	   'and metrics');
	is(scalar misplaced(@{$d->{panels}}[0, 0]) > 0, 1,
	   'and panels over others');
}

my $d = eval { JSON::PP->new->decode(slurp($FILE)) };
ok($d, 'it is JSON') or BAIL_OUT($@);
unpack_set("$TOP/tests/data/smp4-merges-kworker", $DIR);
test_schema($d);
test_metrics($d);
test_faults($d);
done_testing();
