"""A small Ray cluster in processes of this machine: a head without CPUs, and nodes with one each."""

import os
import signal
from contextlib import contextmanager

import pytest

STORE = {"object_store_memory": 100 * 2**20}
NODE = {"num_cpus": 1, **STORE}
SETTINGS = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}  # write no token, send nothing


@contextmanager
def ray_cluster(nodes=2):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        import ray
        from ray.cluster_utils import Cluster

        cluster = Cluster(True, head_node_args={"num_cpus": 0, "include_dashboard": False, **STORE})
        try:
            for _ in range(nodes):
                cluster.add_node(**NODE)
            cluster.wait_for_nodes()
            yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()


def kill_own_node():
    """Called in a task: end this node of the cluster and the task, as when a machine fails."""
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
