"""Messages over pipes: four bytes of length, most significant first, then JSON in UTF-8."""

import json
import os
import struct
import sys

_LENGTH = struct.Struct(">I")


class Frames:
    """Takes standard input and output for messages; whatever else is printed goes to standard error."""

    def __init__(self):
        self._input = os.fdopen(os.dup(0), "rb")
        self._output = os.fdopen(os.dup(1), "wb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        sys.stdin = open(0, closefd=False)
        sys.stdout = sys.stderr

    def read(self):
        """The next message; None when there will be no more."""
        head = self._input.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack(head)
        return json.loads(self._input.read(length))

    def write(self, message):
        body = json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
        self._output.write(_LENGTH.pack(len(body)))
        self._output.write(body)
        self._output.flush()
