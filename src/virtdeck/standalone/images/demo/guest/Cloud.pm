# What a NoCloud seed can ask for on this small system; whatever else it asks for is said on the console.
package Cloud;
use strict;
use warnings;
use Yaml;

my $MOUNT = '/run/seed';
my $DEFAULT_USER = 'demo';
my %SUPPORTED = map { $_ => 1 } qw(hostname fqdn preserve_hostname prefer_fqdn_over_hostname manage_etc_hosts
    user users password chpasswd ssh_authorized_keys ssh_pwauth disable_root runcmd bootcmd write_files
    final_message);

sub report { my ($text) = @_; chomp $text; print "cloud-init: $text\n" }

sub read_file {
    my ($path) = @_;
    open my $file, '<:raw', $path or return '';
    local $/;
    return <$file> // '';
}

sub write_file {
    my ($path, $text, $mode, $append) = @_;
    open my $file, ($append ? '>>:raw' : '>:raw'), $path or return report("$path cannot be written: $!");
    chmod $mode, $path if defined $mode;
    print {$file} $text;
    close $file or report("$path cannot be written: $!");
}

# The files of the first disk labelled cidata, or nothing.
sub find_seed {
    my ($device) = grep { $_ } map { my $found = `findfs LABEL=$_ 2>/dev/null`; chomp $found; $found } qw(cidata CIDATA);
    return unless $device;
    mkdir $MOUNT;
    system('mount', '-o', 'ro', '-t', $_, $device, $MOUNT) == 0 and last for qw(iso9660 vfat);
    my %seed;
    opendir my $folder, $MOUNT or return;
    for my $name (readdir $folder) {
        $seed{ lc $name } = read_file("$MOUNT/$name") if -f "$MOUNT/$name" && -s _ < 1 << 20;
    }
    closedir $folder;
    system('umount', $MOUNT);
    return \%seed;
}

sub config {
    my ($text) = @_;
    my $config = eval { Yaml::parse($text) };
    if ($@) { report("user-data cannot be read: $@"); return {} }
    return $config if ref $config eq 'HASH';
    report("user-data holds no settings") if defined $config;
    return {};
}

sub report_unsupported {
    my ($config) = @_;
    for my $key (sort keys %$config) {
        report("$key is not supported by the demo image and was left out") unless $SUPPORTED{$key};
    }
}

sub truth { my ($value) = @_; return defined $value && !ref $value && $value =~ /^(1|true|yes|on)$/i }
sub list { my ($value) = @_; return ref $value eq 'ARRAY' ? @$value : defined $value ? ($value) : () }

sub host_name {
    my ($meta, $config) = @_;
    return if truth($config->{preserve_hostname});
    my $full = $config->{fqdn} // $config->{hostname} // $meta->{'local-hostname'} // $meta->{hostname} // return;
    return report("the host name is not valid") if ref $full || $full !~ /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
    my $short = $config->{hostname} // $full;
    ($short) = split /\./, $short;
    write_file('/etc/hostname', "$short\n", 0644);
    my $names = $short eq $full ? $short : "$full $short";
    write_file('/etc/hosts', "127.0.0.1 localhost\n127.0.1.1 $names\n::1 localhost ip6-localhost\n", 0644);
    system('hostname', $short);
}

