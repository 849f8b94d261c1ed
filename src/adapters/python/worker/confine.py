"""Takes from this process, for good, what code of users does not need: memory without end, other files, the network,
other processes. Each layer is used where the system has it; `confine` answers which ones are in force."""

import ctypes
import os
import platform
import resource
import struct
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SIGKILL = 9


def confine(memory_bytes_max, cpu_seconds_max, folders):
    _limit(memory_bytes_max, cpu_seconds_max)
    layers = ["limits"]
    if sys.platform != "linux":
        return layers
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return layers
    if _restrict_files(libc, folders):
        layers.append("files")
    if _restrict_calls(libc):
        layers.append("calls")
    return layers


def _limit(memory_bytes_max, cpu_seconds_max):
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes_max, memory_bytes_max))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    if cpu_seconds_max is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds_max, cpu_seconds_max + 1))


# Landlock. The numbers of its calls are the same on every processor.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_FILE_EXECUTE, _FILE_READ, _FOLDER_READ = 1 << 0, 1 << 2, 1 << 3
_EVERYTHING_SINCE = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"]


def _restrict_files(libc, folders):
    abi = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < 1:
        return False
    handled = struct.pack("=Q", _EVERYTHING_SINCE.get(min(abi, 3)))
    ruleset = libc.syscall(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    if ruleset < 0:
        return False
    for path in [*_SYSTEM, sys.prefix, sys.base_prefix, os.path.dirname(__file__), *folders]:
        _allow_reading(libc, ruleset, path)
    done = libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return done


def _allow_reading(libc, ruleset, path):
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rights = _FILE_READ | _FILE_EXECUTE
    if os.path.isdir(path):
        rights |= _FOLDER_READ
    rule = struct.pack("=Qi", rights, place)
    libc.syscall(_ADD_RULE, ruleset, 1, rule, 0)
    os.close(place)


# Calls that are answered with "not permitted", by processor: network, other processes, the machine itself.
# Threads stay possible, and so do pairs of connected sockets, which asyncio wants.
_REFUSED = {
    "x86_64": (
        0xC000003E,
        56,
        [41, 42, 43, 49, 50, 57, 58, 59, 62, 101, 133, 155, 160, 161, 164, 165, 166, 167, 169, 175, 176, 200, 227]
        + [234, 246, 248, 249, 250, 259, 272, 288, 298, 302, 304, 308, 310, 311, 313, 321, 322, 323, 424, 425, 426]
        + [427, 434],
    ),
    "aarch64": (
        0xC00000B7,
        220,
        [33, 39, 40, 41, 51, 97, 104, 105, 106, 112, 117, 129, 130, 131, 142, 164, 170, 198, 200, 201, 202, 203, 217]
        + [218, 219, 221, 224, 225, 241, 242, 261, 265, 268, 270, 271, 273, 280, 281, 282, 424, 425, 426, 427, 434],
    ),
}
_CLONE3 = 435
_CLONE_THREAD = 0x00010000
_ALLOW, _KILL, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_X32_CALLS = 0x40000000


def _restrict_calls(libc):
    if platform.machine() not in _REFUSED or sys.byteorder != "little":
        return False
    processor, clone, refused = _REFUSED[platform.machine()]
    program = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, processor),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_ABOVE, 0, 1, _X32_CALLS),
        (_RETURN, 0, 0, _REFUSE),
        # Whoever finds no clone3 uses clone, whose flags can be seen.
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _UNKNOWN),
        (_EQUAL, 0, 4, clone),
        (_LOAD, 0, 0, 16),
        (_ANY_BIT, 0, 1, _CLONE_THREAD),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    for number in refused:
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    program.append((_RETURN, 0, 0, _ALLOW))
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(program), ctypes.addressof(steps))
    return libc.prctl(_PR_SET_SECCOMP, 2, filter_, 0, 0) == 0
