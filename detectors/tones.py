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
    """Latin words stand between word borders, from five letters on with free endings; other scripts anywhere."""
    parts = []
    for word in text.split():
        plain = re.escape(word).replace("_", " ")
        if word[0] < "\u02b0":
            parts.append(rf"\b{plain}" if len(word) >= 5 else rf"\b{plain}\b")
        else:
            parts.append(plain)
    return re.compile("|".join(parts), re.IGNORECASE)


_NEGATIVE = _words(
    r"""no nothing none not 0_results 0_matches 0_rows 0_hits 0_items empty zero without missing unknown null nil
    kein nicht nichts keine leer ohne aucun aucune rien vide pas_de sin ningún ninguna nada vacío nessun nulla
    нет ничего пусто не_найден nenhum なし ありません 見つかりません 空 没有 沒有 无 未找到 空的 없음 없습니다"""
)
_UNDERWAY = _words(
    r"""running pending queued in_progress in-progress in_queue waiting processing building started starting
    scheduled busy loading ongoing armed not_ready not_yet inprogress
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
    registered received submitted modified changed enabled disabled started navigated scrolled clicked pressed typed selected true
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
