"""A small web application: one page, and a look at it."""

from flask import Flask, render_template_string

app = Flask(__name__)


@app.get("/hello/<name>")
def hello(name: str) -> str:
    """Greet by name."""
    return render_template_string("<p>Hello, {{ name }}!</p>", name=name)


with app.test_client() as client:
    answer = client.get("/hello/you")
    assert answer.text == "<p>Hello, you!</p>", answer.text
print("fine")
