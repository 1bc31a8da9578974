"""Ids that are not in the table yet; empty when everything is."""

AWAITED = {
    *(f"D{number}" for number in range(1, 43)),
    *(f"V{number}" for number in range(1, 83)),
    *(f"V{number}" for number in range(95, 443)),
}
