"""Who a caller is and what they may do: certificates, tokens, impersonation, RBAC, access reviews."""
