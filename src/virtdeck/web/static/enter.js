// Whoever followed a one-time link has clicked once already; a link preview runs no scripts and leaves it unused.
"use strict";
document.querySelector("form:has(input[name=link])")?.requestSubmit();
