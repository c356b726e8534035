# syntax=docker/dockerfile:1
ARG VERSION=3.11
FROM python:${VERSION}-slim AS build

LABEL maintainer="shop" version="1.0"
ENV PATH=/venv/bin:$PATH \
    LANG=C.UTF-8
WORKDIR /app
COPY --chown=app:app requirements.txt .
RUN apt-get update && \
    apt-get install -y gcc && \
    rm -rf /var/lib/apt/lists/*
RUN ["pip", "install", "-r", "requirements.txt"]
ADD https://example.org/data.tar.gz /data

FROM build
COPY --from=build /app /app
USER app
EXPOSE 8080/tcp
VOLUME ["/data"]
HEALTHCHECK --interval=5s CMD curl -f http://localhost/ || exit 1
ENTRYPOINT ["python", "-m", "shop"]
CMD ["--port", "8080"]
