"""How wide text is, without a font.

No font is shipped, so the font of the reader is unknown. Everything is laid out with the widths of
DejaVu, one of the widest fonts in use; in any other font there is room to spare.
"""

from __future__ import annotations

# The characters in the pictures: ASCII, and those of German and French.
LETTERS = "".join(map(chr, range(32, 127))) + (
    "£ÄÖÜäöüßàâæçèéêëîïôœùûÿÀÂÇÈÉÊÎÔÙÛ–—’‘“”„«»·×…½°→←≥≤−\u00a0\u202f"  # noqa: RUF001
)

# Thousandths of the font size, in the order of LETTERS.
_ADVANCES = {
    "serif": """
        318 402 460 838 636 950 890 275 390 390 500 838 318 338 318 337 636 636 636 636 636 636
        636 636 636 636 337 337 838 838 838 536 1000 722 735 765 802 730 694 799 872 395 401 747
        664 1024 875 820 673 820 753 685 667 843 722 1028 712 660 695 390 337 390 838 500 500
        596 640 560 640 592 370 640 644 320 310 606 320 948 644 602 640 640 478 513 402 644 565
        856 564 565 527 636 337 636 838 636 722 820 843 596 602 644 668 596 596 940 560 592 592
        592 592 320 320 602 989 644 644 565 722 722 765 730 730 730 395 820 843 843 500 1000 318
        318 511 511 518 612 612 318 838 1000 969 500 838 838 838 838 838 318 200
    """,
    "serif bold": """
        348 439 521 838 696 950 903 306 473 473 523 838 348 415 348 365 696 696 696 696 696 696
        696 696 696 696 369 369 838 838 838 586 1000 776 845 796 867 762 710 854 945 468 473 869
        703 1107 914 871 752 871 831 722 744 872 776 1123 776 714 730 473 365 473 838 500 500
        648 699 609 699 636 430 699 727 380 362 693 380 1058 727 667 699 699 527 563 462 727 581
        861 596 581 568 643 364 643 838 696 776 871 872 648 667 727 760 648 648 975 609 636 636
        636 636 380 380 667 1028 727 727 581 776 776 796 762 762 762 468 871 872 872 500 1000
        348 348 575 575 575 625 625 348 838 1000 1043 500 838 838 838 838 838 348 200
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
WIDEST = 1150  # for a character that is not in the table

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
