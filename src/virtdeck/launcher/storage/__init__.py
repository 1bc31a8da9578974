"""What stands behind a VMI's disks: overlays over images, empty disks, cloud-init seeds, disks of files.

``plan`` decides from the VMI and the facts of its images, ``seed`` what cloud-init reads, ``file_disks`` how
disks of files are called, ``prepare`` makes the files. Only images that virt-handler inspected are
opened, each with its format named.
"""
