#!/bin/sh
# Runs before the login prompts: devices, names, and what the seed says about users.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p /dev/pts /dev/shm
mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts
mount -t tmpfs -o mode=1777,size=25% tmpfs /dev/shm
mount -t tmpfs -o mode=755,size=10% tmpfs /run
: > /run/utmp
mkdir -p /run/lock
echo 1 > /proc/sys/kernel/sysrq

# Drivers for what is there, until the buses bring nothing new; then the disks behind them.
known=
for _ in 1 2 3; do
    found=$(find /sys/devices -name modalias -exec cat {} + | sort -u)
    [ "$found" = "$known" ] && break
    known=$found
    echo "$found" | xargs modprobe -a -q 2>/dev/null
done
modprobe -q evdev
tries=0
while [ "$(grep -ls Gbps /sys/class/ata_link/*/sata_spd | wc -l)" -gt "$(ls -d /sys/block/s[dr]* 2>/dev/null | wc -l)" ]; do
    tries=$((tries + 1))
    [ "$tries" -gt 30 ] && break
    usleep 100000
done

acpid -l /dev/null -c /etc/acpi
ip link set lo up
hostname -F /etc/hostname
sysctl -q -w kernel.panic=10 2>/dev/null
if findfs LABEL=cidata > /dev/null 2>&1 || findfs LABEL=CIDATA > /dev/null 2>&1; then
    /usr/lib/virtdeck/seed early 2>&1 | /usr/lib/virtdeck/announce
fi
