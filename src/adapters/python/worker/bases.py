"""What transforms derive from when the public SDK is not installed beside us."""

import importlib.util
import sys
import types


class Transform:
    """A class with the name of a stored query, and a method that makes something of its answer."""

    name = None
    query = None
    timeout = 60

    def __init__(self, branch="", root_directory="", server_url="", client=None, infrahub_node=None):
        self.branch = branch
        self.root_directory = root_directory
        self.server_url = server_url
        self.client = client

    @property
    def branch_name(self):
        return self.branch

    def transform(self, data):
        raise NotImplementedError


def provide():
    _module("trellis", Transform=Transform)
    if importlib.util.find_spec("infrahub_sdk") is None:
        _module("infrahub_sdk", __path__=[])
        _module("infrahub_sdk.transforms", InfrahubTransform=Transform)


def _module(name, **contents):
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    sys.modules[name] = module
