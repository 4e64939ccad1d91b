"""How one fleet writes its calls down: names of tools and arguments, wrappers, what the wire carries and what not."""

import json
import random
from typing import Any

from bench.worlds.acts import Act

_VERBS = {
    # verb: (effect, English words, German, Japanese, Chinese)
    "read": ("read", ("read", "get", "view", "fetch"), "Lesen", "読む", "读取"),
    "open": ("read", ("open", "goto", "visit"), "Öffnen", "開く", "打开"),
    "list": ("read", ("list", "ls", "enumerate"), "Auflisten", "一覧", "列出"),
    "search": ("read", ("search", "find", "lookup"), "Suchen", "検索", "搜索"),
    "query": ("read", ("query", "select", "execute"), "Abfragen", "照会", "查询"),
    "check": ("read", ("check", "status", "describe"), "Prüfen", "確認", "检查"),
    "write": ("write", ("write", "save", "put"), "Schreiben", "書く", "写入"),
    "edit": ("write", ("edit", "replace", "patch"), "Ändern", "編集", "编辑"),
    "create": ("write", ("create", "add", "new"), "Anlegen", "作成", "创建"),
    "delete": ("write", ("delete", "remove", "drop"), "Löschen", "削除", "删除"),
    "update": ("write", ("update", "set", "modify"), "Setzen", "更新", "更新"),
    "send": ("message", ("send", "post", "reply"), "Senden", "送る", "发送"),
    "click": ("write", ("click", "press", "tap"), "Klicken", "押す", "点击"),
    "type": ("write", ("type", "fill", "input"), "Eingeben", "入力", "输入"),
    "scroll": ("read", ("scroll", "page"), "Blättern", "スクロール", "滚动"),
    "run": ("run", ("run", "execute", "start"), "Ausführen", "実行", "运行"),
    "wait": ("wait", ("wait", "sleep", "pause"), "Warten", "待つ", "等待"),
    "plan": ("plan", ("update", "set", "write"), "Planen", "計画", "计划"),
    "note": ("plan", ("note", "think", "log"), "Notieren", "メモ", "记录"),
    "ask": ("message", ("delegate", "ask", "assign"), "Beauftragen", "依頼", "委派"),
}
_NOUNS = {
    "file": ("file file_contents document", "Datei", "ファイル", "文件"),
    "tree": ("directory folder dir", "Ordner", "フォルダ", "目录"),
    "code": ("code text in_files", "Quelltext", "コード", "代码"),
    "tests": ("tests test_suite checks", "Tests", "テスト", "测试"),
    "command": ("command script task", "Befehl", "コマンド", "命令"),
    "web": ("web internet pages", "Netz", "ウェブ", "网页"),
    "page": ("page url browser", "Seite", "ページ", "页面"),
    "element": ("element button control", "Element", "要素", "元素"),
    "field": ("field text form", "Feld", "欄", "字段"),
    "table": ("table rows records", "Tabelle", "表", "表格"),
    "sql": ("sql database db", "Datenbank", "データベース", "数据库"),
    "job": ("job process run", "Auftrag", "ジョブ", "任务"),
    "model": ("model training experiment", "Modell", "モデル", "模型"),
    "host": ("host server node", "Rechner", "サーバー", "主机"),
    "logs": ("logs log_lines journal", "Protokoll", "ログ", "日志"),
    "metric": ("metric metrics series", "Messwert", "指標", "指标"),
    "service": ("service deployment workload", "Dienst", "サービス", "服务"),
    "order": ("order purchase sale", "Bestellung", "注文", "订单"),
    "ticket": ("ticket issue request", "Anfrage", "チケット", "工单"),
    "customer": ("customer user account", "Kunde", "顧客", "客户"),
    "mail": ("mail email message", "Post", "メール", "邮件"),
    "event": ("event calendar slot", "Termin", "予定", "日程"),
    "document": ("document", "Dokument", "書類", "文档"),
    "article": ("article knowledge kb", "Artikel", "記事", "文章"),
    "payment": ("payment refund transaction", "Zahlung", "支払い", "付款"),
    "todo": ("todo plan tasks", "Liste", "一覧", "清单"),
    "thought": ("thought note memory", "Gedanke", "考え", "想法"),
    "agent": ("agent worker subtask", "Helfer", "担当", "助手"),
    "time": ("time seconds timer", "Zeit", "時間", "时间"),
    "item": ("item entry resource", "Eintrag", "項目", "条目"),
}
_KEYS = {
    "path": ("path", "file_path", "filename", "target_file", "uri"),
    "query": ("query", "q", "text", "search_term"),
    "id": ("id", "key", "ref", "identifier"),
    "content": ("content", "contents", "body", "text"),
    "offset": ("offset", "start_line", "from", "start"),
    "limit": ("limit", "max_lines", "count", "size"),
    "seconds": ("seconds", "duration", "timeout"),
}
_FOREIGN_KEYS = {
    "de": {
        "path": "pfad",
        "query": "suchtext",
        "id": "kennung",
        "content": "inhalt",
        "name": "name_des_ziels",
    },
    "ja": {"path": "パス", "query": "検索語", "id": "番号", "content": "内容", "name": "名前"},
    "zh": {"path": "路径", "query": "关键词", "id": "编号", "content": "内容", "name": "名称"},
}
_SHELLS = (
    "bash",
    "shell",
    "terminal",
    "run_command",
    "execute_bash",
    "mcp__host__exec",
    "Bash",
    "local_shell",
    "commandLine",
)


