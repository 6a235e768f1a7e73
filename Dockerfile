# syntax=docker/dockerfile:1

# The server as one static binary in an otherwise empty image: no shell, no root.
#
#   docker build --build-arg VERSION=$(git describe --tags --always) -t cruel .

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/cruel ./cmd/cruel \
 && mkdir /out/data

FROM scratch
# For Postgres over TLS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/cruel /cruel
# Whoever has no Postgres keeps the SQLite file here.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV CRUEL_DATABASE=/data/cruel.db
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/cruel", "healthcheck"]
ENTRYPOINT ["/cruel"]
CMD ["serve"]
