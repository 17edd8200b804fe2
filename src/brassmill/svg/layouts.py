"""The positions of the places on the sheets: found by hand, stored as tables.

For each place, its centre and the side of its name. No blocks or names overlap, no line runs under
another place, no two lines cross, and part of every line is visible; within these limits, towns are
as close to their true bearings as possible. The tests measure all this.
"""

from __future__ import annotations

from dataclasses import dataclass

Row = tuple[int, int, str]

STRIP = 84  # the height of the title on a tall sheet


@dataclass(frozen=True)
class SheetLayout:
    """One map on one shape of sheet."""

    shape: str
    places: dict[str, Row]
    rose: tuple[int, int]
    legend: tuple[int, int] | None = None
    sea: tuple[int, int] | None = None  # where its name is
    cartouche: tuple[int, int, int, int] | None = None
    # left, top, width, height; a tall sheet has its title across the top, a square one has none


BIRMINGHAM_WIDE = SheetLayout(
    "wide",
    {
        "Belper": (1092, 84, "s"),
        "Derby": (1135, 272, "s"),
        "Leek": (790, 70, "s"),
        "Stoke-on-Trent": (568, 88, "s"),
        "Stone": (567, 257, "s"),
        "Uttoxeter": (821, 181, "s"),
        "Stafford": (407, 329, "n"),
        "Burton-on-Trent": (927, 301, "s"),
        "Cannock": (612, 364, "s"),
        "Tamworth": (1008, 468, "n"),
        "Walsall": (761, 472, "n"),
        "Wolverhampton": (510, 526, "s"),
        "Coalbrookdale": (268, 543, "s"),
        "Dudley": (680, 589, "s"),
        "Kidderminster": (504, 651, "s"),
        "Worcester": (493, 809, "s"),
        "Birmingham": (863, 633, "n"),
        "Coventry": (1174, 656, "s"),
        "Nuneaton": (1186, 484, "s"),
        "Redditch": (871, 781, "s"),
        "North Farm": (399, 413, "s"),
        "South Farm": (344, 742, "s"),
        "Shrewsbury": (102, 484, "s"),
        "Gloucester": (701, 805, "s"),
        "Oxford": (1054, 761, "s"),
        "Warrington": (395, 61, "s"),
        "Nottingham": (1300, 144, "s"),
    },
    rose=(1328, 802),
    legend=(144, 821),
    cartouche=(35, 35, 264, 158),
)

BIRMINGHAM_TALL = SheetLayout(
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
        "Wolverhampton": (269, 833, "n"),
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

BIRMINGHAM_SQUARE = SheetLayout(
    "square",
    {
        "Belper": (680, 47, "e"),
        "Derby": (729, 330, "n"),
        "Leek": (525, 126, "e"),
        "Stoke-on-Trent": (360, 91, "s"),
        "Stone": (385, 279, "s"),
        "Uttoxeter": (548, 207, "s"),
        "Stafford": (222, 346, "n"),
        "Burton-on-Trent": (560, 329, "s"),
        "Cannock": (386, 410, "n"),
        "Tamworth": (643, 490, "s"),
        "Walsall": (478, 514, "s"),
        "Wolverhampton": (300, 562, "s"),
        "Coalbrookdale": (122, 612, "s"),
        "Dudley": (475, 622, "s"),
        "Kidderminster": (315, 688, "s"),
        "Worcester": (267, 878, "s"),
        "Birmingham": (629, 696, "n"),
        "Coventry": (792, 702, "n"),
        "Nuneaton": (807, 473, "n"),
        "Redditch": (570, 838, "s"),
        "North Farm": (246, 478, "n"),
        "South Farm": (215, 791, "w"),
        "Shrewsbury": (106, 482, "n"),
        "Gloucester": (426, 850, "s"),
        "Oxford": (717, 819, "s"),
        "Warrington": (202, 76, "s"),
        "Nottingham": (801, 165, "n"),
    },
    rose=(842, 898),
)

LANCASHIRE_WIDE = SheetLayout(
    "wide",
    {
        "Barrow-in-Furness": (146, 124, "s"),
        "Birkenhead": (98, 666, "s"),
        "Blackburn": (716, 318, "n"),
        "Bolton": (733, 491, "s"),
        "Burnley": (961, 303, "s"),
        "Bury": (997, 463, "s"),
        "Colne": (1148, 245, "s"),
        "Ellesmere Port": (361, 717, "s"),
        "Fleetwood": (227, 262, "s"),
        "Lancaster": (396, 146, "s"),
        "Liverpool": (228, 582, "s"),
        "Macclesfield": (1074, 802, "s"),
        "Manchester": (890, 626, "s"),
        "Oldham": (1190, 525, "s"),
        "Preston": (392, 316, "s"),
        "Rochdale": (1152, 387, "s"),
        "Stockport": (1073, 659, "s"),
        "Warrington & Runcorn": (566, 628, "s"),
        "Wigan": (522, 451, "s"),
        "Blackpool": (131, 330, "s"),
        "Southport": (253, 444, "n"),
        "Northwich": (550, 791, "s"),
        "Scotland": (538, 107, "s"),
        "Yorkshire": (1313, 348, "s"),
        "The Midlands": (819, 830, "s"),
    },
    rose=(1325, 790),
    legend=(144, 791),
    sea=(46, 485),
    cartouche=(1099, 36, 264, 158),
)

LANCASHIRE_TALL = SheetLayout(
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
        "Southport": (161, 745, "n"),
        "Northwich": (331, 1345, "s"),
        "Scotland": (281, 166, "n"),
        "Yorkshire": (678, 601, "s"),
        "The Midlands": (450, 1379, "s"),
    },
    rose=(680, 1409),
    sea=(57, 832),
)

