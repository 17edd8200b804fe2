"""Many games at once, on the threads of a CPU or on a GPU.

>>> from brassmill.batch import Batch
>>> batch = Batch("birmingham", players=4, games=3, threads=1)
>>> batch.step(batch.legal.argmax(axis=1))  # the first legal choice of every game
>>> batch.legal.shape, batch.made.tolist(), batch.game(0).question
((3, 528), [1, 1, 1], 'action')
"""

from __future__ import annotations

from brassmill.batch.batch import Batch

__all__ = ["Batch"]
