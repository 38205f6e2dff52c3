"""When a machine that is a guest was not run, since its host ran something else: what happens then says nothing of the server."""

from __future__ import annotations

import bisect
import threading
import time

# The system counts what was taken in hundredths of a second, and says so once it runs again.
PERIOD_SECONDS = 0.1


class StolenTime:
    """Looks again and again whether processor time was taken from this machine."""

    def __enter__(self) -> StolenTime:
        # In seconds from the first look; each is at most a period after what it found.
        self.moments: list[float] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        begun, last = time.monotonic(), _ticks()
        while not self._is_over.wait(PERIOD_SECONDS):
            now = _ticks()
            if now > last:
                self.moments.append(time.monotonic() - begun)
            last = now

    def falls_into(self, since: float, until: float) -> bool:
        """Whether some was taken within a time, or so shortly before it that others may still wait."""
        # What was taken may have begun in the period before the one at whose end it was found.
        place = bisect.bisect_left(self.moments, since - PERIOD_SECONDS)
        return place < len(self.moments) and self.moments[place] <= until + 2 * PERIOD_SECONDS


def _ticks() -> int:
    """How much was taken from all processors since the machine started, in hundredths of a second."""
    with open("/proc/stat", encoding="ascii") as file:
        return int(file.readline().split()[8])
