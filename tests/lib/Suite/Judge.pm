# SPDX-License-Identifier: GPL-2.0-only
# Says in which ways a run was not what its case wants.
#
# A case here is a hash: cmd, out, rc, and where they matter err (undef: not
# looked at) and files (name => bytes; undef: what was written is not looked
# at).  No complaint is a pass.
package Suite::Judge;

use strict;
use warnings;
use Exporter 'import';
use File::Temp;
use Suite::Files qw(slurp spew);

our @EXPORT_OK = qw(judge difference);

my $DIFF_LINES = 20;

# what memory checkers write; a pipeline can hide their exit status
my $CHECKER = qr/^==\d+== |ERROR: \w+Sanitizer|: runtime error: /m;

# got is Suite::Run's result, found the files written (name => bytes)
sub judge
{
	my ($case, $got, $found) = @_;
	my @wrong;

	push @wrong, 'it did not end in time and was killed' if $got->{late};
	push @wrong, "exit status $got->{rc}, expected $case->{rc}"
		if $got->{rc} != $case->{rc};
	push @wrong, difference('standard output', $case->{out}, $got->{out});
	push @wrong, difference('standard error', $case->{err}, $got->{err})
		if defined $case->{err};
	push @wrong, 'a checker complained' if $got->{err} =~ $CHECKER;
	push @wrong, judge_files($case->{files}, $found)
		if defined $case->{files};
	return @wrong ? explained($case, $got, @wrong) : ();
}

# the command in front; what it said on standard error, unless shown, behind
sub explained
{
	my ($case, $got, @wrong) = @_;
	my @said = split /\n/, $got->{err};

	@said = () if grep { /^standard error differs/ } @wrong;
	splice @said, $DIFF_LINES if @said > $DIFF_LINES;
	return ("command: $case->{cmd}", @wrong,
		map { "  stderr: $_" } @said);
}

sub judge_files
{
	my ($want, $found) = @_;
	my @wrong;

	for my $name (sort keys %$want) {
		push @wrong, defined $found->{$name} ?
			difference($name, $want->{$name}, $found->{$name}) :
			"$name was not written";
	}
	push @wrong, map { "$_ was written, which the case does not expect" }
		grep { !defined $want->{$_} } sort keys %$found;
	return @wrong;
}

# empty when equal; else a headline and the first lines or byte that differ
sub difference
{
	my ($what, $want, $got) = @_;
	return () if $want eq $got;
	return binary_difference($what, $want, $got) if "$want$got" =~ /\0/;
	return ("$what differs:", text_difference($want, $got));
}

sub binary_difference
{
	my ($what, $want, $got) = @_;
	my $same = ($want ^ $got) =~ /^(\0*)/ ? length $1 : 0;
	return sprintf '%s differs from byte %d on (%d bytes, expected %d)',
		$what, $same, length $got, length $want;
}

sub text_difference
{
	my ($want, $got) = @_;
	my @sides = map { File::Temp->new } 1 .. 2;

	spew($sides[0]->filename, $want);
	spew($sides[1]->filename, $got);
	open my $in, '-|', 'diff', '-a', '-u', '--label', 'expected',
		'--label', 'ours', map { $_->filename } @sides
		or die "diff: $!\n";
	my @lines = <$in>;
	chomp @lines;
	die "diff gave nothing\n" unless @lines;
	return @lines if @lines <= $DIFF_LINES;
	my $more = @lines - $DIFF_LINES;
	return (@lines[0 .. $DIFF_LINES - 1], "... $more lines more");
}

1;
