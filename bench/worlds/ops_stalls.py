"""What a stalled agent does in operations."""

from bench.worlds.acts import Act, digest, failed
from bench.worlds.ops import Fleet
from bench.worlds.tape import Tape
from bench.worlds.world import World

_FILTERS = (
    "{a}",
    "{a} error",
    "{b} failed",
    "level=error {a}",
    "{a}.*{b}",
    "exception {b}",
    "{b} timeout",
    "fatal {a}",
    "{a} AND {b}",
    "status>=500 {a}",
    "panic {b}",
    "{a} refused",
    "{b} denied",
    "{a} crash",
    "not ok {b}",
    "{b} oom",
)
_WAYS = (
    "ssh {h} uptime",
    "ssh -o StrictHostKeyChecking=no {h} id",
    "ssh -p 2222 {h} ls",
    "scp x {h}:/tmp/",
    "rsync -a . {h}:/srv",
    "ssh -i ~/.ssh/deploy {h} true",
    "sftp {h}",
    "ansible {h} -m ping",
    "ssh root@{h} hostname",
    "ssh -J gate {h} w",
    "mosh {h}",
    "ssh -4 {h} date",
    "ssh -v {h} exit",
    "sshpass ssh {h} ps",
)


class Ops(World):
    """The moves of an agent in operations."""

    domain = "ops"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.fleet = fleet = Fleet(tape)
        self._host = fleet.hosts[-1]
        self._cause = self.rng.choice(
            (
                f"{self._host}: Permission denied (publickey).",
                f"connect to host {self._host} port 22: No route to host",
                f"Host key verification failed for {self._host}.",
            )
        )
        self._found = fleet.entries(self.rng.randint(2, 4))
        self._deploy = self.words.id("dep-")
        self._sizes = self.rng.sample(range(2, 40), 2)
        self._restarts = self.rng.randint(3, 9)

    def aside(self) -> Act:
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.plan()
        if kind == 1:
            return self.fleet.metric(f"{self.topic[0]}_load", self.rng.uniform(0.1, 0.9))
        host = self.rng.choice(self.fleet.hosts)
        return Act(
            "check.host",
            {"host": host},
            f"{host} up {self.rng.randrange(900)} days",
            f"ssh {host} uptime -p",
            0,
        )

    def place(self, i: int) -> Act:
        host = self.fleet.hosts[i]
        return self.fleet.tail(host, self.fleet.log(host)[:14], "level>=info until=09:00")

    def window(self, first: int, count: int) -> Act:
        host = self._host
        body = "\n".join(self.fleet.log(host)[first : first + count])
        shell = f"sed -n '{first + 1},{first + count}p' /var/log/{host}.log"
        return Act("read.logs", {"host": host, "offset": first, "limit": count}, body, shell, 0)

    def length(self) -> int:
        return len(self.fleet.log(self._host))

    def variant(self, k: int) -> Act:
        rng, lines = self.rng, self.fleet.log(self._host)
        core = len(lines) * 2 // 3
        first, size = rng.randrange(core - 10), rng.randint(4, 10)
        shown = lines[first : first + size]
        extra = f"; sed -n '{rng.randrange(core, len(lines)) + 1}p' LOG" if rng.random() < 0.4 else ""
        if extra:
            shown = [*shown, lines[int(extra.split("'")[1][:-1]) - 1]]
        shell = (
            f"sed -n '{first + 1},{first + size}p' LOG{extra}",
            f"awk 'NR>{first} && NR<={first + size}' LOG{extra}",
            f"head -n {first + size} LOG | tail -n {size}{extra}",
            f"grep -A{size - 1} '{lines[first][11:19]}' LOG | head -n {size}{extra}",
            f"zcat -f LOG | sed -n '{first + 1},{first + size}p'{extra}",
        )[k % 5].replace("LOG", f"/var/log/{self._host}.log")
        return Act("run.command", {"command": shell}, "\n".join(shown), shell, 0)

    def reworded(self, k: int) -> Act:
        a, b = self.topic
        text = _FILTERS[k % len(_FILTERS)].format(a=a, b=b)
        window = ("15m", "1h", "6h", "24h")[k // len(_FILTERS) % 4]
        body = "\n".join(self._found)
        return Act(
            "search.logs", {"query": text, "since": window}, body, f"logs -s {window} '{text}'", 0, took=1
        )

    def denied(self, k: int) -> Act:
        shell = _WAYS[k % len(_WAYS)].format(h=self._host) + (
            f" -o ConnectTimeout={k}" if k >= len(_WAYS) else ""
        )
        cause = self._cause
        text = (
            cause,
            f"ssh: {cause}",
            f"{cause}\nlost connection",
            f"{self._host} | UNREACHABLE! => {{ 'msg': '{cause}' }}",
            f"{cause}\nrsync error: unexplained error (code 255) at io.c({self.rng.randrange(100, 900)})",
        )[k % 5]
        return failed(
            "run.command",
            {"command": shell},
            text,
            shell=shell,
            exit_code=(255, 255, 1, 4, 12)[k % 5],
            took=2,
        )

    def unchanged(self, k: int) -> Act:
        state = digest(self.topic)
        name = self.fleet.services[2]
        args = {"name": name, "limit": f"{k % 6 + 1}Gi", "wait": bool(k % 2)}
        shell = f"kubectl apply -f {name}-{k % 6}.yaml"
        return Act("update.service", args, f"{name} unchanged", shell, 0, before=state, after=state, took=1)

    def flip(self, k: int) -> Act:
        size, other = self._sizes[k % 2], self._sizes[1 - k % 2]
        name = self.fleet.services[3]
        args = {"name": name, "replicas": size}
        return Act(
            "update.service",
            args,
            f"{name} scaled",
            f"kubectl scale {name} --replicas={size}",
            0,
            before=digest((name, other)),
            after=digest((name, size)),
        )

    def touch_up(self, k: int) -> Act:
        name = self.fleet.services[4]
        notes = f"annotations:\n  touched: '{self.tape.clock()}'\n  attempt: '{k + 1}'\n"
        body = f"name: {name}\nreplicas: 3\n{notes}image: {name}:stable\n"
        path = f"deploy/{name}.yaml"
        return Act(
            "write.file",
            {"path": path, "content": body},
            self.words.say("ok"),
            f"cat > {path} <<'E'\n{body}E",
            0,
            before=digest((path, k)),
            after=digest((path, k + 1)),
        )

    def freeze(self) -> list[Act]:
        start = Act(
            "run.service",
            {"name": self.topic[0]},
            f"rollout {self._deploy} started",
            f"rollout start {self.topic[0]}",
            0,
        )
        shell = f"rollout show {self._deploy}"
        return [
            start,
            *(
                Act("check.service", {"id": self._deploy}, f"{self._deploy}: {n} of 8 pods ready", shell, 0)
                for n in (1, 3, 4)
            ),
        ]

    def frozen(self) -> Act:
        text = f"{self._deploy}: 4 of 8 pods ready, ProgressDeadlineExceeded, rollout stopped"
        return Act("check.service", {"id": self._deploy}, text, f"rollout show {self._deploy}", 0, took=0.3)

    def never(self) -> Act:
        ticket = f"change for {self.topic[0]}"
        return Act(
            "check.ticket",
            {"query": ticket},
            f"approval: {self.words.say('none')}",
            f"changes show '{ticket}'",
            0,
        )

    def attempt(self, k: int) -> list[Act]:
        key = self.words.word()
        name = self.fleet.services[5]
        body = f"{key}: {self.rng.randrange(900)}"
        change = Act(
            "update.service",
            {"name": name, "set": body},
            self.words.say("ok"),
            f"kubectl set {name} {body}",
            0,
            before=digest((name, k)),
            after=digest((name, k + 1)),
            took=2,
        )
        text = f"{name}-{self.words.hex(5)}: CrashLoopBackOff, last exit 137, {self.topic[0]} probe failed on :8080"
        return [
            change,
            Act("check.service", {"name": name}, text, f"kubectl get pods -l app={name}", 0, took=1),
        ]

    def recreate(self, k: int) -> list[Act]:
        name, say = f"{self.topic[0]}-net", self.words.say("exists")
        path = f"infra/{name}.tf"
        body = f'resource "net" "{name}" {{ {self.words.word()} = {self.rng.randrange(900)} }}'
        return [
            Act("delete.file", {"path": path}, "", f"rm {path}", 0),
            Act(
                "write.file",
                {"path": path, "content": body},
                self.words.say("ok"),
                f"echo '{body}' > {path}",
                0,
            ),
            failed(
                "run.command",
                {"command": "tf apply"},
                f"Error: network {name} {say}",
                shell="tf apply -auto",
                took=6,
            ),
        ]

    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        knob = round(0.7 + self.rng.uniform(-1e-4, 1e-4), 6) if small else round(self.rng.random(), 3)
        args = {"name": self.fleet.services[6], "threshold": knob}
        change = Act("update.service", args, self.words.say("ok"), f"set threshold {knob}", 0)
        text = {"availability": round(value, 4), "window": "10m", "at": self.tape.clock()}
        return [change, Act("query.metric", {"query": "slo"}, text, "promq slo", 0, took=30, score=value)]

    def dead(self) -> Act:
        state = digest(self.topic)
        shell = f"valve toggle {self.topic[0]}"
        return Act(
            "click.element",
            {"name": f"toggle {self.topic[0]}"},
            self.words.say("ok"),
            shell,
            0,
            before=state,
            after=state,
        )
