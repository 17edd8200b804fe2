"""How wide text is, without opening a font.

Serif text is in Besley (`docs/fonts.py`); a reader without it has another font. So every letter is
as wide as in the wider of Besley and DejaVu, one of the widest fonts in use, and sans-serif text as
in DejaVu; in any other font there is room to spare.
"""

from __future__ import annotations

import re

from brassmill.terms import SOFT_HYPHEN

# The characters in the pictures: ASCII, and those of German and French.
LETTERS = "".join(map(chr, range(32, 127))) + (
    "£ÄÖÜäöüßàâæçèéêëîïôœùûÿÀÂÇÈÉÊÎÔÙÛ–—’‘“”„«»·×…½°→←≥≤−\u00a0\u202f"  # noqa: RUF001
)

# Thousandths of the font size, in the order of LETTERS.
_ADVANCES = {
    "serif": """
        318 402 460 838 660 1000 890 275 445 445 635 838 318 460 318 520 636 636 636 636 636 636
        636 636 636 636 337 337 838 838 838 550 1060 900 748 810 822 758 722 870 897 415 596 872
        728 1035 898 830 690 830 774 685 775 843 860 1180 870 785 755 390 520 390 838 560 500
        636 640 560 648 592 391 640 658 332 310 611 320 948 672 602 640 640 480 513 402 685 579
        882 582 675 540 636 337 636 838 636 900 830 843 636 602 685 780 636 636 940 560 592 592
        592 592 332 332 602 989 685 685 675 900 900 810 758 758 758 415 830 843 843 716 1062 318
        318 511 511 518 695 695 318 838 1000 1000 500 838 838 838 838 838 318 200
    """,
    "serif bold": """
        348 439 521 838 706 1100 903 306 475 475 647 838 348 460 348 520 696 696 696 696 696 696
        696 696 696 696 369 369 838 838 838 586 1105 955 845 832 888 798 769 912 948 488 661 922
        758 1120 928 890 752 898 862 722 792 888 905 1239 895 835 782 473 520 473 838 560 500
        715 699 616 716 636 432 699 727 388 364 698 380 1058 727 667 699 699 570 563 462 784 629
        981 683 724 598 643 364 643 838 696 955 890 888 715 667 784 828 715 715 975 616 636 636
        636 636 388 388 667 1033 784 784 724 955 955 832 798 798 798 488 890 888 888 716 1062
        348 348 575 575 575 695 695 348 838 1000 1043 500 838 838 838 838 838 348 200
    """,
    "sans": """
        318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636
        636 636 636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656
        557 863 748 787 603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613
        635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818
        592 592 525 636 337 636 838 636 684 787 732 613 612 634 630 613 613 982 550 615 615 615
        615 278 278 612 1023 634 634 592 684 684 698 632 632 632 295 787 732 732 500 1000 318
        318 518 518 518 612 612 318 838 1000 969 500 838 838 838 838 838 318 200
    """,
    "sans bold": """
        348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696
        696 696 696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775
        637 995 837 850 733 850 770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675
        716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924
        645 652 582 712 365 712 838 696 774 850 812 675 687 712 719 675 675 1048 593 678 678 678
        678 343 343 687 1094 712 712 652 774 774 734 683 683 683 372 850 812 812 500 1000 380
        380 657 657 657 646 646 380 838 1000 1035 500 838 838 838 838 838 348 200
    """,
}
WIDTHS = {
    font: dict(zip(LETTERS, map(int, numbers.split()), strict=True))
    for font, numbers in _ADVANCES.items()
}
WIDEST = 1250  # for a character that is not in the table

SMALL = 0.8  # size of small capitals relative to capitals


def width(text: str, size: float, font: str = "serif", spacing: float = 0) -> float:
    """The width of a line of text in `serif`, `serif bold`, `sans` or `sans bold`."""
    table = WIDTHS[font]
    return sum(table.get(letter, WIDEST) for letter in text) * size / 1000 + spacing * len(text)


def small_caps(text: str) -> list[tuple[str, float]]:
    """Text in capitals and small capitals: runs of letters with their relative sizes."""
    runs: list[tuple[str, float]] = []
    for letter in text:
        size = SMALL if letter.islower() else 1.0
        capital = letter.upper()
        if runs and (runs[-1][1] == size or not letter.isalpha()):
            runs[-1] = (runs[-1][0] + capital, runs[-1][1])
        else:
            runs.append((capital, size))
    return runs


def caps_width(text: str, size: float, font: str = "serif", spacing: float = 0) -> float:
    """The width of a line in capitals and small capitals."""
    return sum(width(run, size * part, font, spacing) for run, part in small_caps(text))


def fitting(text: str, room: float, size: float, font: str = "serif") -> float:
    """The largest size up to `size` at which a line fits into `room`."""
    return min(size, room / width(text, 1, font)) if text else size


# Where a line may end: after a space or a hyphen, or at a soft hyphen, which is seen only there.
_BREAKS = re.compile(r"(?<=[ \-\u00ad])")


def in_lines(text: str, size: float, room: float, font: str = "serif") -> list[str]:
    """A text in as few lines as fit into `room`; a longer word has a line of its own."""
    lines = [""]
    for part in _BREAKS.split(text):
        if lines[-1] and width(_ended(lines[-1] + part), size, font) > room:
            lines.append("")
        lines[-1] += part
    return [_ended(line) for line in lines]


def _ended(line: str) -> str:
    """A line as it is drawn: of its soft hyphens only the last is seen, at the end."""
    last = "-" if line.endswith(SOFT_HYPHEN) else ""
    return line.replace(SOFT_HYPHEN, "").rstrip() + last
