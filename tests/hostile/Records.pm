# SPDX-License-Identifier: GPL-2.0-only
# Records for tests that make their own traces: version 7, native order.
# Their numbers count up by themselves in trace(); sectors are the numbers
# times 8 unless given, so that each event shows in the text as "SECTOR + 8".
package Records;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(record trace trace_of_ios queue_lines $HEADER);

our $HEADER = 48;

my $MAGIC = 0x65617407;
my $QUEUE_WRITE = 0x00120001;

# One record; FIELDS: number, time (ns), sector, pid, cpu, device, action,
# payload, and pdu_len when it is to lie about the payload.
sub record
{
	my (%f) = (number => 1, time => 0, pid => 100, cpu => 0,
		   device => 8 << 20, action => $QUEUE_WRITE, payload => '', @_);
	my $len = defined $f{pdu_len} ? $f{pdu_len} : length $f{payload};
	my $sector = defined $f{sector} ? $f{sector} : 8 * $f{number};

	return pack('L L Q Q L L L L L S S', $MAGIC, $f{number}, $f{time},
		    $sector, 4096, $f{action}, $f{pid}, $f{device},
		    $f{cpu}, 0, $len) . $f{payload};
}

# Records number FIRST to LAST, a microsecond apart, with the same FIELDS.
sub trace
{
	my ($first, $last, @fields) = @_;
	return join '', map { record(number => $_, time => $_ * 1000,
				     @fields) } $first .. $last;
}

# COUNT I/Os of a CPU, each queued, issued and completed
sub trace_of_ios
{
	my ($cpu, $count) = @_;
	my ($bytes, $number) = ('', 0);
	for my $io (1 .. $count) {
		for my $action (0x00120001, 0x00420007, 0x00820008) {
			$number++;
			$bytes .= record(number => $number, cpu => $cpu,
					 time => 1000 * (50000 * $cpu + $number),
					 sector => 8 * ($io + 1000 * $cpu),
					 action => $action);
		}
	}
	return $bytes;
}

# the numbers of the records that lines of text show
sub queue_lines
{
	my ($text) = @_;
	return map { $_ / 8 } $text =~ /  Q +W (\d+) \+ 8 /g;
}

1;
