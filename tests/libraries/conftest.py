"""Leaves out the tests of libraries that are not installed."""

from importlib.util import find_spec

MODULES = {"openspiel": "pyspiel"}  # by the library's test file, what has to be there

collect_ignore = [f"test_{library}.py" for library, module in MODULES.items() if find_spec(module) is None]
