"""Admission webhooks as HTTP: AdmissionReview in and out, patches from differences.

What is filled in and what is refused is decided by ``gateway.admission``; nothing is decided here.
"""
