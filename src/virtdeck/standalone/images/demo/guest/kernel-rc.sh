#!/bin/sh
# Runs once: the power button, and every network card's address in the background.
mkdir -p /etc/acpi
acpid -l /dev/null -c /etc/acpi 2>/dev/null
for card in /sys/class/net/*; do
    card=${card##*/}
    [ "$card" = lo ] || udhcpc -b -q -S -t 5 -T 1 -i "$card" -s /etc/udhcpc.sh >/dev/null 2>&1 &
done
echo "virtdeck demo kernel is up after $(cut -d' ' -f1 /proc/uptime) s"
