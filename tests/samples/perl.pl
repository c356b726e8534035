#!/usr/bin/perl
# Counts what was sold.
use strict;
use warnings;

package Item;

sub new {
    my ($class, %args) = @_;
    my $self = { name => $args{name}, price => $args{price} // 0.5 };
    return bless $self, $class;
}

sub cheap { return $_[0]->{price} < 1.5 }

package main;

my @items = (Item->new(name => 'apple'), Item->new(name => "pear", price => 2));
my %seen;
foreach my $item (@items) {
    next unless $item->cheap;
    if ($item->{name} =~ /^a(\w+)$/) {
        $seen{$1}++;
    } else {
        print "costs $item->{price}\n";
    }
}
print join(', ', map { "$_=$seen{$_}" } sort keys %seen), "\n";
