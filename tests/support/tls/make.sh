#!/bin/sh
# Makes a certificate authority and a server certificate for tests, valid for a hundred years. The authority's key is
# thrown away: nothing else can be signed with it.
set -eu
cd "$(dirname "$0")"
key=$(mktemp)
openssl ecparam -name prime256v1 -genkey -noout -out "$key"
openssl req -x509 -new -key "$key" -days 36500 -subj "/CN=gutterbatch tests" \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign" -out ca.pem
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out server.key.pem
openssl req -new -key server.key.pem -subj "/CN=service.test" -out server.csr
printf 'subjectAltName=DNS:service.test,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n' > server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey "$key" -CAcreateserial -days 36500 -extfile server.ext -out server.pem
rm -f "$key" server.csr server.ext ca.srl
