from flask import Flask
from flask_sqlalchemy import SQLAlchemy

app = Flask("shop")
app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite://"
assert SQLAlchemy(app).metadata is not None
