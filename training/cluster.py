"""Calls over the machines of a Ray cluster: an executor for ``Workers``. Ray is only imported when one is made."""

import logging
import platform
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from typing import Any

from training.jobs import fingerprint
from training.measurement import versions

MISSING = "--ray needs Ray, which pip install -e '.[rllib]' brings"
RETRIES = 10  # of a call whose machine or process has died
SECONDS_TO_ANSWER = 10


class Cluster(ThreadPoolExecutor):
    """Each call is a Ray task of one CPU, and a thread here waits for it; a machine that dies costs only time.

    address: of the cluster's head, or ``""`` for the cluster that RAY_ADDRESS names or this machine is part of; where
        there is none, one begins here and ends with the executor.
    count: calls at the same time, by default as many as the cluster has CPUs.
    names: of the bots that will play. A call raises ValueError on a machine where one of them, or a package that
        figures depend on, is not the same as here.
    Raises ValueError where Ray is not installed or the address is none, OSError where no machine answers there or
    Ray does not start.
    """

    def __init__(self, address: str, count: int | None, names: Sequence[str]):
        try:
            import ray
        except ModuleNotFoundError:
            raise ValueError(MISSING) from None
        if address:
            _check_answers(address)
        try:
            ray.init(address or None, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # Ray raises it bare when its processes are slow to start
            raise OSError(f"no Ray cluster: {error}") from error
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)
        self._expected = _facts(names)
        self.count = count or max(1, int(ray.cluster_resources().get("CPU", 1)))
        super().__init__(self.count)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return super().submit(self._wait_for, function, arguments, named)

    def _wait_for(self, function: Callable[..., Any], arguments: Any, named: Any) -> Any:
        try:
            return self._ray.get(self._task.remote(self._expected, function, arguments, named))
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            raise BrokenExecutor(str(error)) from None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, when all calls are done or, without ``wait``, at once."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._ray.shutdown()


def _check_answers(address: str) -> None:
    """OSError unless something answers at ``address``: Ray itself would try for minutes, without a word."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal() and int(port) < 2**16):
        raise ValueError(f"--ray {address}: should be HOST:PORT, or ray://HOST:PORT for a Ray client")
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()
    except OSError as error:
        raise OSError(f"--ray {address}: no Ray cluster answers there: {error}") from None


def _facts(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What has to be the same on all machines: versions, and bots with the hashes of their weights."""
    return {"version of": versions(), "bot": {name: fingerprint(name) for name in names}}


def _call(expected: dict[str, dict[str, str]], function: Callable[..., Any], arguments: Any, named: Any) -> Any:
    """The call, on a machine of the cluster."""
    found = _facts(list(expected["bot"]))
    differences = [
        f"{kind} {name} is {found[kind][name]} there, {value} here"
        for kind, facts in expected.items()
        for name, value in facts.items()
        if found[kind][name] != value
    ]
    if differences:
        raise ValueError(f"{platform.node()}, a machine of the cluster, is not like this one: {'; '.join(differences)}")
    return function(*arguments, **named)
