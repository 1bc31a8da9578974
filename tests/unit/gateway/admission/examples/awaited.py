"""Ids that are not in the table yet; empty when everything is."""

AWAITED = {
    *(f"D{number}" for number in range(1, 4)),
    *(f"V{number}" for number in range(285, 300)),
    *(f"V{number}" for number in range(406, 411)),
}
