#!/bin/sh
# poweroff, reboot, halt and shutdown: an orderly end within half a second, however it is called.
case ${0##*/} in
reboot) action=reboot ;;
halt) action=halt ;;
*) action=poweroff ;;
esac
for word in "$@"; do
    case $word in
    -r | --reboot) action=reboot ;;
    -H | --halt) action=halt ;;
    -c) exit 0 ;;
    esac
done
trap '' TERM HUP
echo "The system is going down ($action)." > /dev/console
kill -TERM -1 2>/dev/null
busybox usleep 300000
sync
echo u > /proc/sysrq-trigger
exec busybox $action -f
