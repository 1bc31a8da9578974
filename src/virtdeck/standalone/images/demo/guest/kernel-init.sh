#!/bin/sh
# All of user space of the demo-kernel image: a shell in memory, an address by DHCP, an orderly end.
export PATH=/bin:/sbin HOME=/ TERM=vt100
/bin/busybox mkdir -p /proc /sys /dev /tmp /run /etc /bin /sbin
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
/bin/busybox --install -s /bin
while read -r module; do
    insmod "/modules/$module" 2>/dev/null
done < /modules/order
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
hostname virtdeck-demo-kernel
ip link set lo up
exec /bin/busybox init
