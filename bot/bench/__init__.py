"""Our own measurements, each in a scratch database that is dropped behind it."""
