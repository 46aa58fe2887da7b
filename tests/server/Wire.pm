# SPDX-License-Identifier: GPL-2.0-only
# The client's side of the network protocol, for tests that are good clients
# and bad ones.  Numbers here are in the order of doc/blktrace-net.5, so that a
# test can lie in every field.
package Wire;

use strict;
use warnings;
use Exporter 'import';
use IO::Select;
use IO::Socket::IP;

our @EXPORT_OK = qw(header connect_to say hear ask finish frame open_acked
		    hear_frame $OPEN $CLOSE $ANSWER $HEADER);

our ($OPEN, $CLOSE, $ANSWER) = (0, 1, 2);
our $HEADER = 64;

my $MAGIC = 0x65617400;

# One header; FIELDS: name, cpu, max_cpus, len, run, magic, order ('<', '>').
sub header
{
	my (%f) = (name => 'sda', cpu => 0, max_cpus => 2, len => $OPEN,
		   run => $$, magic => $MAGIC, order => '<', @_);
	my $o = $f{order};

	return pack("L$o a32 (L7)$o", $f{magic}, $f{name}, $f{cpu},
		    $f{max_cpus}, $f{len}, $f{run}, 524288, 4, 4096);
}

# --- the acknowledged protocol -----------------------------------------------

# A frame of that kind (its letter), with CONTENT.
sub frame
{
	my ($kind, $lane, $offset, $content, $extra) = @_;
	return pack('a3 a L< Q< L< L<', 'BLK', $kind, $lane, $offset,
		    length $content, $extra || 0) . $content;
}

# The next one: kind, lane, offset, content, extra; nothing: the connection is over, or
# none has come for so many SECONDS.
sub hear_frame
{
	my ($socket, $seconds) = @_;
	my $head = hear($socket, 24, $seconds) // '';

	return unless length $head == 24;
	my ($kind, $lane, $offset, $len, $extra) =
		unpack 'x3 a L< Q< L< L<', $head;
	return ($kind, $lane, $offset, $len ? hear($socket, $len) : '', $extra);
}

# A run with that token (16 bytes) and one lane, CPU 0 of sda, of which so much
# is acknowledged; true if it is welcome.
sub open_acked
{
	my ($socket, $token, $stored) = @_;

	say($socket, frame('b', 1, 0, $token . pack 'L<', $$) .
	    frame('o', 0, $stored, pack('a32 L< L< Q<', 'sda', 0, 1, $stored)) .
	    frame('s', 1, 0, '')) or return 0;
	my ($kind) = hear_frame($socket);
	return ($kind // '') eq 'w';
}

# --- connections --------------------------------------------------------------

# a connection to PORT of HOST (127.0.0.1) from the address FROM, or undef
sub connect_to
{
	my ($port, $host, $from) = @_;
	return IO::Socket::IP->new(PeerHost => $host || '127.0.0.1',
				   $from ? (LocalHost => $from) : (),
				   PeerPort => $port, Timeout => 10);
}

# All of it, as far as the other side takes it; true if it took all.
sub say
{
	my ($socket, $bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';
	while (length $bytes) {
		my $n = syswrite $socket, $bytes;
		return 0 unless $n;
		substr $bytes, 0, $n, '';
	}
	return 1;
}

# what only a server that hangs reaches, also on a machine much slower than ours
my $AT_LAST = 600;

# LEN bytes, or what there is by the end, or undef if that does not come.  SECONDS
# are for what may not come at all: then it is what there is by then.
sub hear
{
	my ($socket, $len, $seconds) = @_;
	my $select = IO::Select->new($socket);
	my $bytes = '';

	while (length $bytes < $len) {
		if (!$select->can_read($seconds // $AT_LAST)) {
			return defined $seconds ? $bytes : undef;
		}
		last unless sysread $socket, $bytes, $len - length $bytes,
			length $bytes;
	}
	return $bytes;
}

# says a header and hears the answer's len, or undef
sub ask
{
	my ($socket, @fields) = @_;

	say($socket, header(@fields)) or return undef;
	my $answer = hear($socket, $HEADER) // '';
	return undef if length $answer < $HEADER;
	my ($magic, $name, $cpu, undef, $len) = unpack 'L a32 L3', $answer;
	return undef if $magic != $MAGIC || $cpu != 0;
	return $len;
}

# closes the connection as a client does; true if the server has nothing to add
sub finish
{
	my ($socket) = @_;
	shutdown $socket, 1;
	my $rest = hear($socket, 1);
	close $socket;
	return $rest eq '';
}

1;
