#!/bin/sh
# The guest agent, if this machine has its channel; without one, init asks again rarely.
for port in /sys/class/virtio-ports/*; do
    [ -r "$port/name" ] || continue
    if [ "$(cat "$port/name")" = org.qemu.guest_agent.0 ]; then
        exec qemu-ga -m virtio-serial -p "/dev/${port##*/}" -t /run > /dev/null 2>&1
    fi
done
exec sleep 600
