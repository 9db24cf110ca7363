"""Files that ship with the product: the default card and the sample chat."""
