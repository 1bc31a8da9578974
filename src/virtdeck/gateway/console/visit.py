"""One request of a person: who, in which language and theme, and how the answer is rendered."""

import gzip
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from virtdeck.basis.errors import VirtdeckError
from virtdeck.gateway.auth.sessions import Session
from virtdeck.gateway.auth.user import User, client_as
from virtdeck.gateway.console import rights
from virtdeck.gateway.console.desk import Desk
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.views.powers import ACTS, SUBRESOURCES, Power, powers, right_of
from virtdeck.gateway.tasks.task import Task
from virtdeck.kube.client import Client
from virtdeck.serving.status import code_of
from virtdeck.web.languages import choose

LANGUAGE_COOKIE, THEME_COOKIE, PROJECT_COOKIE = "virtdeck-language", "virtdeck-theme", "virtdeck-project"
THEMES = ("auto", "light", "dark")
HEADERS = {"Cache-Control": "no-store", "Vary": "HX-Request, Accept-Language, Cookie"}


@dataclass(frozen=True)
class Visit:
    """A request of somebody who is logged in."""

    request: Request
    desk: Desk
    session: Session

    @property
    def user(self) -> User:
        return self.session.user

    @property
    def client(self) -> Client:
        """The API as this person sees it."""
        return client_as(self.desk.client, self.user)

    @property
    def htmx(self) -> bool:
        """A part of a page is asked for, not a page."""
        return self.request.headers.get("hx-request") == "true"

    @cached_property
    def language(self) -> str:
        return language_of(self.request)

    @property
    def theme(self) -> str:
        return theme_of(self.request)

    @property
    def project(self) -> str:
        """The namespace that is worked in; empty for all."""
        asked = self.request.query_params.get("ns")
        return (asked if asked is not None else self.request.cookies.get(PROJECT_COOKIE, ""))[:63]

    async def projects(self) -> frozenset[str] | None:
        """Where the person may see machines; None for everywhere."""
        return await rights.visible_projects(self.desk, self.user)

    async def may(self, verb: str, resource: str, subresource: str = "", namespace: str = "") -> bool:
        wanted = rights.attempt(verb, resource, subresource, namespace)
        return await rights.may(self.desk.reviews, self.user, wanted)

    async def powers_of(self, machines: Iterable[Machine]) -> dict[str, dict[str, Power]]:
        """For each machine, by its DOM id, what the person can do with it now."""
        shown = list(machines)
        wanted = {(machine.namespace, *right_of(act, machine)) for machine in shown for act in ACTS.values()}
        attempts = {key: rights.attempt(key[1], key[2], key[3], key[0]) for key in wanted}
        answers = await rights.may_each(self.desk.reviews, self.user, attempts.values())

        def check(namespace: str) -> Callable[[str, str, str], bool]:
            return lambda verb, resource, sub: answers[attempts[(namespace, verb, resource, sub)]]

        return {machine.dom_id: powers(machine, check(machine.namespace)) for machine in shown}

    def see(self, task: Task) -> bool:
        """Whether a task is the person's own."""
        return task.actor == self.user.name

    async def page(
        self, template: str, place: str, model: dict[str, Any], code: int = 200, live: str = ""
    ) -> Response:
        """The page with its frame. live: the topics of its stream, as a query."""
        shell = await self._shell(place, live)
        html = self.desk.renderer.render(template, self.language, {"shell": shell, **model})
        return packed(self.request, html, code)

    def part(self, template: str, block: str, model: dict[str, Any], code: int = 200) -> Response:
        """One block of a page, for htmx."""
        html = self.desk.renderer.block(template, block, self.language, {"shell": self.bare_shell(), **model})
        return HTMLResponse(html, code, HEADERS)

    def go(self, path: str) -> Response:
        """The browser asks for that page next, whether htmx or the browser itself sent this request."""
        target = self.desk.renderer.url(path)
        if self.htmx:
            return Response(None, 204, {"HX-Redirect": target, **HEADERS})
        return RedirectResponse(target, 303, HEADERS)

    def bare_shell(self) -> dict[str, Any]:
        """What parts of a page need of the frame."""
        return {
            "language": self.language,
            "theme": self.theme,
            "csrf": self.session.csrf,
            "person": self.user.name,
            "project": self.project,
            "acts": ACTS,
        }

    async def _shell(self, place: str, live: str) -> dict[str, Any]:
        visible = await self.projects()
        names = (one.metadata.name or "" for one in self.desk.caches.namespaces.all())
        projects = sorted(name for name in names if visible is None or name in visible)
        topics = f"since={self.desk.roster.sequence}" + (f"&{live}" if live else "")
        return self.bare_shell() | {
            "place": place,
            "path": self.request.url.path,
            "projects": projects,
            "machines": sum(
                1 for machine in self.desk.roster.all() if visible is None or machine.namespace in visible
            ),
            "running": sum(1 for task in self.desk.tasks.running if self.see(task)),
            "live": f"/events?{topics}",
            "known": self.desk.roster.known,
            "current": self.desk.roster.current,
            "task": self._named_task(),
        }

    def _named_task(self) -> Task | None:
        """The task that the page was sent to report, if it is the person's own."""
        task = self.desk.tasks.store.get(self.request.query_params.get("task", "")[:32])
        return task if task and self.see(task) else None

    async def form(self) -> dict[str, Any]:
        """The posted form, after its token and origin were found right. Raises: Refused."""
        async with self.request.form(max_files=0, max_fields=600, max_part_size=1 << 20) as posted:
            values = {name: value for name, value in posted.items() if isinstance(value, str)}
            lists = {name: [one for one in posted.getlist(name) if isinstance(one, str)] for name in posted}
        self.desk.gate.check_form(
            self.request, self.request.headers.get("x-csrf-token") or values.get("csrf", "")
        )
        return values | {"lists": lists}


