#!/usr/bin/env python3
"""The set-up lines of docs/editors.md, each in its editor: a mistake is shown where it stands, goes when it is mended, and what a reader asks for
is answered. Prints TAP. Neovim and Emacs are driven without a screen, skipped where they are missing (Debian's packages `neovim`, `emacs-nox` with
`elpa-eglot`).

usage: editors.py TOOL ROOT [FILTER]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

from cases import Cases

NEEDS = {"neovim": ("nvim", "neovim"), "emacs": ("emacs", "emacs-nox elpa-eglot")}
SLOW = int(os.environ.get("INLAY_SLOW", "1"))
SCRIPT = '''from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((32, 32), "float32"), y: R.Tensor((32, 32), "float32")):
        a = R.matmull(x, y)
        b = R.nn.softmax(a)
        return b
'''
# Answers are prompt: what has not come after ten seconds does not come.
NEOVIM = '''
local function wait(what, holds)
  if not vim.wait(10000 * SLOW, holds, 20) then print('no ' .. what) end
end
local function ask(method, line, column, more)
  local asked = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }, more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, asked, 10000 * SLOW) or {}) do return answer.result end
end
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do print('said ' .. d.lnum + 1 .. ' ' .. d.message) end
vim.api.nvim_buf_set_lines(0, 8, 9, false, { '        a = R.matmul(x,y)' })
wait('end of the diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
print('hover ' .. ask('textDocument/hover', 9, 8).contents.value)
local at = ask('textDocument/definition', 9, 25)
print('defined ' .. (at.range or at[1].range).start.line + 1)
local hints = {}
wait('hints', function()
  hints = ask('textDocument/inlayHint', 0, 0, { range = { start = { line = 0, character = 0 }, ['end'] = { line = 11, character = 0 } } }) or {}
  return #hints > 0
end)
for _, hint in ipairs(hints) do print('hint ' .. hint.position.line + 1 .. ' ' .. (type(hint.label) == 'string' and hint.label or hint.label[1].value)) end
print('complete ' .. #ask('textDocument/completion', 9, 14) .. ' ' .. vim.bo.omnifunc)
vim.lsp.buf.formatting_sync(nil, 10000 * SLOW)
print('formatted ' .. vim.api.nvim_buf_get_lines(0, 8, 9, false)[1])
'''
EMACS = '''
(setq eglot-sync-connect 10)
(find-file (getenv "SCRIPT"))
(python-mode)
(require 'flymake)
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) (* 15 (string-to-number (getenv "SLOW"))))))
  (while (and (< (float-time) end) (not (flymake-diagnostics))) (accept-process-output nil 0.05)))
(dolist (d (flymake-diagnostics)) (princ (format "said %d %s\\n" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d))))
(kill-emacs 0)
'''


def missing(name):
    """What there is not, for the case of that name."""
    program, packages = NEEDS.get(name, (None, ""))
    if program and (not shutil.which(program) or name == "emacs" and not pathlib.Path("/usr/share/emacs/site-lisp/elpa-src").exists()):
        return f"there is no {name} here: {packages}"
    return None


case = Cases(missing)


class Editor:
    def __init__(self, path, root, folder):
        self.folder = pathlib.Path(folder)
        self.path = f"{pathlib.Path(path).resolve().parent}:{os.environ['PATH']}"
        self.page = (pathlib.Path(root) / "docs/editors.md").read_text()
        self.script = self.folder / "script.py"
        self.script.write_text(SCRIPT)

    def lines(self, language, number=0):
        return re.findall(rf"```{language}\n(.*?)```", self.page, re.DOTALL)[number]

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def run(self, *command):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120 * SLOW, cwd=self.folder,
                              env={**os.environ, "PATH": self.path, "HOME": str(self.folder), "SCRIPT": str(self.script), "SLOW": str(SLOW)})
        return done.stdout


@case
def neovim(editor):
    version = tuple(map(int, re.search(r"v(\d+)\.(\d+)", editor.run("nvim", "--version")).groups()))
    start = editor.write("init.lua", editor.lines("lua", 0 if version >= (0, 11) else 1))
    said = editor.run("nvim", "--headless", "-u", start, str(editor.script), "-c", "luafile " + editor.write("drive.lua", f"SLOW = {SLOW}\n" + NEOVIM), "-c", "qa!")
    assert "said 9 there is no operator `R.matmull`" in said and "did you mean `R.matmul`" in said, said
    assert "hover" in said and 'b: R.Tensor((32, 32), dtype="float32")' in said and "defined 9" in said, said
    assert re.search(r"hint 10 .*in place", said) and re.search(r"hint 9 .*new storage 4 KB", said), said
    assert re.search(r"complete \d{2,} .*lsp.omnifunc", said), said
    assert "formatted         a = R.matmul(x, y)" in said and "no end of" not in said, said


@case
def emacs(editor):
    said = editor.run("emacs", "--batch", "-f", "package-initialize", "-l", editor.write("init.el", editor.lines("elisp")), "-l", editor.write("drive.el", EMACS))
    assert re.search(r"said 9 .*there is no operator `R.matmull`", said), said


@case
def what_others_read(editor):
    """Helix's and Visual Studio Code's files are well-formed, and start the server."""
    assert json.loads(editor.lines("json"))["main"] == "./extension.js"
    assert "command: 'inlay', args: ['lsp']" in editor.lines("js")
    try:
        import tomllib
    except ImportError:
        return
    found = tomllib.loads(editor.lines("toml"))
    server = found["language-server"]["inlay"]
    assert (server["command"], server["args"]) == ("inlay", ["lsp"]) and found["language"][0]["language-servers"] == ["inlay"], found


if __name__ == "__main__":
    case.main(Editor)
