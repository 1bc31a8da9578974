#!/bin/sh
# The SSH server; passwords only when the seed has allowed them, never for root.
. /etc/default/sshd
exec dropbear -F -E -w ${PASSWORD_LOGIN:--s} -r /etc/dropbear/dropbear_ed25519_host_key 2> /dev/null
