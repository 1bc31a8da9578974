"""Who asks, and what may they do: front-proxy identities, tokens, sessions, one-time links and tickets,
access reviews, and the checks that keep other sites' pages out.

Identities come from certificates, the API server's word or a session; never from a name in a message.
What is decided with an identity (routes, pages) is not here.
"""
