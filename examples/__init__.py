"""Examples of learning with other libraries, each run as ``python -m examples.NAME``."""
