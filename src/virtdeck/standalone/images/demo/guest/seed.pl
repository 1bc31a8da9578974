#!/usr/bin/perl
# Reads a NoCloud seed and does what it asks: "early" sets names, users and files, "late" runs its commands.
use strict;
use warnings;
use lib '/usr/lib/virtdeck';
use Cloud;

my $stage = shift // '';
my $state = '/var/lib/virtdeck-seed';
mkdir $state;

if ($stage eq 'early') { early() }
elsif ($stage eq 'late') { late() }
else { die "usage: seed early|late\n" }

sub early {
    my $seed = Cloud::find_seed() or return;
    my $meta = eval { Yaml::parse($seed->{'meta-data'} // '') } // {};
    Cloud::report("meta-data: $@") if $@;
    $meta = {} unless ref $meta eq 'HASH';
    my $id = $meta->{'instance-id'} // 'none';
    my $fresh = Cloud::read_file("$state/instance-id") ne $id;
    my $user_data = $seed->{'user-data'} // '';
    my $config = $user_data =~ /^#cloud-config\b/ ? Cloud::config($user_data) : {};
    Cloud::host_name($meta, $config);
    Cloud::networks($seed->{'network-config'}) if $seed->{'network-config'};
    Cloud::ssh_passwords($config->{ssh_pwauth}) if exists $config->{ssh_pwauth};
    unlink "$state/pending";
    return unless $fresh;
    Cloud::report_unsupported($config);
    Cloud::users($config, $meta);
    Cloud::files($config->{write_files});
    Cloud::write_file("$state/pending", $user_data, 0600);
    Cloud::write_file("$state/instance-id", $id, 0644);
}

sub late {
    my $user_data = Cloud::read_file("$state/pending");
    unlink "$state/pending";
    if ($user_data =~ /^#!/) { Cloud::run_script($user_data) }
    elsif ($user_data =~ /^#cloud-config\b/) {
        my $config = Cloud::config($user_data);
        Cloud::commands($config->{bootcmd}, 'bootcmd');
        Cloud::commands($config->{runcmd}, 'runcmd');
        Cloud::say_final($config->{final_message});
    }
    elsif ($user_data =~ /\S/) {
        Cloud::report("user-data is neither #cloud-config nor a #! script and was left alone");
    }
}
