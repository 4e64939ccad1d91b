"""What a short answer says of the call: taken, nothing there, under way, over. Hints, in several languages.

Words are the weakest evidence the detector has: structure comes first ([], {"ok": true}), and what a run has seen
decides. A word only tells a constant "ok" from a constant "no matches", which shape alone cannot.
"""

import re
from typing import Literal

Tone = Literal["", "ack", "negative", "underway", "over"]

SHORT = 300
"""Bytes; longer answers have no tone."""


def _words(text: str) -> re.Pattern[str]:
    """Latin words match at word borders with endings free, others anywhere."""
    latin = [
        re.escape(w.replace("_", " ")) for w in text.split() if w.isascii() or (w[0].isalpha() and w[0] < "ʰ")
    ]
    other = [re.escape(w) for w in text.split() if not (w.isascii() or (w[0].isalpha() and w[0] < "ʰ"))]
    parts = [r"\b(?:" + "|".join(latin) + r")"] if latin else []
    return re.compile("|".join(parts + other), re.IGNORECASE)


_NEGATIVE = _words(
    r"""no nothing none not 0_results 0_matches 0_rows 0_hits 0_items empty zero without missing unknown null nil
    kein nicht nichts keine leer ohne aucun aucune rien vide pas_de sin ningún ninguna nada vacío nessun nulla
    нет ничего пусто не_найден nenhum なし ありません 見つかりません 空 没有 沒有 无 未找到 空的 없음 없습니다"""
)
_UNDERWAY = _words(
    r"""running pending queued in_progress in-progress in_queue waiting processing building started starting
    still scheduled busy loading working ongoing armed submitted continu not_ready not_yet inprogress
    läuft wartet in_arbeit gestartet en_cours en_attente en_curso pendiente in_corso выполняется ожидание
    実行中 待機 処理中 进行中 運行中 运行中 等待 排队 진행 대기"""
)
_OVER = _words(
    r"""done finished completed complete succeeded success failed failure exited cancelled canceled terminated
    stopped fertig beendet abgeschlossen terminé fini terminado completado finalizado completato завершено готово
    完了 終了 已完成 完成 结束 완료"""
)
_ACK = _words(
    r"""ok okay done success accepted created updated saved stored sent queued written wrote added removed deleted
    moved copied edited replaced replacement applied set inserted committed uploaded posted delivered recorded
    registered received submitted enabled disabled started navigated scrolled clicked pressed typed selected true
    erledigt gespeichert erstellt aktualisiert gesendet hinzugefügt angelegt guardado creado enviado actualizado
    añadido enregistré créé envoyé mis_à_jour ajouté salvato creato inviato aggiornato сохранено создано отправлено
    обновлено добавлено 保存 作成 送信 更新 追加 登録 成功 完了 已保存 已创建 已发送 已更新 저장 생성 전송"""
)


def tone(text: str, *, hollow: bool) -> Tone:
    """The tone of a short answer, "" where there is none. O(1): longer answers are not looked at."""
    if hollow:
        return "negative"
    if not text or len(text) > SHORT:
        return ""
    if _UNDERWAY.search(text):
        return "underway"
    if _NEGATIVE.search(text):
        return "negative"
    if _ACK.search(text):
        return "over" if _OVER.match(text) and not _ACK.match(text) else "ack"
    return "over" if _OVER.search(text) else ""