def packed(request: Request, html: str, code: int) -> Response:
    """The page, gzipped for browsers that take it.

    It holds the form's token and words from the URL. Lengths tell nothing (BREACH), due to the
    session's SameSite=Strict cookie: a foreign page cannot have pages with the token sent.
    """
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(html, code, HEADERS)
    headers = HEADERS | {"Content-Encoding": "gzip", "Vary": f"{HEADERS['Vary']}, Accept-Encoding"}
    return HTMLResponse(gzip.compress(html.encode(), 4, mtime=0), code, headers)


def language_of(request: Request) -> str:
    """The language of whoever sends this request, logged in or not."""
    return choose(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))


def theme_of(request: Request) -> str:
    wanted = request.cookies.get(THEME_COOKIE, "auto")
    return wanted if wanted in THEMES else "auto"


Handler = Callable[[Visit], Awaitable[Response]]


def behind_login(desk: Desk, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The handler for whoever is logged in; others are sent to log in, and errors become pages."""

    async def handle(request: Request) -> Response:
        session = desk.gate.session_of(request)
        if session is None:
            return to_login(desk, request)
        visit = Visit(request, desk, session)
        try:
            return await handler(visit)
        except VirtdeckError as fault:
            return await error_page(visit, fault)

    return handle


def to_login(desk: Desk, request: Request) -> Response:
    """Logs in first, then comes back; a part of a page or a stream cannot, so the whole page is told to."""
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    target = desk.renderer.url("/login?" + urlencode({"next": path}))
    if request.headers.get("hx-request") == "true":
        return Response(None, 401, {"HX-Redirect": target, **HEADERS})
    if request.method != "GET" or request.url.path == "/events":
        return Response("log in first\n", 401, HEADERS, "text/plain")
    return RedirectResponse(target, 303, HEADERS)


async def error_page(visit: Visit, fault: VirtdeckError) -> Response:
    """What went wrong, in the frame, with the server's own words and a way on."""
    code = code_of(fault)
    model = {"code": code, "fault": fault, "causes": getattr(fault, "causes", ())}
    if visit.htmx:
        return visit.part("error.html", "result", model, 200)
    return await visit.page("error.html", "", model, code)


def quoted(text: str) -> str:
    """The text as one part of a path."""
    return quote(text, safe="")


def subresource_path(machine: Machine, plural: str, subresource: str) -> str:
    """Where virt-api serves a machine's subresource."""
    home = f"/apis/{SUBRESOURCES}/v1/namespaces/{quoted(machine.namespace)}"
    return f"{home}/{plural}/{quoted(machine.name)}/{subresource}"
