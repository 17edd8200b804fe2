"""Check a lesson against the rules: what is lit solves the step, and comes out as it says."""

from __future__ import annotations

from brassmill.core.outcome import score_now
from brassmill.errors import BrassError
from brassmill.language import missing_languages
from brassmill.lessons.lesson import LEARNER, Lesson
from brassmill.lessons.run import CONTINUE, END_TURN, Run
from brassmill.play.session import HistoryPart
from brassmill.scenario.checks import CheckedPosition, differences, point_differences
from brassmill.scenario.errors import BadCheck

FIRST, LAST = 0, -1  # the ways by which a lesson is played to its end


def problems_of(lesson: Lesson) -> list[str]:
    """Everything that is wrong with a lesson, each with its line of the file."""
    checks = [_Check(lesson, way) for way in (FIRST, LAST)]
    for check in checks:
        check.play()
    return list(dict.fromkeys(problem for check in checks for problem in check.problems))


class _Check:
    """Plays a lesson to its end, each step by its first or last way, and notes what is wrong."""

    def __init__(self, lesson: Lesson, way: int) -> None:
        self.lesson, self.way = lesson, way
        self.problems: list[str] = []
        self.line = 0

    def problem(self, words: str) -> None:
        self.problems.append(f"{self.lesson.path}:{self.line} ({self.lesson.id}): {words}")

    def play(self) -> None:
        self.check_texts()
        try:
            run: Run[HistoryPart] = Run(self.lesson, part=HistoryPart)
            while not run.is_over:
                self.line = run.step.line
                run = self.solved(run) if run.awaits == "choose" else self.after(run)
        except (BrassError, BadCheck) as error:
            self.problem(str(error))

    def check_texts(self) -> None:
        texts = [self.lesson.title, self.lesson.about]
        for step in self.lesson.steps:
            self.line = step.line
            for text in (*texts, step.idea, step.say, step.nudge, step.after):
                if text and (missing := missing_languages(text)):
                    self.problem(f"a text is missing in {', '.join(missing)}")

    def after(self, run: Run[HistoryPart]) -> Run[HistoryPart]:
        return run.after(END_TURN if run.awaits == "end" else CONTINUE)

    def solved(self, run: Run[HistoryPart]) -> Run[HistoryPart]:
        """The run after the action of its step; every way to do it must end there."""
        step, game = run.step, run.game
        if game.seat != LEARNER:
            raise BadCheck("it is not the learner's turn: a rival has moves left")
        if not step.nudge:
            self.problem("there is no nudge for a wrong click")
        for text in step.do:
            if why := game.why_not(text):
                self.problem(f"do: {text}: {why}")
        for refused in step.refused:
            why = game.why_not(refused.attempt)
            got = why.reason.name if why else "it is legal"
            if got != refused.reason.name:
                self.problem(f"{refused.attempt}: expected {refused.reason.name}, got {got}")
        if not run.ways:
            raise BadCheck("nothing solves this step")
        ends = [run.after(way) for way in run.ways]
        for end in ends:
            if end.awaits == "choose" and end.number == run.number:
                self.problem("a way that is lit does not solve the step")
            before, now = (
                CheckedPosition(game.engine.copy()),
                CheckedPosition(end.game.engine.copy()),
            )
            for difference in differences(now, before, step.then):
                self.problem(f"then: {difference}")
            points = score_now(end.game.engine)
            for seat, sources in step.score.items():
                number = self.lesson.seats.index(seat)
                for difference in point_differences(seat, points[number], sources):
                    self.problem(f"score: {difference}")
        return ends[self.way]
