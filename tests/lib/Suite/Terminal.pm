# SPDX-License-Identifier: GPL-2.0-only
# Terminals of our own, to see what programs make of them.
package Suite::Terminal;

use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(O_NOCTTY O_RDWR);

our @EXPORT_OK = qw(new_terminal);

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

1;
