"""How errors of the public app are answered: people get a page, programs a Kubernetes Status."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from virtdeck.basis.errors import Absent, Bug, Cause, Invalid, VirtdeckError
from virtdeck.serving.status import encode_status, retry_after_header, status, status_of

ErrorPage = Callable[[Request, VirtdeckError], Awaitable[Response | None]]
"""The page that tells a person of the error; None for who is not logged in."""

_PROGRAMS = ("/apis/", "/auth/", "/ws-tickets", "/openapi.json", "/healthz", "/readyz")


class ErrorAnswers:
    """The handlers of all errors that leave an endpoint."""

    def __init__(self, page: ErrorPage) -> None:
        self._page = page

    def add_to(self, api: FastAPI) -> None:
        """The app answers its errors like this."""
        api.add_exception_handler(VirtdeckError, self.answer_error)
        api.add_exception_handler(HTTPException, self.answer_http)
        api.add_exception_handler(RequestValidationError, self.answer_validation)
        api.add_exception_handler(Exception, self.answer_fault)

    async def answer_error(self, request: Request, error: Exception) -> Response:
        if not isinstance(error, VirtdeckError) or isinstance(error, Bug):
            raise error
        if wants_page(request):
            page = await self._page(request, error)
            if page is not None:
                return page
        return _response(status_of(error))

    async def answer_fault(self, _: Request, error: Exception) -> Response:
        """Something broke. Starlette raises the error again afterwards, and ``serving.edge`` logs it."""
        return _response(status_of(Bug(str(error))))

    async def answer_http(self, request: Request, error: Exception) -> Response:
        """What Starlette itself refuses: no such path, no such method."""
        if not isinstance(error, HTTPException):
            raise error
        if error.status_code == HTTPStatus.NOT_FOUND:
            return await self.answer_error(request, Absent("There is nothing at this address."))
        message = str(error.detail) if error.detail else HTTPStatus(error.status_code).phrase
        answer = _response(status(error.status_code, message))
        answer.headers.update(error.headers or {})
        return answer

    async def answer_validation(self, request: Request, error: Exception) -> Response:
        """A body or parameter that does not fit its model, each fault with its field."""
        if not isinstance(error, RequestValidationError):
            raise error
        causes = tuple(
            Cause(".".join(str(part) for part in fault["loc"][1:]), str(fault["msg"]))
            for fault in error.errors()
        )
        text = ", ".join(f"{cause.field}: {cause.message}" for cause in causes[:10])
        refusal = Invalid(text, causes=causes or (Cause("", "is not valid"),))
        return await self.answer_error(request, refusal)


def wants_page(request: Request) -> bool:
    """A person's browser asks, not a program and not a script."""
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and not request.url.path.startswith(_PROGRAMS)


def _response(answer: dict[str, Any]) -> Response:
    headers = {name.decode(): value.decode() for name, value in retry_after_header(answer)}
    return Response(encode_status(answer), answer["code"], headers, "application/json")
