"""Small files of the demo guest's /etc; values only."""

OS_RELEASE = """\
PRETTY_NAME="virtdeck demo (Debian packages)"
NAME="virtdeck demo"
ID=virtdeck-demo
ID_LIKE=debian
VERSION_ID="12"
VERSION="12 (bookworm)"
HOME_URL="https://www.debian.org/"
"""

ETC: dict[str, str] = {
    "os-release": OS_RELEASE,
    "hostname": "demo\n",
    "hosts": "127.0.0.1 localhost\n127.0.1.1 demo\n::1 localhost ip6-localhost\n",
    "passwd": (
        "root:x:0:0:root:/root:/bin/sh\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
        "demo:x:1000:1000:demo:/home/demo:/bin/sh\n"
    ),
    "group": (
        "root:x:0:\ntty:x:5:\ndisk:x:6:\nadm:x:4:demo\nsudo:x:27:demo\nwheel:x:28:demo\nusers:x:100:\n"
        "utmp:x:43:\nnogroup:x:65534:\ndemo:x:1000:\n"
    ),
    "nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n",
    "profile": (
        "export PATH=/usr/sbin:/usr/bin:/sbin:/bin\n"
        "export PS1='\\u@\\h:\\w\\$ '\n"
        '[ -t 0 ] && [ "$TERM" = vt100 ] && stty rows 24 cols 80 2> /dev/null\n'
    ),
    "shells": "/bin/sh\n/bin/ash\n",
    "issue": (
        "\nThis is virtdeck's demo image (\\n), made of Debian packages."
        "\nUnless a cloud-init seed says otherwise, log in as demo with the password demo.\n\n"
    ),
    "motd": "The demo image keeps its files on a small disk; sudo needs no password. Enjoy.\n",
    "fstab": "LABEL=virtdeck-demo / ext4 rw,noatime 0 1\n",
    "securetty": "ttyS0\ntty1\n",
    "resolv.conf": "",
    "default/sshd": "PASSWORD_LOGIN=-s\n",
    "acpi/PWRF/00000080": "#!/bin/sh\nexec /sbin/poweroff\n",
    "sudoers": (
        "Defaults env_reset\nroot ALL=(ALL:ALL) ALL\n%sudo ALL=(ALL:ALL) NOPASSWD:ALL\n"
        "@includedir /etc/sudoers.d\n"
    ),
    "pam.d/sudo": "".join(f"{kind} sufficient pam_permit.so\n" for kind in ("auth", "account", "session")),
    "ld.so.conf": "/usr/lib/x86_64-linux-gnu\n",
}

# demo/demo on the consoles; over SSH only with a key, unless the seed allows passwords.
_DEMO_HASH = (
    "$6$virtdeckdemo$useHKKrLn8GmOugeGNCN.CFEMS8LCzePkrUL1SFJiivbJvUoJAf4DAsT5/LCwMrsZBsrxEtts6O3nwawRK6eq/"
)
# Read by root alone.
SHADOW = f"root:*:19000:0:99999:7:::\nnobody:*:19000:0:99999:7:::\ndemo:{_DEMO_HASH}:19000:0:99999:7:::\n"