class Dialect:
    """One run's way of writing. Drawn once; the same act is always written the same way."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self.rng = rng
        self.style = rng.choice(("snake", "snake", "camel", "mcp", "dotted", "kebab", "pascal", "plain"))
        if language != "en" and rng.random() < 0.5:
            self.style = language
        elif rng.random() < 0.06:
            self.style = "opaque"
        self.server = rng.choice(("ws", "acme", "toolbox", "core", "desk"))
        self.shell = rng.random() < 0.4
        self.shell_name = rng.choice(_SHELLS)
        self.shell_key = rng.choice(("command", "command", "cmd", "script"))
        self.prefix = rng.choice(("", "", "", "cd /srv/app && ", "set -e; "))
        self.clock = rng.random() < 0.88
        self.clock_start = rng.choice((0.0, 0.0, 1_764_000_000.0 + rng.randrange(10**6)))
        self.exit_codes = rng.random() < 0.8
        self.hashes = rng.random() < 0.7
        self.read_hashes = rng.random() < 0.4
        """Whether the host hashes the target of a mere read too."""
        self.errors = rng.choice(("text", "text", "flag", "none"))
        self.effects = rng.random() < 0.12
        self.turns = rng.random() < 0.3
        self.durations = rng.random() < 0.25
        self.wrap = rng.choice(("plain", "plain", "plain", "plain", "content", "output", "json"))
        self.footer = rng.choice(("", "", "", "took", "request", "clock"))
        self.think = rng.uniform(2.0, 14.0)
        self._names: dict[str, str] = {}
        self._keys = {key: rng.choice(names) for key, names in _KEYS.items()}
        self._keys |= _FOREIGN_KEYS.get(self.style, {}) if rng.random() < 0.6 else {}

    def call(self, act: Act) -> tuple[str, Any, bool]:
        """The name and arguments as written, and whether it went through the shell."""
        if act.raw:
            return self.name(act.name), act.args, False
        if act.shell and self.shell:
            return self.shell_name, {self.shell_key: self.prefix + act.shell}, True
        return self.name(act.name), {self._key(key): value for key, value in act.args.items()}, False

    def reads(self, act: Act) -> bool:
        """Whether the act only looks."""
        return _VERBS[act.name.split(".", 1)[0]][0] == "read"

    def effect(self, act: Act) -> str | None:
        """The effect as the host declares it, where it does."""
        return _VERBS[act.name.split(".", 1)[0]][0] if self.effects else None

    def name(self, act: str) -> str:
        """The name of a tool; one name for one act."""
        known = self._names.get(act)
        if known is None:
            known = self._names[act] = self._new_name(*act.split("."))
            if list(self._names.values()).count(known) > 1:
                known = self._names[act] = f"{known}{len(self._names)}"
        return known

    def _new_name(self, verb: str, noun: str) -> str:
        words, nouns = _VERBS[verb], _NOUNS[noun]
        if self.style == "opaque":
            return f"t{self.rng.randrange(1000)}"
        if self.style == "de":
            return nouns[1] + words[2]
        if self.style == "ja":
            return f"{nouns[2]}を{words[3]}"
        if self.style == "zh":
            return words[4] + nouns[3]
        parts = [self.rng.choice(words[1]), *self.rng.choice(nouns[0].split()).split("_")]
        return _joined(parts, self.style, self.server)

    def _key(self, key: str) -> str:
        key = self._keys.get(key, key)
        return _camel(key.split("_")) if self.style in {"camel", "pascal"} and "_" in key else key

    def wrapped(self, result: Any, exit_code: int | None, took: float) -> Any:
        """The result in the fleet's envelope."""
        if self.wrap == "plain":
            return result
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        if self.wrap == "content":
            return {"content": [{"type": "text", "text": text}]}
        if self.wrap == "output":
            return {"output": text, "duration_ms": round(took * self.rng.uniform(900, 1100))}
        return json.dumps(
            {"output": text, "exit": exit_code, "elapsed": round(took * self.rng.uniform(0.9, 1.1), 3)}
        )


def _joined(parts: list[str], style: str, server: str) -> str:
    if style == "camel":
        return _camel(parts)
    if style == "pascal":
        return "".join(part.capitalize() for part in parts)
    if style == "plain":
        return parts[0]
    joint = {"kebab": "-", "dotted": ".", "mcp": "_", "snake": "_"}[style]
    return (f"mcp__{server}__" if style == "mcp" else "") + joint.join(parts)


def _camel(parts: list[str]) -> str:
    return parts[0] + "".join(part.capitalize() for part in parts[1:])
