#!/bin/sh
# Runs beside the login prompts: addresses, then the seed's commands, which may need the network.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
for card in /sys/class/net/*; do
    card=${card##*/}
    [ "$card" = lo ] && continue
    [ -e "/run/network/$card.static" ] && continue
    udhcpc -b -S -t 10 -T 1 -A 5 -i "$card" -x "hostname:$(hostname)" -s /etc/udhcpc.sh \
        -p "/run/udhcpc.$card.pid" > /dev/null 2>&1
done
if [ -e /var/lib/virtdeck-seed/pending ]; then
    /usr/lib/virtdeck/seed late 2>&1 | /usr/lib/virtdeck/announce
fi
