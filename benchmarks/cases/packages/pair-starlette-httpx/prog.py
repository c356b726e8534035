from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hello"))])
assert TestClient(app).get("/").text == "hello"
