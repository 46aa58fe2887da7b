# SPDX-License-Identifier: GPL-2.0-only
# A Debian that has nothing but what it cannot do without, from where this machine's
# apt gets its packages.  Needs mmdebstrap and root.
package Suite::Clean;

use strict;
use warnings;
use Exporter 'import';
use Suite::Files qw(slurp spew);

our @EXPORT_OK = qw(suite make_clean_tar clean_command);

# the Debian that this machine has
sub suite
{
	my ($name) = slurp('/etc/os-release') =~ /^VERSION_CODENAME=(\w+)$/m;
	return $name;
}

# The command that makes the system at TARGET, a directory or a NAME.tar, by
# mmdebstrap with OPTIONS; TARGET.list is made for it.
sub clean_command
{
	my ($target, $options) = @_;
	open my $apt, '-|', qw(apt-get indextargets --format),
		'deb $(REPO_URI) $(RELEASE) $(COMPONENT)',
		'Created-By: Packages', 'Origin: Debian'
		or die "apt-get: $!\n";
	my $sources = join '', <$apt>;
	close $apt or die "apt-get indextargets fails\n";

	spew("$target.list", $sources);
	return "mmdebstrap $options " . suite() . " $target $target.list";
}

# makes it, with apt, as TAR
sub make_clean_tar
{
	my ($tar) = @_;
	my $command = clean_command($tar, '--variant=apt');

	system("$command >$tar.log 2>&1") == 0
		or die "no clean system:\n", slurp("$tar.log");
	return $tar;
}

1;
