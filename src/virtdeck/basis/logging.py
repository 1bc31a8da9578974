"""Structured logs: columns on a terminal, one JSON object a line otherwise."""

import logging
import sys

import structlog


def configure_logging(component: str, verbosity: str = "info") -> None:
    """All structlog loggers of this process write to stderr, with ``component`` on every line."""
    renderer: structlog.typing.Processor
    if sys.stderr.isatty():
        # Plain, for the pretty formatters print local variables, and secrets with them.
        renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    else:
        renderer = structlog.processors.JSONRenderer(ensure_ascii=True)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, verbosity.upper())),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(component=component)
