# Reads the part of YAML that cloud-config files use: block and flow maps and lists, plain, quoted and
# block scalars, comments, JSON. Anchors, tags and several documents are refused by name.
package Yaml;
use strict;
use warnings;

sub parse {
    my ($text) = @_;
    $text =~ s/^\x{FEFF}//;
    my @lines = split /\r?\n/, $text, -1;
    shift @lines if @lines && $lines[0] =~ /^---\s*$/;
    my $self = bless { lines => \@lines, at => 0 }, __PACKAGE__;
    return undef unless $self->skip;
    my $value = $self->block($self->indent);
    $self->refuse("the text does not continue as it began") if $self->skip && $self->line !~ /^\.\.\./;
    return $value;
}

sub refuse { my ($self, $why) = @_; die "line " . ($self->{at} + 1) . ": $why\n" }
sub line { $_[0]{lines}[ $_[0]{at} ] }
sub indent { $_[0]->line =~ /^( *)/; length $1 }

# True when there is a line left that is neither blank nor a comment; the cursor stands on it.
sub skip {
    my ($self) = @_;
    $self->{at}++ while $self->{at} < @{ $self->{lines} } && $self->line =~ /^\s*(#|$)/;
    return 0 if $self->{at} >= @{ $self->{lines} };
    $self->refuse("a tab indents this line; YAML wants spaces") if $self->line =~ /^ *\t/;
    return 1;
}

sub block {
    my ($self, $indent) = @_;
    my $text = substr $self->line, $indent;
    return $self->sequence($indent) if $text =~ /^-(\s|$)/;
    return $self->mapping($indent) if $text !~ /^[\[{]/ && begins_map($text);
    $self->{at}++;
    return $self->inline($text, $indent - 1);
}

# The key and what follows it, when the text is "key: value".
sub key_of {
    my ($text) = @_;
    return ($1, $2) if $text =~ /^"((?:[^"\\]|\\.)*)"\s*:(?:\s+(.*))?$/;
    return ($1, $2) if $text =~ /^'([^']*)'\s*:(?:\s+(.*))?$/;
    return ($1, $2) if $text =~ /^([^\s\[\]{},#&*!|>'"%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$/;
    return;
}

sub begins_map { my ($key) = key_of($_[0]); return defined $key }

sub sequence {
    my ($self, $indent) = @_;
    my @items;
    while ($self->skip && $self->indent == $indent && substr($self->line, $indent) =~ /^-(\s+|$)(.*)$/) {
        my ($gap, $rest) = (length $1, $2);
        if ($rest eq '' || $rest =~ /^#/) {
            $self->{at}++;
            push @items, $self->nested($indent);
        }
        elsif ($rest =~ /^-(\s|$)/ || ($rest !~ /^[\[{]/ && begins_map($rest))) {
            # A map or list begins on the dash's own line: read it as if the dash were a space.
            my $inner = $indent + 1 + $gap;
            $self->{lines}[ $self->{at} ] = (' ' x $inner) . $rest;
            push @items, $self->block($inner);
        }
        else {
            $self->{at}++;
            push @items, $self->inline($rest, $indent);
        }
    }
    return \@items;
}

sub mapping {
    my ($self, $indent) = @_;
    my %map;
    while ($self->skip && $self->indent == $indent) {
        my ($key, $rest) = key_of(substr $self->line, $indent);
        $self->refuse("a key with a colon was expected") unless defined $key;
        $self->refuse("the key $key stands here twice") if exists $map{$key};
        $self->{at}++;
        $rest = '' if !defined $rest || $rest =~ /^#/;
        if ($rest eq '') {
            # A list may stand at its key's own indent.
            my $list = $self->skip && $self->indent == $indent && substr($self->line, $indent) =~ /^-(\s|$)/;
            $map{$key} = $list ? $self->sequence($indent) : $self->nested($indent);
        }
        else { $map{$key} = $self->inline($rest, $indent) }
    }
    $self->refuse("this line is indented in an unexpected way") if $self->skip && $self->indent > $indent;
    return \%map;
}

sub nested {
    my ($self, $indent) = @_;
    return undef unless $self->skip && $self->indent > $indent;
    return $self->block($self->indent);
}

# A value that begins on the line of its key or dash; what continues it is indented deeper than $indent.
sub inline {
    my ($self, $text, $indent) = @_;
    return $self->literal($1, $2, $indent) if $text =~ /^([|>])([-+0-9]*)\s*(?:#.*)?$/;
    $self->refuse("anchors, aliases and tags are not supported") if $text =~ /^[&*!]/;
    if ($text =~ /^["'\[{]/) {
        my $value;
        until (defined($value = flow_whole($text))) {
            $self->refuse("a quote or bracket is not closed") unless $self->{at} < @{ $self->{lines} };
            my $next = $self->line;
            $self->{at}++;
            $next =~ s/^\s+//;
            $text .= " $next";
        }
        return $$value;
    }
    $text =~ s/\s+#.*$//;
    while ($self->{at} < @{ $self->{lines} } && $self->line =~ /^\s*\S/ && $self->indent > $indent) {
        last if $self->line =~ /^\s*#/ || begins_map($self->line =~ s/^\s+//r);
        my $next = $self->line =~ s/^\s+//r;
        $next =~ s/\s+#.*$//;
        $text .= " $next";
        $self->{at}++;
    }
    $text =~ s/\s+$//;
    return plain($text);
}

sub literal {
    my ($self, $style, $flags, $indent) = @_;
    my ($deep, @text) = ($flags =~ /(\d)/ ? ($indent < 0 ? 0 : $indent) + $1 : undef);
    while ($self->{at} < @{ $self->{lines} }) {
        my $line = $self->line;
        if ($line =~ /^\s*$/) { push @text, defined $deep && length $line > $deep ? substr($line, $deep) : '' }
        else {
            my $here = $self->indent;
            $deep = $here unless defined $deep;
            last if $here <= $indent || $here < $deep;
            push @text, substr $line, $deep;
        }
        $self->{at}++;
    }
    my $tail = 0;
    while (@text && $text[-1] eq '') { pop @text; $tail++ }
    my $joined = $style eq '|' ? join("\n", @text) : fold(@text);
    return $joined if $flags =~ /-/ || !@text;
    return $joined . "\n" . ($flags =~ /\+/ ? "\n" x ($tail > 0 ? $tail - 1 : 0) : '');
}

sub fold {
    my ($joined, $blank) = ('', 1);
    for my $line (@_) {
        if ($line eq '') { $joined .= "\n"; $blank = 1 }
        else { $joined .= ($blank ? '' : ' ') . $line; $blank = 0 }
    }
    return $joined;
}

sub plain {
    my ($text) = @_;
    return undef if $text =~ /^(~|null|Null|NULL|)$/;
    return $text;
}

# A reference to the value when the text is one whole flow value, undef when it is not complete yet.
sub flow_whole {
    my ($text) = @_;
    my $value = eval { flow(\$text) };
    if ($@) { return undef if $@ eq "incomplete\n"; die $@ }
    $text =~ s/^\s*(#.*)?$//;
    die "something stands behind a closing quote or bracket\n" if $text ne '';
    return \$value;
}

sub flow {
    my ($text) = @_;
    $$text =~ s/^\s+//;
    if ($$text =~ s/^\[//) {
        my @items;
        until ($$text =~ s/^\s*\]//) {
            push @items, flow($text);
            next if $$text =~ s/^\s*,//;
            die "incomplete\n" if $$text =~ /^\s*$/;
            die "a comma or ] was expected\n" unless $$text =~ /^\s*\]/;
        }
        return \@items;
    }
    if ($$text =~ s/^\{//) {
        my %map;
        until ($$text =~ s/^\s*\}//) {
            my $key = $$text =~ /^\s*["']/ ? flow($text) : ($$text =~ s/^\s*([^:,{}\[\]]+?)\s*(?=:)// ? $1 : undef);
            die "incomplete\n" unless defined $key;
            die "incomplete\n" unless $$text =~ s/^\s*://;
            $map{$key} = $$text =~ /^\s*[,}]/ ? undef : flow($text);
            next if $$text =~ s/^\s*,//;
            die "incomplete\n" if $$text =~ /^\s*$/;
            die "a comma or } was expected\n" unless $$text =~ /^\s*\}/;
        }
        return \%map;
    }
    if ($$text =~ /^"/) {
        die "incomplete\n" unless $$text =~ s/^"((?:[^"\\]|\\.)*)"//s;
        return unescape($1);
    }
    if ($$text =~ /^'/) {
        die "incomplete\n" unless $$text =~ s/^'((?:[^']|'')*)'//s;
        return $1 =~ s/''/'/gr;
    }
    die "incomplete\n" if $$text eq '';
    $$text =~ s/^([^,\[\]{}]*)//;
    return plain($1 =~ s/\s+$//r);
}

my %ESCAPES = (n => "\n", t => "\t", r => "\r", 0 => "\0", e => "\e", a => "\a", b => "\b", f => "\f", v => "\x0b");

sub unescape {
    my ($text) = @_;
    $text =~ s{\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)}{escape($1)}gse;
    return $text;
}

sub escape {
    my ($code) = @_;
    if ($code =~ /^[xuU](.+)/s) { my $char = chr hex $1; utf8::encode($char); return $char }
    return exists $ESCAPES{$code} ? $ESCAPES{$code} : $code;
}

1;
