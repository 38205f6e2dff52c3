"""When a machine that is a guest was not run, since its host ran something else: what happens then says nothing of the server."""

from __future__ import annotations

import bisect
import threading
import time

PERIOD_SECONDS = 0.1


class StolenTime:
    """Looks again and again whether processor time was taken from this machine.

    The system tells it in whole hundredths of a second: of less, some look later finds the sum.
    """

    def __enter__(self) -> StolenTime:
        # When a look found some, in seconds from the first look.
        self.moments: list[float] = []
        self._begun, self._ticks = time.monotonic(), _stolen_ticks()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        is_over = False
        while not is_over:
            # A last look when it is over: what was taken since the one before counts as well.
            is_over = self._is_over.wait(PERIOD_SECONDS)
            before, self._ticks = self._ticks, _stolen_ticks()
            if self._ticks > before:
                self.moments.append(time.monotonic() - self._begun)

    def is_near(self, moment: float) -> bool:
        """Whether a look found some less than two periods after a moment, or one before.

        What is due in the same period waits, and so may what was due shortly before and what comes while others are worked off.
        How long it waited is not asked: whoever waits for a server that stands still would meet a look sooner or later.
        """
        place = bisect.bisect_left(self.moments, moment - PERIOD_SECONDS)
        return place < len(self.moments) and self.moments[place] < moment + 2 * PERIOD_SECONDS


def _stolen_ticks() -> int:
    """What was taken from all processors since the machine started, in hundredths of a second; 0 where it is not told."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            return int(file.readline().split()[8])
    except (OSError, IndexError):
        return 0
