# SPDX-License-Identifier: GPL-2.0-only
# Terminals of our own, to see what programs make of them.
package Suite::Terminal;

use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(O_NOCTTY O_RDWR);
use POSIX ();
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(new_terminal shown_in start_on_terminal type_letter);

# What is not shown by then never is.
my $AT_LAST = 600;

# A new one: the end that a program writes to, its path, and ours to read, which
# is opened with FLAGS as well.  Nothing if there is none to be had.
sub new_terminal
{
	my ($flags) = @_;
	my ($unlock, $number) = (0x40045431, 0x80045430);	# TIOCSPTLCK, TIOCGPTN
	my $n = pack 'i', 0;

	sysopen my $master, '/dev/ptmx', O_RDWR | O_NOCTTY | ($flags // 0)
		or return;
	ioctl $master, $unlock, $n or return;
	ioctl $master, $number, $n or return;
	my $path = '/dev/pts/' . unpack 'i', $n;
	sysopen my $slave, $path, O_RDWR | O_NOCTTY or return;
	return ($slave, $path, $master);
}

# Starts COMMAND on a new terminal of SIZE, columns and lines, with IN as its
# standard input: its process, and our end of the terminal.
sub start_on_terminal
{
	my ($size, $in, @command) = @_;
	my ($slave, $path, $master) = new_terminal();
	my $pid;

	die "no terminal\n" unless $master;
	# TIOCSWINSZ
	ioctl $master, 0x5414, pack 'S4', @$size[1, 0], 0, 0;
	$pid = fork // die "fork: $!\n";
	return ($pid, $master) if $pid;
	POSIX::setsid();
	open my $tty, '+<', $path;
	open STDIN, '<&', $in;
	open STDOUT, '>&', $tty;
	close $master;
	@ENV{qw(TERM LC_ALL)} = qw(xterm-256color C.UTF-8);
	exec { $command[0] } @command or POSIX::_exit(127);
}

# Reads what is shown until PATTERN; the seconds that takes, however many if it
# never is.
sub shown_in
{
	my ($terminal, $pattern) = @_;
	my ($from, $text) = (time, '');

	while (time < $from + $AT_LAST) {
		vec(my $ready = '', fileno $terminal, 1) = 1;
		next unless select $ready, undef, undef, 1;
		sysread $terminal, $text, 1 << 16, length $text or last;
		return time - $from if $text =~ $pattern;
	}
	return 1e9;
}

# Types the Nth letter of a line that ends in "_", a moment after the last; the
# seconds until it is shown.
sub type_letter
{
	my ($terminal, $n) = @_;
	my $letter = $n % 2 ? 'Z' : 'J';

	sleep 0.017 + rand 0.02;
	syswrite $terminal, $letter;
	return shown_in($terminal, qr/${letter}[^A-Z]{0,40}_/);
}

1;
