# A static binary without OpenBLAS, for "memobench run STUDY --script kubernetes" and other use:
#   docker build -t memobench .
#   docker run -v "$PWD/runs:/data/runs" memobench run quick --out runs/quick
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /memobench ./cmd/memobench

FROM scratch
COPY --from=build /memobench /usr/local/bin/memobench
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/memobench"]
