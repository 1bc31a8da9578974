#!/bin/sh
# What is read is said on the serial console and on the screen, and kept in a log.
exec tee -a /var/log/seed.log /dev/ttyS0 > /dev/tty1
