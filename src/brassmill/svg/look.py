"""How the parts of the table beside the map look: rules as in `theme.py`."""

from __future__ import annotations

TABLE = """
.desk{fill:$paper2}
.slot{fill:$paper2;stroke:$line;stroke-width:1}
.slot.none{fill:none;stroke-dasharray:3 3}
.slot.here{fill:$ink;stroke:$ink}
.on-ink{fill:$panel}
.panel.now{stroke:$ink;stroke-width:2}
.bar{fill:$ink2;stroke:$ink2;stroke-width:.8}
.bar.pale{fill:$panel}
.tick{fill:none;stroke:$panel;stroke-width:.8}
.dot{fill:$ink;stroke:$ink;stroke-width:.8}
.dot.open{fill:none;stroke:$ink2}
.round{fill:$line}
.round.done{fill:$ink2}
.round.current{fill:$ink}
.marker .own{stroke:$panel;stroke-width:.8}
.marker .hollow{fill:$panel;stroke:currentColor;stroke-width:2}
.thread{fill:none;stroke:currentColor;stroke-width:2}
.not-now .print{opacity:.6}
.not-now .panel{stroke-dasharray:4 3}
.banner.teal{fill:#2c6b66}
.banner.blue{fill:#34557f}
.banner.red{fill:#86372d}
.banner.gold{fill:#6c5a26}
.banner.purple{fill:#58406f}
.banner.turquoise{fill:#2f7480}
.banner.plain{fill:#5b5248}
.on-banner{fill:#fdf8ec}
.glow{fill:$glow;fill-opacity:.45;stroke:$brass;stroke-width:2.6}
"""
