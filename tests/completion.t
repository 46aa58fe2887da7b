#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What --completion prints, read by the shells themselves: bash, zsh and fish,
# for three programs each.  A shell that is not installed is passed over.
#
#	BIN=DIR prove tests/completion.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));

# What is typed, up to where the tab key is pressed, and the words that have to
# be offered and those that must not be.  The directory has a trace sda of two
# CPUs, a replay file, a text file and a directory sub.
my @TYPED = (
	['blkparse --ver', '--verbose --version', '--help'],
	['blkparse --act-mask=ISS', 'ISSUE', 'READ sda'],
	['blkparse -a RE', 'READ REQUEUE', 'ISSUE'],
	['blkparse -D ', 'sub', 'text'],
	['blkparse ', 'sda text sub', '--help'],
	['blktrace --com', '--compress --completion', '--check'],
	['blktrace --via=', 'relay ftrace bpf', 'sda'],
	['blktrace -D ', 'sub', 'text'],
	['iotracer --re', '', '--ring'],
	['iotracer ti', 'timereset', 'list'],
	['iotracer -p ', 'auto iter syscall', 'text'],
);

# Each shell: how it completes a line.  The answer is all that it printed.
my %SHELLS = (
	bash => \&ask_bash,
	zsh => \&ask_zsh,
	fish => \&ask_fish,
);

my $DIR = tempdir('completion.XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub make_files
{
	spew("$DIR/$_", '') for 'sda.blktrace.0', 'sda.blktrace.1', 'text',
		'sdb.replay.0';
	mkdir "$DIR/sub" or die "mkdir: $!\n";
}

sub in_shell
{
	my ($command) = @_;
	my $got = run_command($command, $DIR, $PROGRAMS);

	diag($got->{err}) if $got->{err} ne '';
	return $got->{out};
}

sub quoted
{
	my ($text) = @_;
	return "'" . $text =~ s/'/'\\''/gr . "'";
}

# --- shells ------------------------------------------------------------------

# bash's own words of a line: "=" is one, and so is what follows a last blank
sub words_of
{
	my ($line) = @_;
	my @words = map { split /(=)/ } split ' ', $line;

	push @words, '' if $line =~ /[ ]\z/;
	return @words;
}

# bash has no way to ask for completions but its variables.
sub ask_bash
{
	my ($program, $line) = @_;
	my @words = words_of($line);
	my $script = "source <($program --completion=bash)\n" .
		'COMP_WORDS=(' . join(' ', map { quoted($_) } @words) . ")\n" .
		"COMP_CWORD=$#words\n" .
		"\$(complete -p $program | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n" .
		'printf "%s\n" "${COMPREPLY[@]}"';

	return in_shell('bash --norc -c ' . quoted($script));
}

sub ask_fish
{
	my ($program, $line) = @_;
	my $script = "$program --completion=fish | source\n" .
		'complete -C ' . quoted($line);

	return in_shell('fish --no-config -c ' . quoted($script));
}

# zsh completes in its line editor only, so one gets a terminal.  Its answer is
# what it draws up to the mark, which a key makes; a word that is alone is
# completed there.
my $ASK_ZSH = <<'END';
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; stty -echo columns 200; unsetopt zle_bracketed_paste"
zpty -w z "autoload -U compinit; compinit -D -u; bindkey -e; LISTMAX=10000"
zpty -w z "unsetopt list_ambiguous beep"
zpty -w z "mark() { BUFFER=; zle -I; print MARK-; }"
zpty -w z "zle -N mark; bindkey '^T' mark; source <($1 --completion=zsh)"
zpty -w z "print BEGIN''NING"
zpty -r -m z out '*BEGINNING*'
for line in "${@[2,-1]}"; do
	zpty -w -n z "$line"$'\t\x14'
	zpty -r -m z out '*MARK-*'
	print -rn -- "$out"$'\x01'
done
zpty -d z
END

# To begin takes it a second: all lines of a program are typed in one go.
my %drawn;
sub ask_zsh
{
	my ($program, $line) = @_;
	my @lines = grep { /^$program / } map { $_->[0] } @TYPED;

	@drawn{@lines} = split /\x01/, in_shell(join ' ', 'zsh -f -c',
		map { quoted($_) } $ASK_ZSH, 'zsh', $program, @lines)
		unless exists $drawn{$line};
	return $drawn{$line} =~ s/\e\[[0-9;?]*[A-Za-z]/ /gr =~ s/\r/\n/gr;
}

# -----------------------------------------------------------------------------

# whether the answer has the word, be it with "=" or a slash behind it
sub offers
{
	my ($answer, $word) = @_;
	return $answer =~ m{(?<![\w-])\Q$word\E(?=[\s=/]|\z)};
}

sub test_line
{
	my ($shell, $line, $wanted, $unwanted) = @_;
	my ($program) = $line =~ /^(\w+)/;
	my $answer = $SHELLS{$shell}->($program, $line);
	my @missing = grep { !offers($answer, $_) } split ' ', $wanted;
	my @strange = grep { offers($answer, $_) } split ' ', $unwanted;

	is("@missing", '', "$shell: $line: offers $wanted") or diag($answer);
	is("@strange", '', "$shell: $line: offers no $unwanted")
		or diag($answer);
}

make_files();
for my $shell (sort keys %SHELLS) {
	SKIP: {
		skip "$shell is not installed", 2 * @TYPED
			if system("command -v $shell >/dev/null 2>&1");
		test_line($shell, @$_) for @TYPED;
	}
}
done_testing();
