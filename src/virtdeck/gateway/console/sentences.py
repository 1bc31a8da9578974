"""Sentences that other packages say and pages show, marked here so that they are translated."""

from virtdeck.web.words import mark

OTHERS = (
    mark("paste a token, or open a login link"),
    mark("this code is unknown, was used already or has expired"),
    mark("this code stands for nobody"),
    mark("the token is not known to the API server, or has expired"),
    mark("this request did not come from a page of this console"),
    mark("the form is older than this login; open the page again and repeat"),
    mark("nobody is logged in"),
)
