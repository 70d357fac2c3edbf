#!/usr/bin/env bash
# Adds seeds to the corpus from a real queue manager and real programs: `fuzz/record-seeds.sh`. What is there stays.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --package cli --package fuzz --bins
F=$PWD/target/debug/ferry S=$PWD/target/debug/fuzz-seeds
D=$(mktemp -d)
export FERRY_DATA=$D
trap '"$F" qmgr stop SEED --preemptive >/dev/null 2>&1 || true; rm -rf "$D"' EXIT
$F qmgr create SEED --port 17414 --set log.extent_size=1MiB --set log.primary_extents=2 >/dev/null
$F qmgr start SEED --detach >/dev/null
$F mqsc SEED -e "DEFINE QLOCAL(Q) MAXDEPTH(5000) DEFPSIST(YES) DESCR('a queue') MSGDLVSQ(FIFO)" -e "DEFINE QALIAS(A) TARGET(Q)" -e "DEFINE QMODEL(M) DEFTYPE(PERMDYN)" -e "ALTER QMGR DESCR('seed')" >/dev/null
# Runs a command through the recorder: the name of the seeds, the command.
session() {
    name=$1
    shift
    $S session 127.0.0.1:17415 127.0.0.1:17414 $name & p=$!
    sleep 0.5
    "$@" >/dev/null || true
    wait $p
}
C="--connect 127.0.0.1:17415"
session put-persistent $F put -P Q hello world $C
session get $F get Q $C
session put-express sh -c "seq 40 | $F put Q $C"
session browse $F browse Q $C
session get-all $F get Q --all $C
session mqsc $F mqsc $C -e "DISPLAY QLOCAL(*) ALL" -e "DISPLAY CONN(*) ALL" -e "DISPLAY QSTATUS(*) TYPE(HANDLE) ALL"
session mqsc-wrong $F mqsc $C -e "DEFINE QLOCAL(Q)"
session request $F request Q "a question" --wait 1s $C
session top $F top --once $C
session unknown-queue $F get NO.SUCH.QUEUE $C
session other-manager $F put -m OTHER Q x $C
session alias $F put -P A "through an alias" $C
session large sh -c "head -c 300000 /dev/zero | tr '\\0' x | $F put Q $C"
$F pub --retain price/tin 42 >/dev/null
session subscribe $F sub 'price/+' --durable recorded --remove --topics --wait 200ms $C
$F put -P Q one two three >/dev/null
$F qmgr stop SEED --immediate >/dev/null
sleep 1
# A start writes: it is given a copy.
mkdir "$D/copy"
cp -r "$D/SEED" "$D/copy/SEED"
$S directory $D/copy/SEED seed
