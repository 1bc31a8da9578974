"""Work that would keep everybody else waiting."""


class Lengthy(Exception):
    """It takes too long for the event loop; it is to be done aside, in a thread."""
