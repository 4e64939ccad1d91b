"""Healthy work in operations."""

from collections.abc import Callable

from bench.worlds.acts import Act, digest, failed
from bench.worlds.ops_stalls import Ops

_STAGES = "checkout compile unit package scan integration publish deploy smoke".split()


def _sleep(w: Ops, seconds: int) -> Act:
    return Act("wait.time", {"seconds": seconds}, w.words.say("ok"), f"sleep {seconds}", 0, took=seconds)


def log_hunt(w: Ops) -> None:
    """Other hosts, other words, other windows: some find nothing."""
    fleet, rng = w.fleet, w.rng
    for host in rng.sample(fleet.hosts, rng.randint(8, 15)):
        found = fleet.entries(rng.choice((0, 3, 6, 9)))
        w.tape.do(fleet.tail(host, found, f"{w.words.word()} {rng.randrange(100, 600)}"))
        if rng.random() < 0.3:
            w.tape.do(fleet.metric(f"{w.words.word()}_errors", rng.uniform(0, 40)))


def canary_deployment(w: Ops) -> None:
    """Weight up, wait, look at the metrics, weight up."""
    fleet, rng, name = w.fleet, w.rng, w.fleet.services[0]
    for weight in (1, 5, 10, 25, 50, 75, 100):
        shell = f"deployctl weight {name} {weight}"
        w.tape.do(Act("update.service", {"name": name, "weight": weight}, w.words.say("ok"), shell, 0))
        for _ in range(rng.randint(1, 3)):
            w.tape.do(_sleep(w, rng.choice((120, 300))))
            w.tape.do(fleet.metric(f"{name}_errors", rng.uniform(0.001, 0.02)))
    w.tape.milestone("rolled-out")


def heartbeats(w: Ops) -> None:
    """A scheduler wakes the agent every few minutes; mostly there is nothing to do."""
    minutes, quiet = w.rng.choice((5, 10, 15)), w.words.say("none")
    prompted = not w.tape.dialect.clock or w.rng.random() < 0.5
    for _ in range(w.rng.randint(8, 16)):
        w.tape.wait(minutes * 60)
        if prompted:  # without a clock and without this nobody could tell it from a cycle
            w.tape.user()
        w.tape.do(Act("check.service", {"scope": "all"}, "12 of 12 healthy", "svc check --all", 0))
        alerts = f"{w.words.word()}: {w.rng.randrange(90)} % full" if w.rng.random() < 0.15 else quiet
        w.tape.do(Act("list.item", {"kind": "alerts"}, alerts, "alerts list", 0))


def backoff(w: Ops) -> None:
    """A fault that passes, met with longer and longer pauses; then another."""
    for _ in range(w.rng.randint(2, 3)):
        url, pause = f"https://api.{w.words.word()}.example.test/v1/{w.words.word()}", 5
        for _ in range(w.rng.randint(3, 5)):
            w.tape.do(
                failed(
                    "read.item",
                    {"url": url},
                    "503 Service Unavailable",
                    shell=f"curl -f {url}",
                    exit_code=22,
                    took=2,
                )
            )
            w.tape.do(_sleep(w, pause))
            pause *= 2
        w.tape.do(Act("read.item", {"url": url}, "\n".join(w.words.prose(3)), f"curl -f {url}", 0))
        for _ in range(3):
            w.tape.do(w.fleet.metric(f"{w.words.word()}_total", w.rng.uniform(1, 900)))


def fleet_walk(w: Ops) -> None:
    """Each host: look, patch, verify; the answers are much the same."""
    version = f"{w.rng.randint(1, 9)}.{w.rng.randint(0, 20)}.{w.rng.randint(1, 9)}"
    for host in w.fleet.hosts[: w.rng.randint(7, 15)]:
        w.tape.do(
            Act("check.host", {"host": host}, f"agent {version}-old", f"ssh {host} agent -v", 0),
            Act(
                "update.host",
                {"host": host, "version": version},
                w.words.say("done"),
                f"ssh {host} upgrade {version}",
                0,
                took=15,
            ),
            Act("check.host", {"host": host}, f"agent {version}", f"ssh {host} agent -v", 0),
        )


def nightly_job(w: Ops) -> None:
    """A long job watched with long pauses; it moves in steps."""
    job, step = w.words.id("nightly-"), 1
    w.tape.do(Act("run.job", {"name": "nightly"}, f"{job} started", "jobs start nightly", 0))
    for _ in range(w.rng.randint(8, 16)):
        w.tape.do(_sleep(w, w.rng.choice((300, 600, 900))))
        step += w.rng.random() < 0.5
        w.tape.do(
            Act(
                "check.job",
                {"id": job},
                f"{job}: step {step} of 9 {w.words.say('running')}",
                f"jobs show {job}",
                0,
            )
        )
    w.tape.do(Act("check.job", {"id": job}, f"{job}: {w.words.say('done')}", f"jobs show {job}", 0))
    w.tape.milestone("nightly-done")


