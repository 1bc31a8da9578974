#!/bin/sh
# Called by udhcpc with the lease in the environment.
case $1 in
deconfig)
    ip link set "$interface" up
    ;;
bound | renew)
    ip addr replace "$ip/${mask:-24}" dev "$interface"
    ip link set "$interface" mtu "${mtu:-1500}"
    for gateway in $router; do
        # A gateway outside the subnet (a /32 lease) needs a route of its own first.
        ip route replace "$gateway" dev "$interface" 2>/dev/null
        ip route replace default via "$gateway" dev "$interface"
        break
    done
    if [ -n "$dns" ]; then
        : > /etc/resolv.conf.new
        [ -n "$domain" ] && echo "search $domain" >> /etc/resolv.conf.new
        for server in $dns; do echo "nameserver $server" >> /etc/resolv.conf.new; done
        mv /etc/resolv.conf.new /etc/resolv.conf
    fi
    ;;
esac
