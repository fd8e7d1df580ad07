"""Evaluation and tournaments on a Ray cluster: the same figures as on one machine, whatever happens to its nodes."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import trick_envs
from tests.checkpoints import chance_checkpoint
from tests.libraries.ray_cluster import NODE, kill_own_node, ray_cluster
from training import cluster as calls
from training import jobs
from training.__main__ import main
from training.cluster import Cluster
from training.jobs import Crew, Store, Workers, do_jobs


@pytest.fixture(scope="module")
def cluster():
    with ray_cluster() as cluster:
        yield cluster


def report(arguments, folder):
    assert main([*arguments, "--out", str(folder)]) == 0
    content = json.loads((folder / "report.json").read_text())
    for name in ("timings", "command"):
        assert content.pop(name)
    return content


def parts(folder):
    return len(list((folder / "parts").iterdir()))


@pytest.mark.parametrize("command", [["evaluate", "rules", "--against"], ["tournament", "setback", "rules"]])
def test_the_report_is_that_of_one_machine_though_a_node_dies(command, cluster, tmp_path, monkeypatch):
    policy = str(chance_checkpoint(tmp_path / "policy", trick_envs.make("setback")))
    arguments = [*command, "random", policy, "--deals", "60"]
    here = report([*arguments, "--processes", "1"], tmp_path / "here")
    monkeypatch.setattr(jobs, "ROWS", 40)
    monkeypatch.setattr(jobs, "ROWS_OF_POLICIES", 40)
    save, nodes = Store.save, list(cluster.worker_nodes)

    def save_and_kill(self, key, arrays):
        save(self, key, arrays)
        if nodes[0] in cluster.worker_nodes:
            cluster.remove_node(nodes[0], allow_graceful=False)

    monkeypatch.setattr(Store, "save", save_and_kill)
    there = report([*arguments, "--ray", cluster.address], tmp_path / "there")
    assert nodes[0] not in cluster.worker_nodes
    cluster.add_node(**NODE)
    assert parts(tmp_path / "there") > 2 * parts(tmp_path / "here")
    assert there == here


@dataclass
class Work:
    """Comes to its key. lethal: a file that the first try makes, before it ends with its node."""

    key: str
    lethal: Path | None = None
    error: Exception | None = None
    deals: int = 1

    def play(self):
        if self.lethal and not self.lethal.exists():
            self.lethal.touch()
            kill_own_node()
        if self.error:
            raise self.error
        return {"done": np.array([int(self.key)])}


def test_a_job_whose_node_dies_is_done_on_another(cluster, tmp_path):
    works = [Work("0"), Work("1", lethal=tmp_path / "tried"), *(Work(str(key)) for key in range(2, 9))]
    with Workers(0, Cluster(cluster.address, None, ["rules"])) as workers:
        done = do_jobs(works, Crew(True, 1), workers, Store(None, {}))
    assert (tmp_path / "tried").exists()
    assert [int(part["done"][0]) for part in done] == list(range(9))
    cluster.add_node(**NODE)


def test_an_error_in_a_job_is_raised_as_it_was(cluster):
    with pytest.raises(ZeroDivisionError, match="by nothing"), Workers(0, Cluster(cluster.address, 1, [])) as workers:
        do_jobs([Work("0", error=ZeroDivisionError("by nothing"))], Crew(True, 1), workers, Store(None, {}))


def test_a_machine_that_is_not_like_this_one_is_refused(cluster, tmp_path, monkeypatch, capsys):
    policy = chance_checkpoint(tmp_path / "policy", trick_envs.make("hearts"))
    facts = calls._facts
    monkeypatch.setattr(calls, "_facts", lambda names: {**facts(names), "bot": {str(policy): "another"}})
    assert main(["evaluate", str(policy), "--against", "rules", "--deals", "9", "--ray", cluster.address]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"is not like this one: bot {policy} is {policy} (" in error
    assert error.endswith("there, another here\n")


def test_without_an_address_it_is_the_cluster_of_this_machine(cluster, tmp_path):
    arguments = ["evaluate", "rules", "--game", "setback", "--against", "random", "--deals", "9"]
    assert report([*arguments, "--ray"], tmp_path / "there") == report(arguments, tmp_path / "here")
