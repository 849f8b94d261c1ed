"""Renders templates for as long as there are messages. One process, one template at a time."""

import sys
import traceback

from confine import confine
from frames import Frames

import jinja2
from jinja2 import meta
from jinja2.sandbox import SandboxedEnvironment

_ENVIRONMENTS_MAX = 16
# These ask the network, which no template can.
_NETWORK_FILTERS = {"fqdn_to_ip", "is_fqdn_resolvable", "tcp_ping"}


def _filters():
    from json import loads

    try:
        from netutils.utils import jinja2_convenience_function
    except ImportError:
        return {"from_json": loads}
    offered = jinja2_convenience_function()
    return {**{name: body for name, body in offered.items() if name not in _NETWORK_FILTERS}, "from_json": loads}


class Renderer:
    def __init__(self):
        self._filters = _filters()
        self._environments = {}

    def render(self, folder, path, variables):
        return self._environment(folder).get_template(path).render(variables)

    def files(self, folder, path):
        """What a template is made of, or None when it names some of it only while it renders."""
        environment = self._environment(folder)
        found, left = set(), [path]
        while left:
            name = left.pop()
            if name in found:
                continue
            found.add(name)
            try:
                source = environment.loader.get_source(environment, name)[0]
            except jinja2.TemplateNotFound:
                continue
            for other in meta.find_referenced_templates(environment.parse(source)):
                if other is None:
                    return None
                left.append(other)
        return sorted(found)

    def _environment(self, folder):
        known = self._environments.pop(folder, None)
        if known is None:
            known = SandboxedEnvironment(
                loader=jinja2.FileSystemLoader(folder),
                trim_blocks=True,
                lstrip_blocks=True,
                # The files of a commit never change.
                auto_reload=False,
            )
            for name, body in self._filters.items():
                known.filters.setdefault(name, body)
        self._environments[folder] = known
        if len(self._environments) > _ENVIRONMENTS_MAX:
            self._environments.pop(next(iter(self._environments)))
        return known


def _problem(error, folder):
    """What went wrong and where: the last line of a template that was reached."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return _placed(_inside(error.filename, folder) or error.name, error.lineno, error.message)
    if isinstance(error, jinja2.TemplateNotFound):
        message = f"there is no template '{error.name}' in the repository"
    else:
        message = str(error) or type(error).__name__
        if not isinstance(error, jinja2.TemplateError):
            message = f"{type(error).__name__}: {message}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        place = _inside(frame.filename, folder)
        if place is not None:
            return _placed(place, frame.lineno, message)
    return message


def _inside(filename, folder):
    if filename is not None and filename.startswith(folder + "/"):
        return filename[len(folder) + 1 :]
    return None


def _placed(place, line, message):
    return f"{place}, line {line}: {message}" if place else message


def _answer(renderer, request):
    folder = request["folder"]
    try:
        if "variables" not in request:
            return {"ok": renderer.files(folder, request["path"])}
        return {"ok": renderer.render(folder, request["path"], request["variables"])}
    except jinja2.TemplateNotFound as error:
        reason = "missing" if error.name == request["path"] else "template"
        return {"error": _problem(error, folder), "reason": reason}
    except MemoryError:
        return {"error": "the template needs more memory than it may have", "reason": "memory"}
    except RecursionError:
        return {"error": "the template includes or calls itself without end", "reason": "template"}
    except Exception as error:
        return {"error": _problem(error, folder), "reason": "template"}


def main():
    frames = Frames()
    start = frames.read()
    renderer = Renderer()
    layers = confine(start["memory_bytes_max"], None, start["folders"])
    frames.write({"ok": {"layers": layers, "jinja2": jinja2.__version__, "python": sys.version.split()[0]}})
    while (request := frames.read()) is not None:
        frames.write(_answer(renderer, request))


main()
