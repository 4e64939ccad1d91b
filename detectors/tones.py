"""What a short answer says of the call: taken, nothing there, under way, over. Hints, in several languages.

Words are the weakest evidence the detector has: structure comes first ([], {"ok": true}), and what a run has seen
decides. A word only tells a constant "ok" from a constant "no matches", which shape alone cannot.
"""

import re
from functools import lru_cache
from itertools import filterfalse
from typing import Literal

Tone = Literal["", "ack", "negative", "underway", "over"]

SHORT = 300
"""Bytes; longer answers have no tone."""
_STEM = 5
"""Letters from which a word of the tables stands for every word that begins with it."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")

_TABLE: dict[Tone, str] = {
    "underway": """running pending queued processing building scheduled busy loading ongoing armed waiting started
        starting läuft wartet gestartet pendiente выполняется ожидание 実行中 待機 処理中 进行中 運行中 运行中 等待
        排队 진행 대기""",
    "negative": """no nothing none not empty zero without missing unknown null nil kein keine nicht nichts leer ohne
        aucun aucune rien vide sin ningún ninguna nada vacío nessun nessuna nulla нет ничего пусто nenhum nenhuma なし
        ありません 見つかりません 空 没有 沒有 未找到 空的 없음 없습니다""",
    "ack": """ok okay done success accepted created updated saved stored sent queued written wrote added removed
        deleted moved copied edited patched replaced replacement applied set inserted committed uploaded posted
        delivered recorded registered submitted modified changed enabled disabled navigated scrolled clicked
        pressed typed selected true noted closed opened erledigt gespeichert erstellt aktualisiert gesendet hinzugefügt
        angelegt geschrieben guardado creado enviado actualizado añadido enregistré créé envoyé ajouté salvato creato
        inviato aggiornato сохранено создано отправлено обновлено добавлено 保存 作成 送信 更新 追加 登録 成功 已保存
        已创建 已发送 已更新 저장 생성 전송""",
    "over": """finished completed complete succeeded failed failure exited cancelled canceled terminated stopped
        fertig beendet abgeschlossen terminé fini terminado completado finalizado completato завершено готово 完了 終了
        已完成 完成 结束 완료""",
}
_PHRASES: tuple[tuple[str, tuple[tuple[str, Tone], ...]], ...] = (
    ("progress", (("in progress", "underway"), ("in_progress", "underway"))),
    ("in ", (("in queue", "underway"), ("in arbeit", "underway"))),
    ("not ", (("not ready", "underway"), ("not yet", "underway"))),
    ("en c", (("en cours", "underway"), ("en curso", "underway"))),
)
"""By what they have in common, which is looked for first."""
_ORDER: tuple[Tone, ...] = ("underway", "negative", "ack", "over")
_EXACT: dict[str, Tone] = {}
_STEMS: dict[str, list[tuple[str, Tone]]] = {}
_ELSEWHERE: list[tuple[str, Tone]] = []
"""Scripts without blanks: found anywhere."""
for _tone in reversed(_ORDER):
    for _entry in _TABLE[_tone].split():
        if _entry[0] >= "\u3000":
            _ELSEWHERE.append((_entry, _tone))
        elif len(_entry) >= _STEM:
            _STEMS.setdefault(_entry[:_STEM], []).append((_entry, _tone))
        else:
            _EXACT[_entry] = _tone


def tone(text: str, *, hollow: bool) -> Tone:
    """The tone of a short answer, "" where there is none. O(1): longer answers are not looked at."""
    if hollow:
        return "negative"
    return _said_by(text) if text and len(text) <= SHORT else ""


_NONE_FIRST = re.compile(r"\W*0 [^\W\d_]{3,}(?![^\n]*(?<![\d.,])[1-9]\d* (?:passed|ok)\b)")
"""It begins with a count of none, in whatever language."""
_NONE_FOUND = re.compile(r"(?<![\d.,])0 (?:results|matches|rows|hits|items)")


@lru_cache(maxsize=1024)
def _said_by(text: str) -> Tone:
    low = text.lower()
    none = "0 " in low
    if none and _NONE_FIRST.match(low) is not None:
        return "negative"
    if low.isascii():
        words = low.encode().translate(_BLANKS).split()
        # No figure has a tone, and nearly each is another one: they would push the words out of the cache.
        said: set[Tone] = set(map(_of_ascii, filterfalse(bytes.isdigit, words)))
    else:
        said = set(map(_of_word, _WORD.findall(low)))
        for part, found in _ELSEWHERE:
            if part in low:
                said.add(found)
    for part, phrases in _PHRASES:
        if part in low:
            said.update([found for phrase, found in phrases if phrase in low])
    if none and _NONE_FOUND.search(low) is not None:
        said.add("negative")
    for kind in _ORDER:
        if kind in said:
            return kind
    return ""


_BLANKS = bytes(i if chr(i).isalnum() and i < 128 else 0x20 for i in range(256))


@lru_cache(maxsize=4096)
def _of_ascii(word: bytes) -> Tone:
    return _looked_up(word.decode())


@lru_cache(maxsize=4096)
def _of_word(word: str) -> Tone:
    return _looked_up(word)


def _looked_up(word: str) -> Tone:
    found = _EXACT.get(word)
    if found is not None:
        return found
    for stem, kind in _STEMS.get(word[:_STEM], ()):
        if word.startswith(stem):
            return kind
    return ""
