"""Vectors as another embedding model might give them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def squeezed(units: npt.NDArray[np.float32], alike: float) -> npt.NDArray[np.float32]:
    """Rows of unit length as a model gives them that finds all texts `alike`: a similarity s becomes a + (1 - a) s."""
    own = np.sqrt(1 - alike) * units
    return np.concatenate([own, np.full((len(units), 1), np.sqrt(alike))], axis=1).astype(np.float32)
