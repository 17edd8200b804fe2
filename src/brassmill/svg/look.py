"""Style rules, as in `theme.py`, for charts and the parts of the table beside the map."""

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
.not-now .tile .face{fill:$panel;stroke:currentColor;stroke-opacity:1;stroke-dasharray:3.5 2.5}
.not-now .tile .glyph{color:$ink2}
.not-now .tile .level,.not-now .tile .mark,.not-now .print text{fill:$ink2}
.not-now .print .cube{opacity:.6}
.stack.lit .quiet,.stack.lit .not-now .print text{fill:$ink}
.not-now .panel{stroke-dasharray:4 3}
.banner.teal{fill:#2c6b66}
.banner.blue{fill:#34557f}
.banner.red{fill:#86372d}
.banner.gold{fill:#6c5a26}
.banner.purple{fill:#58406f}
.banner.turquoise{fill:#2f7480}
.banner.plain{fill:#5b5248}
.on-banner{fill:#fdf8ec}
.mark-line{fill:none;stroke:$ink;stroke-width:1;stroke-opacity:.6}
.mark-dot{fill:$ink;stroke:$panel;stroke-width:1.5}
.glow{fill:$glow;fill-opacity:.45;stroke:$brass;stroke-width:2.6}
.verdict .pill{fill:$panel;stroke:$ink;stroke-width:1.6}
.verdict.allowed .pill{fill:$glow;stroke:$brass;stroke-width:2}
.verdict .stroke{fill:none;stroke:$ink;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
"""

# Tones are colours for different things; steps are shades of ink, for ordered things.
CHART = """
.tone-0{color:$seat0}
.tone-1{color:$seat1}
.tone-2{color:$seat2}
.tone-3{color:$seat3}
.tone-4{color:$tone4}
.tone-5{color:$tone5}
.tone-6{color:$tone6}
.tone-7{color:$tone7}
.tone-none{color:$ink2}
.step-1,.step-2,.step-3,.step-4,.step-5,.step-6,.step-7,.step-8{color:$ink}
.step-1 .segment{fill-opacity:.1}
.step-2 .segment{fill-opacity:.17}
.step-3 .segment{fill-opacity:.24}
.step-4 .segment{fill-opacity:.31}
.step-5 .segment{fill-opacity:.72}
.step-6 .segment{fill-opacity:.81}
.step-7 .segment{fill-opacity:.9}
.segment{fill:currentColor;stroke:$panel;stroke-width:1}
.step-1 .segment,.step-2 .segment,.step-3 .segment,.step-4 .segment{stroke:$ink2;stroke-width:.8}
.on-segment{fill:$onseat;color:$onseat}
.step-1 .on-segment,.step-2 .on-segment{fill:$ink;color:$ink}
.step-3 .on-segment,.step-4 .on-segment{fill:$ink;color:$ink}
.step-5 .on-segment,.step-6 .on-segment{fill:$panel;color:$panel}
.step-7 .on-segment,.step-8 .on-segment{fill:$panel;color:$panel}
.ground{fill:$panel}
.grid{fill:none;stroke:$faint;stroke-width:1}
.base{fill:none;stroke:$ink2;stroke-width:1}
.event{fill:none;stroke:$ink2;stroke-width:1;stroke-dasharray:3 3}
.curve{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linejoin:round}
.leader{fill:none;stroke:currentColor;stroke-width:1;stroke-opacity:.7}
.point{fill:currentColor;stroke:$panel;stroke-width:1.2}
.point.hollow{fill:$panel;stroke:currentColor;stroke-width:2}
.whisker{fill:none;stroke:currentColor;stroke-width:2}
.middle-half{fill:none;stroke:currentColor;stroke-width:5}
.many{fill:currentColor;fill-opacity:.3}
.many.marked{fill-opacity:1}
"""
