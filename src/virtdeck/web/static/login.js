// A person's browser uses the one-time link without a click; a preview that only fetches the page does not.
document.getElementById("login-link")?.requestSubmit();
