from flask import Flask

app = Flask("shop")
app.add_url_rule("/", "home", lambda: "hello")
assert app.test_client().get("/").text == "hello"
