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
for _ in 1 2; do # the second pass finds what the first one's buses brought
    find /sys/devices -name modalias -exec cat {} + | sort -u | xargs modprobe -a -q 2>/dev/null
done
mkdir -p /etc/acpi
modprobe -q evdev
acpid -l /dev/null -c /etc/acpi
ip link set lo up
hostname -F /etc/hostname
sysctl -q -w kernel.panic=10 2>/dev/null
/usr/lib/virtdeck/seed early 2>&1 | /usr/lib/virtdeck/announce
[ -s /etc/dropbear/dropbear_ed25519_host_key ] ||
    dropbearkey -t ed25519 -f /etc/dropbear/dropbear_ed25519_host_key > /dev/null 2>&1
