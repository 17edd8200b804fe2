"""Where the places lie on the sheets: found by trying, kept as tables.

For each place its middle and the side of its name. Made so that no blocks or names meet, no line
runs below a strange place, no two lines cross, and something is seen of every line; the towns lie
as near to their true bearings as that allows. The tests measure all this.
"""

from __future__ import annotations

from dataclasses import dataclass

Row = tuple[int, int, str]

STRIP = 84  # the height of the title on a tall sheet


@dataclass(frozen=True)
class Layout:
    """One map on one shape of sheet."""

    shape: str
    places: dict[str, Row]
    rose: tuple[int, int]
    legend: tuple[int, int] | None = None
    sea: tuple[int, int] | None = None  # where its name is
    cartouche: tuple[int, int, int, int] = (0, 0, 0, 0)
    # left, top, width, height; a tall sheet has its title across the top


BIRMINGHAM_WIDE = Layout(
    "wide",
    {
        "Belper": (1085, 107, "n"),
        "Derby": (1126, 296, "s"),
        "Leek": (792, 95, "s"),
        "Stoke-on-Trent": (573, 97, "s"),
        "Stone": (556, 258, "s"),
        "Uttoxeter": (821, 205, "s"),
        "Stafford": (422, 348, "s"),
        "Burton-on-Trent": (924, 337, "n"),
        "Cannock": (651, 418, "n"),
        "Tamworth": (1008, 504, "s"),
        "Walsall": (736, 520, "s"),
        "Wolverhampton": (521, 560, "s"),
        "Coalbrookdale": (289, 571, "s"),
        "Dudley": (678, 617, "s"),
        "Kidderminster": (506, 686, "n"),
        "Worcester": (504, 840, "s"),
        "Birmingham": (860, 651, "e"),
        "Coventry": (1168, 675, "s"),
        "Nuneaton": (1168, 533, "n"),
        "Redditch": (857, 788, "s"),
        "North Farm": (406, 445, "s"),
        "South Farm": (351, 781, "s"),
        "Shrewsbury": (104, 515, "s"),
        "Gloucester": (701, 845, "s"),
        "Oxford": (1051, 794, "s"),
        "Warrington": (405, 84, "s"),
        "Nottingham": (1297, 164, "s"),
    },
    rose=(1314, 839),
    legend=(128, 865),
    cartouche=(44, 44, 290, 176),
)

BIRMINGHAM_TALL = Layout(
    "tall",
    {
        "Belper": (623, 192, "n"),
        "Derby": (543, 355, "n"),
        "Leek": (449, 177, "s"),
        "Stoke-on-Trent": (331, 266, "s"),
        "Stone": (232, 425, "s"),
        "Uttoxeter": (421, 431, "s"),
        "Stafford": (282, 584, "s"),
        "Burton-on-Trent": (526, 603, "w"),
        "Cannock": (405, 697, "s"),
        "Tamworth": (533, 819, "e"),
        "Walsall": (396, 940, "s"),
        "Wolverhampton": (267, 833, "n"),
        "Coalbrookdale": (183, 951, "s"),
        "Dudley": (333, 1035, "s"),
        "Kidderminster": (253, 1182, "s"),
        "Worcester": (284, 1333, "s"),
        "Birmingham": (514, 1062, "s"),
        "Coventry": (660, 1105, "s"),
        "Nuneaton": (653, 917, "n"),
        "Redditch": (475, 1251, "s"),
        "North Farm": (249, 691, "s"),
        "South Farm": (190, 1281, "s"),
        "Shrewsbury": (97, 830, "n"),
        "Gloucester": (426, 1381, "s"),
        "Oxford": (616, 1289, "s"),
        "Warrington": (210, 189, "n"),
        "Nottingham": (683, 299, "s"),
    },
    rose=(714, 1385),
)

