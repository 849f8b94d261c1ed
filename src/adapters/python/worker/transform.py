"""Runs one transform, a class of a user, and ends."""

import asyncio
import importlib.util
import inspect
import json
import os
import sys
import traceback

import bases
from confine import confine
from frames import Frames


class Refused(Exception):
    """Something about the class itself is wrong; no traceback is needed to see it."""


def _load(folder, file_path, class_name):
    place = os.path.join(folder, file_path)
    if not os.path.isfile(place):
        raise FileNotFoundError(file_path)
    sys.path[:0] = [folder, os.path.dirname(place)]
    bases.provide()
    spec = importlib.util.spec_from_file_location("transform_of_user", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        raise Refused(f"{file_path} has no class {class_name}")
    if not callable(getattr(found, "transform", None)):
        raise Refused(f"{class_name} in {file_path} has no method transform(self, data)")
    return found


def _made(found, offered):
    """An instance, given those of our values that its class asks for."""
    parameters = inspect.signature(found).parameters.values()
    takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters)
    names = {each.name for each in parameters}
    return found(**{name: value for name, value in offered.items() if takes_all or name in names})


async def _finished(result):
    return await result


def _transform(request):
    found = _load(request["folder"], request["file_path"], request["class_name"])
    offered = {
        "branch": request["branch"],
        "root_directory": request["folder"],
        "server_url": "",
        "client": None,
        "infrahub_node": None,
    }
    result = _made(found, offered).transform(data=request["data"])
    if inspect.isawaitable(result):
        result = asyncio.run(_finished(result))
    try:
        json.dumps(result, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Refused(f"{request['class_name']} returned what JSON cannot hold: {error}") from error
    return result


def _describe(request):
    found = _load(request["folder"], request["file_path"], request["class_name"])
    query = getattr(found, "query", None)
    if not isinstance(query, str) or query == "":
        raise Refused(f"{request['class_name']} in {request['file_path']} names no query")
    timeout = getattr(found, "timeout", None)
    return {"query": query, "timeout": timeout if isinstance(timeout, int) and timeout > 0 else None}


def _traceback(error, folder):
    """From the first line of the user's own code on, with paths as the repository has them."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [place for place, frame in enumerate(frames) if frame.filename.startswith(folder + "/")]
    lines = traceback.format_list(frames[own[0] :] if own else [])
    lines += traceback.format_exception_only(type(error), error)
    return "".join(lines).replace(folder + "/", "").strip()


def _answer(request):
    verb = {"transform": _transform, "describe": _describe}[request["verb"]]
    folder = request["folder"]
    try:
        return {"ok": verb(request)}
    except Refused as error:
        return {"error": str(error), "reason": "code"}
    except FileNotFoundError as error:
        if error.args == (request["file_path"],):
            return {"error": request["file_path"], "reason": "missing"}
        return {"error": _traceback(error, folder), "reason": "code"}
    except MemoryError as error:
        return {"error": _traceback(error, folder), "reason": "memory"}
    except BaseException as error:
        return {"error": _traceback(error, folder), "reason": "code"}


def main():
    frames = Frames()
    start = frames.read()
    request = frames.read()
    layers = confine(start["memory_bytes_max"], start["cpu_seconds_max"], start["folders"])
    frames.write({"ok": {"layers": layers}})
    frames.write(_answer(request))
    # Threads that the code left running do not keep the process.
    os._exit(0)


main()
