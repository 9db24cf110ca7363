"""BM25's constants, for finding and for ranking alike."""

K1, B = 0.9, 0.4
"""For messages, whose lengths say less than those of documents, smaller than the usual ones."""