LANCASHIRE_SQUARE = SheetLayout(
    "square",
    {
        "Barrow-in-Furness": (101, 119, "n"),
        "Birkenhead": (99, 710, "s"),
        "Blackburn": (447, 290, "n"),
        "Bolton": (446, 487, "n"),
        "Burnley": (611, 265, "n"),
        "Bury": (609, 449, "n"),
        "Colne": (754, 188, "n"),
        "Ellesmere Port": (257, 754, "s"),
        "Fleetwood": (130, 233, "n"),
        "Lancaster": (274, 99, "s"),
        "Liverpool": (137, 577, "s"),
        "Macclesfield": (682, 848, "s"),
        "Manchester": (557, 662, "s"),
        "Oldham": (769, 541, "s"),
        "Preston": (265, 273, "s"),
        "Rochdale": (777, 387, "s"),
        "Stockport": (724, 684, "s"),
        "Warrington & Runcorn": (374, 671, "n"),
        "Wigan": (283, 440, "s"),
        "Blackpool": (93, 310, "s"),
        "Southport": (146, 428, "n"),
        "Northwich": (385, 848, "s"),
        "Scotland": (404, 64, "s"),
        "Yorkshire": (852, 292, "w"),
        "The Midlands": (531, 866, "n"),
    },
    rose=(140, 880),
    sea=(42, 462),
)

COMMUNITY_WIDE = SheetLayout(
    "wide",
    {
        "Barrow-in-Furness": (146, 169, "s"),
        "Blackburn": (680, 464, "n"),
        "Bolton": (710, 639, "s"),
        "Burnley": (948, 406, "s"),
        "Bury": (974, 599, "s"),
        "Colne": (1137, 310, "s"),
        "Fleetwood": (160, 331, "s"),
        "Lancaster": (420, 225, "s"),
        "Liverpool": (143, 710, "n"),
        "Manchester": (883, 769, "s"),
        "Preston": (391, 409, "s"),
        "Warrington & Runcorn": (523, 797, "s"),
        "Wigan": (440, 594, "s"),
        "Blackpool": (103, 454, "s"),
        "Southport": (259, 548, "s"),
        "Scotland": (444, 75, "s"),
        "Yorkshire": (1313, 423, "s"),
    },
    rose=(1331, 826),
    legend=(144, 839),
    sea=(43, 630),
    cartouche=(1100, 35, 264, 158),
)

COMMUNITY_TALL = SheetLayout(
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
        "Wigan": (239, 1086, "e"),
        "Blackpool": (97, 806, "s"),
        "Southport": (123, 1025, "n"),
        "Scotland": (264, 163, "n"),
        "Yorkshire": (693, 788, "s"),
    },
    rose=(694, 1430),
    sea=(54, 1104),
)

COMMUNITY_SQUARE = SheetLayout(
    "square",
    {
        "Barrow-in-Furness": (91, 168, "n"),
        "Blackburn": (428, 512, "n"),
        "Bolton": (430, 728, "n"),
        "Burnley": (579, 434, "n"),
        "Bury": (610, 656, "s"),
        "Colne": (752, 350, "n"),
        "Fleetwood": (104, 359, "n"),
        "Lancaster": (267, 267, "s"),
        "Liverpool": (90, 764, "s"),
        "Manchester": (618, 853, "w"),
        "Preston": (246, 467, "s"),
        "Warrington & Runcorn": (318, 833, "s"),
        "Wigan": (266, 660, "s"),
        "Blackpool": (88, 491, "n"),
        "Southport": (130, 623, "n"),
        "Scotland": (291, 85, "s"),
        "Yorkshire": (857, 485, "w"),
    },
    rose=(63, 651),
)

LAYOUTS = (
    BIRMINGHAM_WIDE,
    BIRMINGHAM_TALL,
    BIRMINGHAM_SQUARE,
    LANCASHIRE_WIDE,
    LANCASHIRE_TALL,
    LANCASHIRE_SQUARE,
    COMMUNITY_WIDE,
    COMMUNITY_TALL,
    COMMUNITY_SQUARE,
)