def pipeline_wait(w: Ops) -> None:
    """A pipeline looked at every half minute; stage after stage turns green."""
    number, stage, inside = w.words.id("#"), 0, 0
    w.tape.do(Act("run.job", {"name": "pipeline"}, f"pipeline {number} created", "ci run", 0))
    while stage < len(_STAGES):
        w.tape.do(_sleep(w, w.rng.choice((30, 45, 60))))
        lines = [f"{name} passed" for name in _STAGES[:stage]] + [
            f"{_STAGES[stage]} {w.words.say('running')}"
        ]
        w.tape.do(Act("check.job", {"id": number}, "\n".join(lines), f"ci show {number}", 0))
        inside += 1
        if w.rng.random() < 0.5 or inside > 3:
            stage, inside = stage + 1, 0


def incident(w: Ops) -> None:
    """One hypothesis after the other, each looked at from another side."""
    fleet, rng = w.fleet, w.rng
    for _ in range(rng.randint(4, 8)):
        host, name = rng.choice(fleet.hosts), w.words.word()
        w.tape.together(
            *(fleet.metric(f"{name}_{part}", rng.uniform(0, 99)) for part in ("errors", "latency", "load"))
        )
        w.tape.do(fleet.tail(host, fleet.entries(rng.randint(3, 8)), name))
        if rng.random() < 0.5:
            text = f"{name}.conf: {w.words.word()} = {rng.randrange(900)}\n{w.words.sentence()}"
            w.tape.do(Act("read.file", {"path": f"/etc/{name}.conf"}, text, f"cat /etc/{name}.conf", 0))
        if rng.random() < 0.5:
            w.tape.do(
                Act(
                    "run.service",
                    {"name": name, "action": "restart"},
                    w.words.say("ok"),
                    f"systemctl restart {name}",
                    0,
                    took=6,
                )
            )


def probes_from_everywhere(w: Ops) -> None:
    """One check from many hosts in one turn; all of them are refused."""
    for _ in range(w.rng.randint(3, 5)):
        target = f"{w.words.word()}.internal:{w.rng.randrange(1000, 9999)}"
        probes = [
            failed(
                "check.host",
                {"host": host, "target": target},
                "connection refused",
                shell=f"ssh {host} nc -z {target}",
            )
            for host in w.fleet.hosts[: w.rng.randint(4, 9)]
        ]
        w.tape.together(*probes)
        w.tape.do(
            Act(
                "create.item",
                {"name": target, "rule": w.words.word()},
                w.words.say("ok"),
                f"fw allow {target}",
                0,
            )
        )
        w.tape.do(
            Act(
                "check.host",
                {"host": w.fleet.hosts[0], "target": target},
                f"{target} open",
                f"nc -z {target}",
                0,
            )
        )


def metric_watch(w: Ops) -> None:
    """A value watched after a change, minute by minute: it is what is wanted."""
    value = w.rng.uniform(60, 95)
    for _ in range(w.rng.randint(8, 16)):
        w.tape.do(_sleep(w, 60))
        w.tape.do(w.fleet.metric(f"{w.fleet.services[1]}_disk", value))
        value -= w.rng.uniform(0.2, 4)


def idempotent_rollout(w: Ops) -> None:
    """One playbook over all hosts; most of them are as they should be already."""
    for host in w.fleet.hosts[: w.rng.randint(8, 16)]:
        state = digest(host)
        changed = w.rng.random() < 0.2
        after = digest((host, 1)) if changed else state
        text = f"{host}: ok=9 changed={int(changed)} failed=0"
        w.tape.do(
            Act(
                "run.host",
                {"host": host, "play": "base"},
                text,
                f"play base -l {host}",
                0,
                before=state,
                after=after,
                took=9,
            )
        )


WORK: dict[str, Callable[[Ops], None]] = {
    "ops/log_hunt": log_hunt,
    "ops/canary_deployment": canary_deployment,
    "ops/heartbeats": heartbeats,
    "ops/backoff": backoff,
    "ops/fleet_walk": fleet_walk,
    "ops/nightly_job": nightly_job,
    "ops/pipeline_wait": pipeline_wait,
    "ops/incident": incident,
    "ops/probes_from_everywhere": probes_from_everywhere,
    "ops/metric_watch": metric_watch,
    "ops/idempotent_rollout": idempotent_rollout,
}
