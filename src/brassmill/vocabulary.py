"""The words of the notation in English, German and French, in one table.

The English word is canonical: records and programs use it. Players read and type the German and
French words. All of them, and the other spellings, are understood in every language: within one
part of the grammar, no spelling has two meanings. Umlauts may be typed as `ae`, `oe`, `ue`.
"""

from __future__ import annotations

from typing import NamedTuple

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


class Word(NamedTuple):
    """A word in three languages, and its other spellings."""

    en: str
    de: str
    fr: str
    also: str = ""  # separated by commas

    @property
    def others(self) -> tuple[str, ...]:
        """Every spelling but the canonical one."""
        spellings = [self.de, self.fr, *filter(None, self.also.split(", "))]
        return tuple(dict.fromkeys(form for word in spellings for form in with_umlauts(word)))


def with_umlauts(word: str) -> tuple[str, ...]:
    """A word, and its spelling without umlauts."""
    plain = word.translate(_UMLAUTS)
    return (word,) if plain == word else (word, plain)


# Actions: the first word of a text.
VERBS = (
    Word("build", "baue", "construire", "bauen, bau, baut, construis, construction, bâtir, bâtis"),
    Word(
        "link",
        "verbinde",
        "relier",
        "network, connect, verbinden, Verbindung, Strecke, vernetze, vernetzen, Netzwerk, relie,"
        " liaison, lien, réseau",
    ),
    Word("sell", "verkaufe", "vendre", "sale, verkaufen, Verkauf, vends, vente"),
    Word(
        "develop",
        "entwickle",
        "développer",
        "development, entwickeln, Entwicklung, développe, développement",
    ),
    Word(
        "loan",
        "leihe",
        "emprunter",
        "borrow, leihen, Kredit, Darlehen, Anleihe, emprunte, emprunt, prêt",
    ),
    Word(
        "scout",
        "erkunde",
        "prospecter",
        "erkunden, kundschafte, kundschaften, auskundschaften, sondiere, sondieren, prospecte,"
        " prospection, éclaireur",
    ),
    Word("pass", "passe", "passer", "passen"),
    Word("give up", "gib auf", "céder", "aufgeben, opfere, cède, abandonner, abandonne"),
)

# Other parts of an action.
PARTS = (
    Word("end", "Ende", "extrémité", "bout"),
    Word("coal", "Kohle", "charbon"),
    Word("iron", "Eisen", "fer"),
    Word("beer", "Bier", "bière", "barrel, Fass, Bierfass, tonneau"),
    Word("remove", "entferne", "retirer", "entfernen, retire"),
    Word("card", "Karte", "carte"),
    Word("cards", "Karten", "cartes"),
    Word("two cards", "zwei Karten", "deux cartes", "2 cards, 2 Karten, 2 cartes"),
    Word("done", "fertig", "terminé", "Schluss, terminer, fini, finir"),
)

# Buyers.
BUYERS = (
    Word("port", "Hafen", "port", "harbour, harbor"),
    Word(
        "distant",
        "Ferner Markt",
        "marché extérieur",
        "distant market, foreign market, fern, ferne, Fernmarkt, Übersee,"
        " Ausland, extérieur, marché lointain, marché distant, marché étranger, lointain, étranger,"
        " marché extérieur du coton",
    ),
    Word("merchant", "Händler", "marchand", "trader, négociant, commerçant"),
)

# Where cubes are bought.
MARKET = Word("market", "Markt", "marché", "le marché, der Markt")

INDUSTRIES = (
    Word(
        "cotton",
        "Baumwolle",
        "coton",
        "cotton mill, mill, textiles, Baumwollspinnerei, Spinnerei, Textilien, filature de coton,"
        " filature",
    ),
    Word(
        "coal",
        "Kohle",
        "charbon",
        "coal mine, mine, colliery, Zeche, Kohlezeche, Kohlemine, Kohlenmine, Kohlebergwerk,"
        " Bergwerk, mine de charbon, houillère",
    ),
    Word(
        "iron",
        "Eisen",
        "fer",
        "iron works, works, iron mill, Eisenhütte, Eisenwerk, Hütte, Hüttenwerk, Gießerei,"
        " usine sidérurgique, fonderie, aciérie, forge",
    ),
    Word(
        "manufacturer",
        "Manufaktur",
        "manufacture",
        "manufactured goods, goods, manufactory, Fabrik, Waren, Güter, marchandises, fabrique,"
        " biens manufacturés, produits manufacturés",
    ),
    Word("pottery", "Töpferei", "poterie", "potteries, pots, Töpferwaren, Keramik, poteries"),
    Word("brewery", "Brauerei", "brasserie", "breweries, beer, Bier, bière"),
    Word("port", "Hafen", "port", "harbour, harbor"),
    Word("shipyard", "Werft", "chantier naval", "ship yard, dockyard, Schiffswerft, chantier"),
)

WILD_CARDS = (
    Word(
        "wild location",
        "Ortsjoker",
        "joker lieu",
        "location wild, wild town, wild place, Joker Ort, Ort-Joker, wilder Ort,"
        " Joker Stadt, Joker Ortskarte, lieu joker, joker ville",
    ),
    Word(
        "wild industry",
        "Industriejoker",
        "joker industrie",
        "industry wild, Joker Industrie, wilde Industrie, Joker Industriekarte, industrie joker",
    ),
)

# Merchant tiles that are not named by an industry.
GOODS = (
    Word("all", "alle", "tout", "all goods, any, alle Waren, toutes, tous"),
    Word("blank", "leer", "vide", "none, empty, nothing, nichts, rien"),
)

POUNDS = Word("pounds", "Pfund", "livres", "pound, livre, £")

WORDS = {
    word.en: word
    for word in (
        *VERBS, *PARTS, *BUYERS, MARKET, *INDUSTRIES, *WILD_CARDS, *GOODS,
    )
}  # fmt: skip


def say(word: str, language: str) -> str:
    """A word of the notation, given in English, in a language; a name stays as it is."""
    if language == "en" or word not in WORDS:
        return word
    return getattr(WORDS[word], language)  # type: ignore[no-any-return]
