#!/bin/sh
# The demo disk's first user space: finds the root file system and hands over to it.
/bin/busybox mkdir -p /proc /sys /dev /root
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
export PATH=/bin

load() {
    while read -r module; do
        busybox insmod "/modules/$module" 2>/dev/null
    done < "/modules/$1"
}

load first
tries=0
until root=$(busybox findfs LABEL=virtdeck-demo 2>/dev/null) && [ -b "$root" ]; do
    tries=$((tries + 1))
    [ "$tries" = 3 ] && load fallback
    if [ "$tries" -gt 100 ]; then
        echo "virtdeck demo: no disk with the label virtdeck-demo was found; here is a shell."
        exec busybox setsid busybox cttyhack /bin/busybox sh
    fi
    busybox usleep 100000
done
busybox mount -t ext4 -o rw,noatime "$root" /root || exec busybox sh
busybox mount -o move /dev /root/dev
busybox mount -o move /proc /root/proc
busybox mount -o move /sys /root/sys
exec busybox switch_root /root /sbin/init
