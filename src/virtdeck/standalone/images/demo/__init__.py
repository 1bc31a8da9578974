"""The demo images, made on this machine from Debian's packages alone.

``guest/`` holds what runs inside the guest; the modules here put it together with kernel, boot loader and
programs from the packages. Nothing is downloaded but packages, whose signatures apt checks.
"""
