"""Only a few threads pass the gate at a time, and the most urgent go first."""

from __future__ import annotations

from random import Random
from threading import Event, Lock, Thread
from time import sleep

import pytest

from brassmill.web.table.gate import Gate


@pytest.mark.parametrize("places", [1, 3])
def test_as_many_pass_as_there_are_places(places: int) -> None:
    gate, lock, inside, most = Gate(places), Lock(), 0, 0
    full, leave = Event(), Event()

    def work() -> None:
        nonlocal inside, most
        with gate.enter(0):
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == places:
                    full.set()
            assert leave.wait(60)
            with lock:
                inside -= 1

    threads = [Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    assert full.wait(60)
    leave.set()
    for thread in threads:
        thread.join(60)
    assert most == places and inside == 0


def test_the_most_urgent_go_first_and_then_those_who_came_first() -> None:
    gate = Gate(1)
    passed: list[tuple[int, int]] = []
    wanted = [(urgency, number) for urgency in range(3) for number in range(4)]
    order = wanted.copy()
    Random(1).shuffle(order)

    def work(urgency: int, number: int) -> None:
        with gate.enter(urgency):
            passed.append((urgency, number))

    threads = []
    with gate.enter(0):  # while this one is inside, the others line up
        for place, (urgency, number) in enumerate(order, 1):
            threads.append(Thread(target=work, args=(urgency, number)))
            threads[-1].start()
            while len(gate._waiting) < place:
                sleep(0.001)
    for thread in threads:
        thread.join(60)
    first_come = sorted(order, key=lambda each: each[0])  # stable: in order of arrival
    assert passed == first_come


def test_a_failure_inside_gives_the_place_back() -> None:
    gate = Gate(1)
    with pytest.raises(ZeroDivisionError), gate.enter(0):
        raise ZeroDivisionError
    with gate.enter(0):
        pass
