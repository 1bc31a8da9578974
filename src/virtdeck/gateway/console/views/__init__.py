"""What pages show, as frozen values: pure functions from API objects. No request, no HTML, no translation:
texts are marked and said in the reader's language when they are rendered."""
