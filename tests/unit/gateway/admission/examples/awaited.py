"""Ids that are not in the table yet; empty when everything is."""

AWAITED = {
    *(f"D{number}" for number in range(1, 40)),
    *(f"V{number}" for number in range(285, 300)),
    *(f"V{number}" for number in (337, 338, 339)),
    *(f"V{number}" for number in range(406, 411)),
    *(f"V{number}" for number in range(418, 443)),
}
