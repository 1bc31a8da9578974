#!/bin/sh
# The SSH server; passwords only when the seed has allowed them, never for root.
. /etc/default/sshd
key=/etc/dropbear/dropbear_ed25519_host_key
if [ ! -s "$key" ]; then # of this machine alone: no two guests share one
    dropbearkey -t ed25519 -f "$key.new" > /dev/null 2>&1 && mv "$key.new" "$key"
fi
exec dropbear -F -E -w ${PASSWORD_LOGIN:--s} -r "$key" 2> /dev/null
