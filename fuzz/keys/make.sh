#!/usr/bin/env bash
# Makes the keys and certificates of the target `protected` anew, for a hundred years, and its seeds.
set -eu
cd "$(dirname "$0")"
D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=authority \
    -addext keyUsage=critical,keyCertSign -keyout "$D/authority.key" -out "$D/authority.pem" 2>/dev/null
openssl x509 -in "$D/authority.pem" -outform DER -out authority.der
echo subjectKeyIdentifier=hash > "$D/extensions"
for name in alice bob carol; do
    case $name in
        carol) kind="rsa:2048" ;;
        *) kind="ec -pkeyopt ec_paramgen_curve:P-256" ;;
    esac
    openssl req -newkey $kind -nodes -subj /CN=$name -keyout "$D/$name.key" -out "$D/$name.request" 2>/dev/null
    openssl x509 -req -in "$D/$name.request" -CA "$D/authority.pem" -CAkey "$D/authority.key" -days 36500 \
        -extfile "$D/extensions" -outform DER -out $name.der 2>/dev/null
    openssl pkcs8 -topk8 -nocrypt -in "$D/$name.key" -outform DER -out $name.key
done
rm -f ../corpus/protected/signed ../corpus/protected/both ../corpus/protected/encrypted
cargo run --quiet --package fuzz --bin fuzz-seeds protected
