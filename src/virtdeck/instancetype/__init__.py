"""What becomes of a virtual machine's template when it names an instance type or a preference; pure.

``matchers`` says what is named, ``expansion`` completes a copy of the template, ``sizes`` and ``preferences``
hold what each field does, ``requirements`` what a preference insists on, ``revisions`` how both are frozen.
Admission, the VM's controller and the expand subresources all ask here, so that what is checked is what runs.
Reading objects, and deciding when, is not here. README.md says where KubeVirt does otherwise.
"""