# Static addresses of network-config version 2; every card it does not name takes DHCP.
sub networks {
    my ($text) = @_;
    my $config = eval { Yaml::parse($text) };
    return report("network-config cannot be read: $@") if $@;
    $config = $config->{network} if ref $config eq 'HASH' && ref $config->{network} eq 'HASH';
    return unless ref $config eq 'HASH';
    return report("network-config version 1 is not supported; cards take DHCP") if ($config->{version} // 0) ne '2';
    my $cards = $config->{ethernets};
    return unless ref $cards eq 'HASH';
    mkdir '/run/network';
    network_card($_, $cards->{$_}) for sort keys %$cards;
}

sub network_card {
    my ($name, $card) = @_;
    return unless ref $card eq 'HASH';
    my $device = find_card($name, $card->{match}) or return report("network-config: there is no card $name");
    system('ip', 'link', 'set', $device, 'up');
    for my $address (list($card->{addresses})) {
        system('ip', 'addr', 'add', $address, 'dev', $device) unless ref $address;
    }
    my @routes = map { ref $_ eq 'HASH' ? [ $_->{to}, $_->{via} ] : () } list($card->{routes});
    push @routes, [ 'default', $card->{gateway4} ] if $card->{gateway4};
    push @routes, [ '::/0', $card->{gateway6} ] if $card->{gateway6};
    for my $route (@routes) {
        my ($to, $via) = map { $_ // '' } @$route;
        my @family = $via =~ /:/ ? ('-6') : ();
        system('ip', @family, 'route', 'add', $to, 'via', $via, 'dev', $device);
    }
    my $servers = ref $card->{nameservers} eq 'HASH' ? $card->{nameservers}{addresses} : undef;
    write_file('/etc/resolv.conf', join('', map { "nameserver $_\n" } list($servers)), 0644) if list($servers);
    write_file("/run/network/$device.static", '', 0644) if $card->{addresses} && !truth($card->{dhcp4});
}

sub find_card {
    my ($name, $match) = @_;
    if (ref $match eq 'HASH' && $match->{macaddress}) {
        for my $path (glob '/sys/class/net/*') {
            my $address = read_file("$path/address");
            chomp $address;
            return $path =~ s{.*/}{}r if lc $address eq lc $match->{macaddress};
        }
        return;
    }
    return -e "/sys/class/net/$name" ? $name : undef;
}

sub ssh_passwords {
    my ($wanted) = @_;
    write_file('/etc/default/sshd', truth($wanted) ? "PASSWORD_LOGIN=-g\n" : "PASSWORD_LOGIN=-s\n", 0644);
}

sub users {
    my ($config, $meta) = @_;
    my $default = $DEFAULT_USER;
    my @users = list($config->{users});
    if (defined(my $user = $config->{user})) {
        my $settings = ref $user eq 'HASH' ? $user : { name => $user };
        $default = $settings->{name} // $default;
        unshift @users, { sudo => 1, %$settings, name => $default };
    }
    for my $user (@users) {
        $user = { name => $user } unless ref $user eq 'HASH';
        next if ($user->{name} // '') eq 'default';
        make_user($user);
    }
    $default = $users[0]{name} if @users && !defined $config->{user} && ($users[0]{name} // 'default') ne 'default'
        && !grep { ($_->{name} // '') eq 'default' } @users;
    my @keys = (list($config->{ssh_authorized_keys}), public_keys($meta->{'public-keys'}));
    authorize($default, @keys) if @keys;
    password($default, $config->{password}) if defined $config->{password};
    passwords($config->{chpasswd});
}

sub public_keys {
    my ($keys) = @_;
    return ref $keys eq 'HASH' ? map { list($_) } values %$keys : list($keys);
}

sub make_user {
    my ($user) = @_;
    my $name = $user->{name};
    return report("a user has no name") unless defined $name && !ref $name;
    return report("the user name $name is not valid") if $name !~ /^[a-z_][a-z0-9_-]{0,31}$/;
    add_user($name, $user) unless defined getpwnam $name;
    for my $group (map { split /\s*,\s*/ } list($user->{groups})) {
        join_group($name, $group) if defined getgrnam $group;
    }
    sudo($name) if sudo_wanted($user->{sudo});
    password($name, $user->{plain_text_passwd}) if defined $user->{plain_text_passwd};
    my $hash = $user->{hashed_passwd} // $user->{passwd};
    set_hash($name, $hash) if defined $hash;
    my $open = defined $hash || defined $user->{plain_text_passwd};
    set_hash($name, '!') if $open && truth($user->{lock_passwd});
    authorize($name, list($user->{ssh_authorized_keys}));
}

# Debian's busybox has no adduser.
sub add_user {
    my ($name, $user) = @_;
    my ($home, $shell) = ($user->{homedir} // "/home/$name", $user->{shell} // '/bin/sh');
    $shell = '/bin/sh' unless -x $shell;
    my $gecos = ($user->{gecos} // '') =~ s/[:\n]//gr;
    my $id = defined $user->{uid} && $user->{uid} =~ /^\d+$/ ? $user->{uid} : 1000;
    $id++ while defined getpwuid $id or defined getgrgid $id;
    return report("the home folder of $name is not valid") if $home !~ m{^/[^:\n]+$};
    write_file('/etc/group', "$name:x:$id:\n", undef, 1);
    write_file('/etc/passwd', "$name:x:$id:$id:$gecos:$home:$shell\n", undef, 1);
    write_file('/etc/shadow', "$name:!:19000:0:99999:7:::\n", undef, 1);
    system('mkdir', '-p', $home);
    chown $id, $id, $home;
    chmod 0755, $home;
}

sub join_group {
    my ($name, $group) = @_;
    my @lines = map { /^\Q$group\E:/ ? /[:,]$/ ? "$_$name" : "$_,$name" : $_ } split /\n/, read_file('/etc/group');
    write_file('/etc/group', join("\n", @lines) . "\n", 0644);
}

sub sudo_wanted {
    my ($rule) = @_;
    return scalar grep { /ALL|^1$/ } list($rule);
}

sub sudo {
    my ($name) = @_;
    write_file("/etc/sudoers.d/$name", "$name ALL=(ALL) NOPASSWD:ALL\n", 0440);
}

sub passwords {
    my ($wanted) = @_;
    my @pairs;
    if (ref $wanted eq 'HASH') {
        for my $user (list($wanted->{users})) {
            next unless ref $user eq 'HASH' && defined $user->{name};
            push @pairs, [ $user->{name}, $user->{password} // '', ($user->{type} // 'text') eq 'hash' ];
        }
        push @pairs, map { [ split(/:/, $_, 2), 0 ] } grep { /:/ } map { split /\n/ } list($wanted->{list});
    }
    for my $pair (@pairs) {
        my ($name, $text, $hashed) = @$pair;
        if (($text // '') =~ /^(R|RANDOM)$/) { report("random passwords are not supported; $name has none"); next }
        $hashed || $text =~ /^\$[0-9a-z]+\$/ ? set_hash($name, $text) : password($name, $text);
    }
}

sub password {
    my ($name, $text) = @_;
    my @letters = ('a' .. 'z', 'A' .. 'Z', 0 .. 9, '.', '/');
    open my $random, '<:raw', '/dev/urandom' or return report("there is no random source");
    read $random, my $bytes, 16;
    my $salt = join '', map { $letters[ ord($_) & 63 ] } split //, $bytes;
    set_hash($name, crypt($text, "\$6\$rounds=5000\$$salt\$"));
}

sub set_hash {
    my ($name, $hash) = @_;
    return report("the password of $name is not valid") if ref $hash || $hash =~ /[:\n]/;
    my $found = 0;
    my @lines = map { /^\Q$name\E:/ ? do { $found = 1; s/^([^:]*):[^:]*/$1:$hash/r } : $_ } split /\n/, read_file('/etc/shadow');
    return report("there is no user $name to give a password to") unless $found;
    write_file('/etc/shadow.new', join("\n", @lines) . "\n", 0600);
    rename '/etc/shadow.new', '/etc/shadow';
}

sub authorize {
    my ($name, @keys) = @_;
    @keys = grep { defined && !ref && /\S/ } @keys or return;
    my (undef, undef, $uid, $gid, undef, undef, undef, $home) = getpwnam $name or return report("there is no user $name for the SSH keys");
    mkdir "$home/.ssh";
    write_file("$home/.ssh/authorized_keys", join('', map { s/\s+$//r . "\n" } @keys), 0600, 1);
    chmod 0700, "$home/.ssh";
    chown $uid, $gid, "$home/.ssh", "$home/.ssh/authorized_keys";
}

sub files {
    my ($files) = @_;
    for my $file (list($files)) {
        next unless ref $file eq 'HASH' && defined $file->{path};
        my $encoding = $file->{encoding} // 'text/plain';
        my $content = $file->{content} // '';
        if ($encoding =~ /^(b64|base64)$/) { $content = base64($content) }
        elsif ($encoding !~ /^text/) { report("write_files: the encoding $encoding is not supported"); next }
        my $folder = $file->{path} =~ s{/[^/]*$}{}r;
        system('mkdir', '-p', $folder) if $folder ne '';
        write_file($file->{path}, $content, oct($file->{permissions} // '0644'), truth($file->{append}));
        system('chown', $file->{owner}, $file->{path}) if defined $file->{owner};
    }
}

# perl-base has no MIME::Base64; the same bits are uuencoding with another alphabet.
sub base64 {
    my ($text) = @_;
    $text =~ tr{A-Za-z0-9+/}{}cd;
    $text =~ tr{A-Za-z0-9+/}{ -_};
    return join '', map { unpack 'u', chr(32 + length($_) * 3 / 4) . $_ } $text =~ /(.{1,60})/gs;
}

sub commands {
    my ($commands, $name) = @_;
    for my $command (list($commands)) {
        next unless defined $command;
        if (ref $command eq 'HASH') { report("$name: a colon made a command a map; quote it"); next }
        my @words = ref $command eq 'ARRAY' ? map { $_ // '' } @$command : ('/bin/sh', '-c', $command);
        my $code = system @words;
        report("$name: " . join(' ', @words) . ' ended with code ' . ($code == -1 ? "-1 ($!)" : $code >> 8)) if $code;
    }
}

sub run_script {
    my ($text) = @_;
    write_file('/run/user-data-script', $text, 0700);
    my $code = system '/run/user-data-script';
    report('the user-data script ended with code ' . ($code == -1 ? "-1 ($!)" : $code >> 8)) if $code;
}

sub say_final { my ($text) = @_; report($text) if defined $text && !ref $text }

1;
