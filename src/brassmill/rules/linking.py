"""How Numba compiles the rules: each once, and optimised where it is used.

Numba optimises every function together with all it calls, and turns it into machine code. Most
rules are called by others, so the same code would be optimised again at every level above it. Here
the code of a rule is only kept. An entry links all rules that it needs, and the whole is optimised
once. No other code can call the rules inside an entry, so the optimiser puts more of them in line.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"  # how names of environments begin


class RuleLibrary(JITCodeLibrary):
    """The code of one rule, to be linked into entries; no machine code."""

    _linking_libraries: list[Any]
    _with_all_it_calls: Any = None

    def finalize(self) -> None:
        """Keep the code as it is."""
        self._raise_if_finalized()
        self._finalized = True

    def own_module(self) -> Any:
        """The code of this rule alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The code with all it calls, for functions that are no entries."""
        if self._with_all_it_calls is None:
            self._with_all_it_calls = self.own_module().clone()
            for library in reached_from(self._linking_libraries):
                is_rule = isinstance(library, RuleLibrary)
                module = library.own_module() if is_rule else library._get_module_for_linking()
                self._with_all_it_calls.link_in(module, preserve=True)
        return self._with_all_it_calls


class EntryLibrary(JITCodeLibrary):
    """The code of an entry and of all rules that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link, optimise and compile."""
        libraries = reached_from(self._linking_libraries)
        rules = [library for library in libraries if isinstance(library, RuleLibrary)]
        for rule in rules:
            self._final_module.link_in(rule.own_module(), preserve=True)
            self._reload_init.update(rule._reload_init)
        self._linking_libraries = [library for library in libraries if library not in rules]
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self.codegen.set_env(variable.name, environment)


def reached_from(libraries: list[Any]) -> list[Any]:
    """These libraries, and those of all rules that their rules call, in a fixed order."""
    waiting = list(libraries)
    reached: dict[Any, None] = {}
    while waiting:
        library = waiting.pop(0)
        if library not in reached:
            reached[library] = None
            if isinstance(library, RuleLibrary):
                waiting += library._linking_libraries
    return list(reached)


class RuleCompiler(Compiler):
    """Compiles a rule up to where it is linked."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        flags.no_compile = True
        library = RuleLibrary(target.codegen(), "rule")
        super().__init__(typing, target, library, args, result, flags, names)


class EntryCompiler(Compiler):
    """Compiles an entry with all rules that it calls."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        library = EntryLibrary(target.codegen(), "entry")
        library.enable_object_caching()  # so that it can be written to disk
        super().__init__(typing, target, library, args, result, flags, names)
