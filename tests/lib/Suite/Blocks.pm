# SPDX-License-Identifier: GPL-2.0-only
# Blocks of commands in a document, each with the output shown below it.
#
# A block is lines that begin with a tab.  In it "$ " is a command of anyone, "# "
# one of root, ">>> " one of python3, and what follows up to the next command is
# all that it prints.  A command continues after a line that ends in "|", "\" or
# the shell's "do".  A command without output prints what depends on the machine.
package Suite::Blocks;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(blocks_of with_outputs masked);

# What differs from run to run: seconds that something took, the time of an event,
# a process id after a slash.
sub masked
{
	my ($text) = @_;
	return $text =~ s/\bin \d+\.\d+ s\b/in TIME s/gr
		=~ s/\b\d+\.\d{9}\b/TIME/gr
		=~ s{(?<=[a-z]/)\d+\b}{PID}gr;
}

sub is_command
{
	my ($line) = @_;
	return $line =~ /^([\$#]|>>>) /;
}

# lines of a block as { who, command, shown }, in order
sub commands_of
{
	my (@found, $open);
	for (@_) {
		if (!$open && is_command($_)) {
			my ($who, $command) = split / /, $_, 2;
			push @found, { who => $who, command => $command,
				       shown => [] };
		} elsif ($open) {
			$found[-1]{command} .= "\n$_";
		} elsif (@found) {
			push @{$found[-1]{shown}}, $_;
		}
		$open = ($open || is_command($_)) && /(?:\||\\|\bdo)$/;
	}
	return @found;
}

# The blocks of a text that begin with a command: lists of { who, command, shown }.
sub blocks_of
{
	my ($text) = @_;
	my @blocks;
	for my $block ($text =~ /(^\t.*\n(?:^\t.*\n|^\n(?=\t))*)/mg) {
		my @lines = map { s/^\t//r } split /\n/, $block;
		push @blocks, [commands_of(@lines)] if is_command($lines[0]);
	}
	return @blocks;
}

# The text with other output below its commands: that of NEW, by command; commands
# not in NEW keep theirs.
sub with_outputs
{
	my ($text, $new) = @_;
	for my $command (sort keys %$new) {
		my $shown = join '', map { "\t$_\n" =~ s/^\t$//r }
			split /\n/, $new->{$command};
		my $lines = $command =~ s/\n/\n\t/gr;
		$text =~ s/^(\t(?:[\$#]|>>>)[ ]\Q$lines\E\n)
			  (?:(?!\t(?:[\$#]|>>>)[ ])\t.*\n|\n(?=\t))*
			 /$1$shown/mx or die "no $command\n";
	}
	return $text;
}

1;
