class LazyString(str):
    """A sentence that is translated whenever it is shown."""
