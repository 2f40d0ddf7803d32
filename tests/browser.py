"""A headless Chromium that is spoken to over two pipes: windows of any width, light and dark, what a page says, pictures."""
import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe"]


class Browser:
    """Commands go to descriptor 3 of the browser, and answers come from 4, each with a zero byte behind."""
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        there, self.to = os.pipe()
        self.back, here = os.pipe()

        def arrange(): # they are open under other numbers, 3 and 4 maybe
            high = [os.dup(there), os.dup(here)]
            while min(high) < 5:
                high = [os.dup(one) for one in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
        self.process = subprocess.Popen([CHROMIUM, *OPTIONS, f"--user-data-dir={self.profile.name}", "about:blank"], preexec_fn=arrange, close_fds=False, start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        self.number, self.buffer, self.events = 0, b"", []
        target = self.ask("Target.createTarget", url="about:blank", session=None)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True, session=None)["sessionId"]
        self.ask("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its own children, which write to its folder for a while
        os.close(self.to)
        os.close(self.back)
        self.profile.cleanup()

    def _next(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def ask(self, method, session="", **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self.number:
            self.events.append(answer)
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def open(self, address, width, height, is_dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])
        self.events.clear()
        self.ask("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def evaluate(self, expression):
        """What @expression is, when it is there if it is a promise; what it throws is an error here."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
