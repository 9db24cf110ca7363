# The bot, as a user that is not root, on a file system that may be read-only; /data is for backups and imports.
FROM python:3.11.14-slim-trixie AS build
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/companion
COPY requirements/runtime.txt requirements/
RUN /opt/companion/bin/pip install --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY sql sql
COPY bot bot
RUN /opt/companion/bin/pip install --no-deps --no-build-isolation . \
    && /opt/companion/bin/python -m compileall -q /opt/companion/lib

FROM python:3.11.14-slim-trixie
RUN useradd --system --uid 10001 --home-dir /data companion \
    && install --directory --owner 10001 --mode 700 /data
COPY --from=build /opt/companion /opt/companion
ENV PATH=/opt/companion/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /data
USER 10001
ENTRYPOINT ["companion"]
CMD ["run"]
