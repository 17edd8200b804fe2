"""YAML as plain text: every value is a string, and every key and mistake has its line."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from brassmill.scenario.errors import BadScenario

Value = Any  # str, list or Lines


class Lines(dict[str, Any]):
    """A mapping that remembers the lines of the file where it and its keys are."""

    line: int = 0

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


# Ten times as fast where PyYAML comes with libyaml, as its wheels do.
_BaseLoader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class _Loader(_BaseLoader):  # type: ignore[misc]
    """A loader that keeps everything as text, with line numbers."""

    def construct_lines(self, node: yaml.MappingNode) -> Lines:
        mapping = Lines()
        mapping.line = node.start_mark.line + 1
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable) or not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be plain text", key_node.start_mark
                )
            if key in mapping:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key!r} stands here a second time", key_node.start_mark
                )
            mapping.lines[key] = key_node.start_mark.line + 1
            mapping[key] = self.construct_object(value_node, deep=True)
        return mapping


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_lines)


def load(path: Path) -> Lines:
    """Load the mapping of a file; `BadScenario` names the line of a mistake."""
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadScenario(path, 0, f"it cannot be read: {error}") from error
    try:
        value = yaml.load(source, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = error.problem or error.context or "it is not YAML"
        raise BadScenario(path, mark.line + 1 if mark else 0, f"{words}{_hint(words)}") from error
    except yaml.YAMLError as error:
        raise BadScenario(path, 0, str(error)) from error
    if not isinstance(value, Lines):
        raise BadScenario(path, 1, "a scenario is a mapping with 'id:', 'title:', 'steps:' ...")
    return value


def _hint(words: str) -> str:
    if "mapping values are not allowed" in words:
        return " (text with ': ' in it needs quotes)"
    if "alias" in words or "anchor" in words or "tag" in words:
        return " (text that begins with *, & or ! needs quotes)"
    return ""