LANCASHIRE_WIDE = Layout(
    "wide",
    {
        "Barrow-in-Furness": (151, 149, "s"),
        "Birkenhead": (104, 693, "s"),
        "Blackburn": (707, 361, "n"),
        "Bolton": (734, 521, "s"),
        "Burnley": (951, 330, "n"),
        "Bury": (990, 485, "s"),
        "Colne": (1140, 263, "s"),
        "Ellesmere Port": (363, 728, "s"),
        "Fleetwood": (225, 282, "n"),
        "Lancaster": (412, 183, "n"),
        "Liverpool": (234, 624, "s"),
        "Macclesfield": (1061, 818, "s"),
        "Manchester": (903, 650, "s"),
        "Oldham": (1177, 549, "s"),
        "Preston": (379, 340, "s"),
        "Rochdale": (1167, 430, "n"),
        "Stockport": (1065, 709, "n"),
        "Warrington & Runcorn": (585, 671, "s"),
        "Wigan": (516, 467, "n"),
        "Blackpool": (165, 361, "s"),
        "Southport": (266, 465, "s"),
        "Northwich": (560, 831, "s"),
        "Scotland": (544, 132, "s"),
        "Yorkshire": (1308, 371, "s"),
        "The Midlands": (813, 864, "s"),
    },
    rose=(1305, 832),
    legend=(130, 831),
    sea=(62, 513),
    cartouche=(1046, 44, 310, 176),
)

LANCASHIRE_TALL = Layout(
    "tall",
    {
        "Barrow-in-Furness": (104, 298, "s"),
        "Birkenhead": (98, 1123, "s"),
        "Blackburn": (410, 659, "n"),
        "Bolton": (378, 868, "s"),
        "Burnley": (520, 540, "n"),
        "Bury": (505, 793, "s"),
        "Colne": (621, 447, "n"),
        "Ellesmere Port": (242, 1100, "n"),
        "Fleetwood": (149, 479, "n"),
        "Lancaster": (269, 355, "s"),
        "Liverpool": (89, 971, "s"),
        "Macclesfield": (585, 1304, "s"),
        "Manchester": (510, 992, "s"),
        "Oldham": (648, 926, "s"),
        "Preston": (259, 600, "s"),
        "Rochdale": (656, 736, "s"),
        "Stockport": (612, 1150, "s"),
        "Warrington & Runcorn": (355, 1037, "s"),
        "Wigan": (232, 849, "s"),
        "Blackpool": (126, 617, "s"),
        "Southport": (165, 739, "n"),
        "Northwich": (331, 1345, "s"),
        "Scotland": (281, 166, "n"),
        "Yorkshire": (678, 601, "s"),
        "The Midlands": (450, 1379, "s"),
    },
    rose=(680, 1409),
    sea=(57, 832),
)

COMMUNITY_WIDE = Layout(
    "wide",
    {
        "Barrow-in-Furness": (140, 199, "s"),
        "Blackburn": (686, 503, "n"),
        "Bolton": (704, 667, "s"),
        "Burnley": (934, 430, "n"),
        "Bury": (970, 644, "s"),
        "Colne": (1127, 342, "s"),
        "Fleetwood": (172, 360, "s"),
        "Lancaster": (425, 249, "s"),
        "Liverpool": (160, 750, "n"),
        "Manchester": (883, 812, "s"),
        "Preston": (407, 446, "s"),
        "Warrington & Runcorn": (522, 839, "s"),
        "Wigan": (454, 627, "s"),
        "Blackpool": (113, 482, "s"),
        "Southport": (273, 590, "s"),
        "Scotland": (448, 93, "n"),
        "Yorkshire": (1297, 457, "s"),
    },
    rose=(1308, 870),
    legend=(130, 868),
    sea=(61, 675),
    cartouche=(1046, 44, 310, 176),
)

COMMUNITY_TALL = Layout(
    "tall",
    {
        "Barrow-in-Furness": (94, 298, "n"),
        "Blackburn": (388, 846, "n"),
        "Bolton": (376, 1162, "s"),
        "Burnley": (499, 704, "n"),
        "Bury": (504, 1082, "s"),
        "Colne": (628, 570, "n"),
        "Fleetwood": (125, 617, "n"),
        "Lancaster": (252, 444, "s"),
        "Liverpool": (109, 1275, "s"),
        "Manchester": (530, 1314, "s"),
        "Preston": (240, 813, "s"),
        "Warrington & Runcorn": (307, 1368, "s"),
        "Wigan": (247, 1086, "e"),
        "Blackpool": (97, 806, "s"),
        "Southport": (123, 1025, "n"),
        "Scotland": (264, 163, "n"),
        "Yorkshire": (693, 788, "s"),
    },
    rose=(694, 1430),
    sea=(54, 1104),
)

LAYOUTS = (
    BIRMINGHAM_WIDE,
    BIRMINGHAM_TALL,
    LANCASHIRE_WIDE,
    LANCASHIRE_TALL,
    COMMUNITY_WIDE,
    COMMUNITY_TALL,
)
