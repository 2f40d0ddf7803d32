"""Drives runner.c: sends scripts with their inputs, and reads what they give."""
import collections
import os
import select
import signal
import struct
import subprocess

import numpy as np

INTERPRET, LOWER, COMPILE, PASS = range(4)
FINE, REFUSED, BROKEN, CRASHED = range(4)
AUTO, STRICT, OFF = range(3)
TWIN = 2  # and more: how an argument is given
LIMIT = 60 * int(os.environ.get("INLAY_SLOW", "1"))  # seconds without an answer

Way = collections.namedtuple("Way", "how pipeline inplace level threads vectors runs checks", defaults=["default", AUTO, 2, 1, 0, 1, 0])
Answer = collections.namedtuple("Answer", "status why calls")
Call = collections.namedtuple("Call", "kept results places")  # places: the argument that a result begins with, or -1

CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
DTYPES = {(CODES[np.dtype(name).kind], np.dtype(name).itemsize * 8): np.dtype(name) for name in
          ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "bool")}


def text_bytes(text):
    raw = text.encode()
    return struct.pack("<I", len(raw)) + raw


def tensor_bytes(array, mark):
    head = struct.pack("<4B", CODES[array.dtype.kind], array.dtype.itemsize * 8, array.ndim, mark)
    return head + struct.pack(f"<{array.ndim}q", *array.shape) + array.tobytes()


def way_bytes(way):
    return struct.pack("<7B", way.how, way.inplace, way.level, way.threads, way.vectors, way.runs, way.checks) + text_bytes(way.pipeline)


class Gone(Exception):
    """The process ended, or gives no answer."""


class Runner:
    def __init__(self, path):
        self.path, self.process, self.had = path, None, 0

    def start(self):
        env = {"MALLOC_PERTURB_": "165", **os.environ}  # what was never written is no 0
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        os.set_blocking(self.process.stderr.fileno(), False)
        self.had = 0

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def close(self):
        """Lets it end by itself, and says how it did: the sanitizers speak at the end."""
        if not self.process:
            return ""
        _, errors = self.process.communicate()
        status, self.process = self.process.returncode, None
        return f"exit status {status}\n{errors.decode(errors='replace')[-2000:]}" if status else ""

    def read(self, size):
        parts, fd = [], self.process.stdout.fileno()
        while size:
            if not select.select([fd], [], [], LIMIT)[0]:
                raise Gone(f"no answer in {LIMIT} s")
            part = os.read(fd, min(size, 1 << 20))
            if not part:
                raise Gone(self.last_words())
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def last_words(self):
        self.process.wait(timeout=LIMIT)
        status = self.process.returncode
        name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return f"{name}\n{(self.process.stderr.read() or b'').decode(errors='replace')[-3000:]}"

    def ask(self, text, inputs, ways):
        """An answer for each way; inputs: lists of (array, how it is given): 0, 1: donated, TWIN + k: argument k."""
        if not self.process or self.had > 3000:  # its memory is not to grow for ever
            self.close()
            self.start()
        self.had += 1
        parts = [text_bytes(text), struct.pack("B", len(inputs))]
        for arrays in inputs:
            parts.append(struct.pack("B", len(arrays)))
            parts += [tensor_bytes(array, mark) for array, mark in arrays]
        parts.append(struct.pack("B", len(ways)))
        parts += [way_bytes(way) for way in ways]
        message = b"".join(parts)
        answers = []
        try:
            os_write(self.process.stdin, struct.pack("<I", len(message)) + message)
            for _ in ways:
                (size,) = struct.unpack("<I", self.read(4))
                answers.append(parse(self.read(size)))
        except (Gone, BrokenPipeError) as error:
            why = str(error) if isinstance(error, Gone) else self.last_words()
            self.stop()
            answers.append(Answer(CRASHED, why, []))
            if len(answers) < len(ways):  # the others are still to be asked
                answers += self.ask(text, inputs, ways[len(answers):])
        return answers


def os_write(stream, data):
    stream.write(data)
    stream.flush()


def parse(raw):
    status, length = struct.unpack_from("<BI", raw)
    why = raw[5:5 + length].decode(errors="replace")
    at, calls = 5 + length, []
    count, at = raw[at], at + 1
    for _ in range(count):
        kept = raw[at + 1:at + 1 + raw[at]]
        at += 1 + raw[at]
        results, places, number, at = [], [], raw[at], at + 1
        for _ in range(number):
            dtype, rank = DTYPES[raw[at], raw[at + 1]], raw[at + 2]
            places.append(raw[at + 3] - 1)
            shape = struct.unpack_from(f"<{rank}q", raw, at + 4)
            at += 4 + 8 * rank
            size = dtype.itemsize
            for n in shape:
                size *= n
            results.append(np.frombuffer(raw, dtype, size // dtype.itemsize, at).reshape(shape))
            at += size
        calls.append(Call(kept, results, places))
    return Answer(status, why, calls)
