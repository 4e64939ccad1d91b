"""The words of a world: prose, names and the stock phrases of tools, in four languages."""

import random

LANGUAGES = ("en", "de", "ja", "zh")

_NOUNS = {
    "en": "invoice parcel ledger tenant roster voucher depot cursor packet lease shelf batch quota ticket beacon "
    "valve orchard harbor lantern pillar meadow copper saddle anchor bridge canal drawer engine ferry garden "
    "hammer island jacket kettle ladder mirror needle oven pocket quarry ribbon sensor tunnel uplink vessel "
    "window yard zone archive border cabin delta ember funnel gravel hinge index kernel loader margin".split(),
    "de": "Rechnung Lager Auftrag Mieter Paket Zähler Vertrag Rohr Brücke Ventil Garten Hafen Leiter Spiegel "
    "Ofen Tunnel Fenster Archiv Grenze Motor Kessel Nadel Lampe Karte Wagen Steg Kabel Fach Halle Turm".split(),
    "ja": "請求書 倉庫 注文 契約 部品 荷物 会議 予算 装置 橋 庭 港 "
    "鏡 窓 記録 境界 機関 針 地図 車両 通路 棚 温度 塔 顧客".split(),
    "zh": "发票 仓库 订单 合同 零件 包裹 会议 预算 设备 桥梁 花园 "
    "港口 镜子 窗户 记录 边界 发动机 地图 车辆 通道 货架 温度 客户".split(),
}
_VERBS = {
    "en": "replaced confirmed delayed measured doubled cleared moved lost gathered repaired counted sealed rented "
    "checked signed opened closed shipped traced joined".split(),
    "de": "ersetzt bestätigt verzögert gemessen verdoppelt geräumt verlegt gesammelt repariert gezählt "
    "vermietet geprüft".split(),
    "ja": "交換した 確認した 遅らせた 測定した 移動した 修理した 集めた 点検した 閉じた 発送した".split(),
    "zh": "更换了 确认了 推迟了 测量了 移动了 修理了 收集了 检查了 关闭了 发送了".split(),
}
_WHERE = {
    "en": "in the north hall|before the audit|after two trials|for the second shift|near the old gate|without notice|"
    "during the storm|at the lower site|since the merger|by the spring team".split("|"),
    "de": "in Halle Nord|vor der Prüfung|nach zwei Versuchen|für die Spätschicht|am alten Tor|ohne Hinweis|"
    "während des Sturms|am unteren Standort".split("|"),
    "ja": "北側の棟で|監査の前に|二回の試験の後|夜勤のために|古い門の近くで|嵐の間に|春の班により".split("|"),
    "zh": "在北楼|审计之前|两次试验之后|为夜班|在旧门附近|暴风雨期间|由春季小组".split("|"),
}
_SAY = {
    "none": ("No results found.", "Keine Treffer.", "該当なし", "没有结果"),
    "saved": ("Saved.", "Gespeichert.", "保存しました", "已保存"),
    "done": ("done", "erledigt", "完了", "完成"),
    "ok": ("ok", "ok", "成功", "成功"),
    "sent": ("Message sent.", "Nachricht gesendet.", "送信しました", "已发送"),
    "unchanged": ("No changes made.", "Keine Änderung.", "変更はありません", "没有更改"),
    "running": ("still running", "läuft noch", "実行中", "仍在运行"),
    "pending": ("pending", "ausstehend", "保留中", "待处理"),
    "denied": ("permission denied", "Zugriff verweigert", "アクセスが拒否されました", "权限被拒绝"),
    "exists": ("already exists", "existiert bereits", "既に存在します", "已存在"),
    "missing": ("not found", "nicht gefunden", "見つかりません", "未找到"),
    "required": ("is required", "fehlt", "は必須です", "为必填项"),
    "planned": ("Plan updated", "Plan aktualisiert", "計画を更新しました", "计划已更新"),
    "noted": ("Noted.", "Notiert.", "記録しました", "已记录"),
    "clicked": ("Clicked.", "Geklickt.", "クリックしました", "已点击"),
}
_FIRST = (
    "Ada Bruno Chen Dario Elif Farah Goran Hana Ines Jonas "
    "Kofi Lena Mika Noor Oskar Priya Rosa Sven Tomo Yuki"
).split()
_LAST = (
    "Abel Berg Castro Dunn Endo Fischer Gallo Haas Ito "
    "Jansen Kovac Lind Moreau Novak Okoro Park Rossi Sato Weber"
).split()


class Lexicon:
    """What is said in one run, drawn from its own random source."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self.rng = rng
        self.language = language

    def word(self) -> str:
        """One English noun: names in code, hosts, columns."""
        return self.rng.choice(_NOUNS["en"])

    def words(self, n: int) -> list[str]:
        """N different English nouns, n ≤ 60."""
        return self.rng.sample(_NOUNS["en"], n)

    def noun(self) -> str:
        """One noun of the run's language."""
        return self.rng.choice(_NOUNS[self.language])

    def sentence(self) -> str:
        """A statement with a number, hardly ever the same twice."""
        rng, lang = self.rng, self.language
        a, b = rng.choice(_NOUNS[lang]), rng.choice(_NOUNS[lang])
        verb, where, n = rng.choice(_VERBS[lang]), rng.choice(_WHERE[lang]), rng.randrange(2, 9800)
        if lang == "en":
            return f"The {a} team {verb} {n} of the {b} units {where}."
        if lang == "de":
            return f"Die Gruppe {a} hat {n} Einheiten von {b} {where} {verb}."
        return f"{a}の担当は{where}{b}を{n}件{verb}。" if lang == "ja" else f"{a}部门{where}{verb}{n}个{b}。"

    def prose(self, n: int) -> list[str]:
        """N statements."""
        return [self.sentence() for _ in range(n)]

    def say(self, key: str) -> str:
        """A stock phrase of tools."""
        return _SAY[key][LANGUAGES.index(self.language)]

    def person(self) -> str:
        return f"{self.rng.choice(_FIRST)} {self.rng.choice(_LAST)}"

    def id(self, prefix: str = "", digits: int = 5) -> str:
        """An identifier such as T-48211."""
        return f"{prefix}{self.rng.randrange(10 ** (digits - 1), 10**digits)}"

    def hex(self, n: int = 8) -> str:
        return f"{self.rng.getrandbits(4 * n):0{n}x}"
