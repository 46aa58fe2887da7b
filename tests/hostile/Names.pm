# SPDX-License-Identifier: GPL-2.0-only
# Texts that hurt in tables, and a trace that is full of them.
package Names;

use strict;
use warnings;
use Exporter 'import';
use Records qw(record $HEADER);

our @EXPORT_OK = qw(hostile_names hostile_trace steering_trace);

# as a name of at most 15 bytes, and as UTF-8 in tables
my %NAMES = (
	'a,b' => 'a,b', 'say "x"' => 'say "x"', '"' => '"', "it's" => "it's",
	"a\nb" => "a\nb", "a\rb" => "a\rb", "tab\there" => "tab\there",
	'back\\slash' => 'back\\slash', '\\' => '\\', ' ' => ' ',
	"one\x01" => "one\x01", "\x7f\x1f" => "\x7f\x1f",
	"bad\xff" => "bad\xef\xbf\xbd", "\xc3\xa9t\xc3\xa9" => "\xc3\xa9t\xc3\xa9",
	"cut\xc3" => "cut\xef\xbf\xbd", '\N' => '\N', 'NULL' => 'NULL',
	'=1+1' => '=1+1', '<b>&amp;' => '<b>&amp;', '123' => '123',
);

my ($NAME, $MESSAGE) = (0x04000000, 0x04000002);
# of writes: queued, issued, completed
my @STEPS = (0x00120001, 0x00420007, 0x00820008);

# names as tables have them, in the order of pids from 1
sub hostile_names
{
	return map { $NAMES{$_} } sort keys %NAMES;
}

# of each name an io, a ms after the one before, and a message of that text
sub hostile_trace
{
	my ($pid, $number, $bytes) = (0, 0, '');

	for my $name (sort keys %NAMES) {
		my %about = (pid => ++$pid, time => 1e6 * $pid,
			     sector => 8 * $pid);
		$bytes .= record(%about, number => 0, action => $NAME,
				 payload => pack 'a16', $name);
		$bytes .= record(%about, number => 0, action => $MESSAGE,
				 payload => $name);
		$bytes .= record(%about, number => ++$number, action => $_)
			for @STEPS;
	}
	return $bytes;
}

# of reads: queued, with a request, issued, completed
my @READ_STEPS = (0x00110001, 0x00110004, 0x01410007, 0x01810008);
my $ERROR = 44;			# its place in a record

# A read and a message of each of some processes, whose names steer terminals
# and pages; the reads have this error.
sub steering_trace
{
	my ($error) = @_;
	my ($pid, $number, $bytes) = (0, 0, '');

	for my $name ("a\xff", "\x1b[31m", "\"\\\xe2\x80\xae", "</script>",
		      "b\xc2\x9b31m\xe2\x81\xa6") {
		my %about = (pid => ++$pid, number => 0, time => 1e6 * $pid);

		$bytes .= record(%about, action => $NAME,
				 payload => pack 'a16', $name);
		$bytes .= record(%about, action => $MESSAGE,
				 payload => $name);
		$bytes .= record(%about, number => ++$number, action => $_,
				 sector => 8 * $pid) for @READ_STEPS;
		substr($bytes, length($bytes) - $HEADER + $ERROR, 2) =
			pack 'S', $error;
	}
	return $bytes;
}

1;
