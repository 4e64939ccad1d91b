#!/usr/bin/env bash
# One Apache Kafka broker (KRaft, broker and controller in one) on loopback, without Docker: needs Java 17, and Maven once.
#
#   broker.sh fetch               the jars are in $KAFKA_LIBS
#   broker.sh run DIR [PORT]      runs in the foreground until it is signalled; data in DIR, clients at 127.0.0.1:PORT
#
# A DIR that was used before is taken up again with its data. PORT is 9092 unless given; the controller listens on
# $KAFKA_CONTROLLER_PORT, by default PORT + 1. KAFKA_LIBS is .kafka/libs of the working directory unless set, KAFKA_HEAP 512m.
# KAFKA_DIE_WITH_PARENT=1 ends the broker with the process that started it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libs=${KAFKA_LIBS:-$PWD/.kafka/libs}

fail() { echo "broker.sh: $*" >&2; exit 2; }

fetch() {
  command -v mvn >/dev/null || fail "Maven is not installed: apt-get install maven"
  # Fetched beside and moved in one step, so that an interrupted download is never taken for a complete one.
  local part="$libs.part.$$"
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$part"
  mkdir -p "$(dirname "$libs")"
  rm -rf "$libs"
  mv "$part" "$libs"
}

write_settings() { # DIR PORT CONTROLLER_PORT
  cat >"$1/log4j2.properties" <<EOF
rootLogger.level=${KAFKA_LOG:-warn}
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{HH:mm:ss.SSS} %p %c{1} %m%n
EOF
  cat >"$1/server.properties" <<EOF
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:$3
listeners=CLIENT://127.0.0.1:$2,CONTROLLER://127.0.0.1:$3
listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=CLIENT
controller.listener.names=CONTROLLER
log.dirs=$1/data
auto.create.topics.enable=false
# One broker: every internal topic has one replica.
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
# Nobody else is expected to join, so a group need not wait for more members.
group.initial.rebalance.delay.ms=0
# A small machine's share of threads and memory.
num.network.threads=2
num.io.threads=2
background.threads=2
log.cleaner.threads=1
log.cleaner.dedupe.buffer.size=8388608
EOF
}

run() { # DIR PORT
  local dir port=${2:-9092}
  local controller=${KAFKA_CONTROLLER_PORT:-$((port + 1))}
  command -v java >/dev/null || fail "Java 17 is not installed: apt-get install openjdk-17-jre-headless"
  compgen -G "$libs/kafka_*.jar" >/dev/null || fail "no Kafka jars in $libs: run '$0 fetch' first, or set KAFKA_LIBS"
  mkdir -p "$1"
  dir=$(cd "$1" && pwd)
  write_settings "$dir" "$port" "$controller"
  local java=(java -Xms128m "-Xmx${KAFKA_HEAP:-512m}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto
    "-Dlog4j2.configurationFile=$dir/log4j2.properties" -cp "$libs/*")
  if [ ! -e "$dir/data/meta.properties" ]; then
    # 16 bytes in base64url; a leading '-' would be read as an option.
    local id="A$(head -c 16 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=' | cut -c 2-)"
    "${java[@]}" kafka.tools.StorageTool format -t "$id" -c "$dir/server.properties" --standalone \
      >"$dir/format.log" 2>&1 || { cat "$dir/format.log" >&2; exit 1; }
  fi
  if [ -n "${KAFKA_DIE_WITH_PARENT:-}" ] && command -v setpriv >/dev/null; then
    exec setpriv --pdeathsig TERM "${java[@]}" kafka.Kafka "$dir/server.properties"
  fi
  exec "${java[@]}" kafka.Kafka "$dir/server.properties"
}

case ${1:-} in
  fetch) fetch ;;
  run) run "${2:?DIR is missing: broker.sh run DIR [PORT]}" "${3:-}" ;;
  *) fail "say 'fetch' or 'run DIR [PORT]'" ;;
esac
