"""Mistakes of people in a script, made at random: of tokens, arguments and lines, one to three at a time."""
import keyword
import re

TOKEN = re.compile(r"""(?P<comment>\#[^\n]*)|(?P<string>\"\"\".*?\"\"\"|"[^"\n]*"|'[^'\n]*')|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)
    |(?P<line>\n[ \t]*)|(?P<blank>[ \t\\]+)|(?P<sign>->|:=|==|!=|<=|>=|<<|>>|//=?|\*\*|[-+*/%]=|.)""", re.VERBOSE | re.DOTALL)
OPEN, CLOSE = "([{", ")]}"
SIGNS = "( ) [ ] { } : , . = -> @ + - * / // % ** << >> & | ^ ~ < <= > >= == != := ; += -= ...".split()
LITERALS = ["0", "1", "-1", "-3", "2", "7", "64", "1.5", "-0.5", "True", "None", '"x"', '""', "()", "[]", "(1,)", "[2, 3]", "{}", "1e400", '"float32"', '"n + 1"',
            "2147483648", "9223372036854775807", "18446744073709551616", "-9223372036854775808"]
DTYPES = ["float32", "float16", "float64", "int32", "int64", "int8", "uint8", "bool", "handle", "float8_e4m3fn", "float32x4", "void", "float33"]
# What TVMScript calls things, where a name of the script stands.
WORDS = """T R I T.int64 T.int32 T.float32 T.Buffer T.grid T.serial T.parallel T.vectorized T.unroll T.thread_binding T.axis.remap T.axis.spatial T.axis.reduce
    T.sblock T.block T.init T.reads T.writes T.where T.alloc_buffer T.match_buffer T.Cast T.if_then_else T.min T.max T.exp T.evaluate T.func_attr T.reinterpret T.handle
    R.Tensor R.Shape R.Tuple R.Prim R.Object R.Callable R.add R.matmul R.nn.relu R.reshape R.const R.shape R.call_tir R.call_tir_inplace R.call_dps_packed
    R.call_packed R.match_cast R.output R.dataflow R.func_attr R.tuple R.prim_value R.assert_op R.print R.concat R.split R.memory.kill_object
    I.ir_module I.pyfunc range len int float min max self cls relax tir x""".split()


class Tokens:
    """The text of a script in pieces, [kind, text]."""
    def __init__(self, text, chance):
        self.items = [[match.lastgroup, match[0]] for match in TOKEN.finditer(text)]
        self.random = chance

    def text(self):
        return "".join(text for _, text in self.items)

    def places(self, *kinds):
        return [i for i, (kind, _) in enumerate(self.items) if kind in kinds]

    def place(self, *kinds):
        return self.random.choice(self.places(*(kinds or ("string", "number", "name", "sign"))))

    def closing(self, start):
        """Where the bracket at @start is closed, or the line ends."""
        depth = 0
        for i in range(start, len(self.items)):
            text = self.items[i][1]
            depth += (text in OPEN) - (text in CLOSE) if self.items[i][0] == "sign" else 0
            if depth <= 0 or (self.items[i][0] == "line" and depth > 40):
                return i
        return len(self.items) - 1

    def bracket(self):
        return self.random.choice([i for i in self.places("sign") if self.items[i][1] in OPEN])

    def arguments(self, start):
        """(begin, end) of what stands between the commas behind the bracket at @start."""
        end, depth, begin, found = self.closing(start), 0, start + 1, []
        for i in range(start + 1, end + 1):
            text = self.items[i][1] if self.items[i][0] == "sign" else ""
            if (i == end or text == ",") and depth == 0:
                if "".join(piece for _, piece in self.items[begin:i]).strip():
                    found.append((begin, i))
                begin = i + 1
            depth += (text != "" and text in OPEN) - (text != "" and text in CLOSE)
        return found

    def line(self):
        """(begin, end) of a line that is not empty, with the blanks in front."""
        starts = self.places("line") + [len(self.items)]
        lines = [(a, b) for a, b in zip(starts, starts[1:]) if any(kind not in ("blank", "comment") for kind, _ in self.items[a + 1:b])]
        return self.random.choice(lines)

    def put(self, begin, end, pieces):
        self.items[begin:end] = [list(piece) for piece in pieces]

    def replace(self, at, text, kind="other"):
        self.items[at] = [kind, text]


# ---- a token


def delete(t):
    at = t.place()
    t.put(at, at + 1, [])


def double(t):
    at = t.place()
    t.put(at, at, [t.items[at], ["blank", t.random.choice(["", " "])]])


def swap_neighbours(t):
    places = t.places("string", "number", "name", "sign")
    index = t.random.randrange(len(places) - 1)
    a, b = places[index], places[index + 1]
    t.items[a], t.items[b] = t.items[b], t.items[a]


def other_token(t):
    t.items[t.place()] = list(t.items[t.place()])


def other_name(t):
    a = t.place("name")
    t.items[a] = list(t.items[t.place("name")])


def other_keyword(t):
    words = [i for i in t.places("name") if keyword.iskeyword(t.items[i][1])]
    t.replace(t.random.choice(words), t.random.choice(keyword.kwlist), "name")


def name_to_word(t):
    t.replace(t.place("name"), t.random.choice(WORDS))


def name_to_form(t):
    """A name becomes an attribute, an element, a call, .."""
    at, other = t.place("name"), t.items[t.place("name")][1]
    form = t.random.choice(["{0}.{1}", "{0}[{1}]", "{0}[0]", "{0}[0, 0]", "{0}()", "{0}({1})", "({0}, {1})", "({0},)", "*{0}", "-{0}", "not {0}", "{0}[0:{1}]", "{1}={0}", "{0} + {1}",
                            "{0}.dtype", "{0}.shape[0]", "{0} if {1} else 0", "[{0}]", "lambda {1}: {0}", "{0} < {1}", "{0} and {1}", "\"{0}\"", "{0}: {1}", "{{{0}: 1}}", "{0}[()]", "{0}[None]", "{0}[...]"])
    t.replace(at, form.format(t.items[at][1], other))


def other_sign(t):
    t.replace(t.place("sign"), t.random.choice(SIGNS), "sign")


def misspell(t):
    at = t.place("name")
    text = t.items[at][1]
    i = t.random.randrange(len(text))
    t.replace(at, t.random.choice([text[:i] + text[i + 1:] or "q", text[:i] + text[i] + text[i:], text.upper(), text[:i] + t.random.choice("aeiou_1") + text[i:]]), "name")


# ---- a value


def other_number(t):
    at = t.place("number")
    t.replace(at, t.random.choice(LITERALS))


def near_number(t):
    at = t.place("number")
    text = t.items[at][1]
    t.replace(at, str(max(0, int(text) + t.random.choice([-2, -1, 1, 2, 8]))) if text.isdigit() else t.random.choice(LITERALS), "number")


def other_string(t):
    at = t.place("string")
    t.replace(at, t.random.choice([f'"{t.random.choice(DTYPES)}"', t.random.choice(LITERALS), t.items[t.place("string")][1], t.items[t.place("name")][1]]))


def other_dtype(t):
    at = t.random.choice([i for i in t.places("string") if t.items[i][1].strip("\"'") in DTYPES])
    t.replace(at, f'"{t.random.choice(DTYPES)}"', "string")


# ---- arguments and lines


def drop_argument(t):
    begin, end = t.random.choice(t.arguments(t.bracket()))
    t.put(begin, min(end + t.random.randrange(2), len(t.items)), [])


def no_arguments(t):
    start = t.bracket()
    t.put(start + 1, t.closing(start), [])


def swap_arguments(t):
    a, b = t.random.sample(t.arguments(t.bracket()), 2)
    a, b = min(a, b), max(a, b)
    first, second = t.items[slice(*a)], t.items[slice(*b)]
    t.put(*b, first)
    t.put(*a, second)


def other_argument(t):
    to, out_of = t.random.choice(t.arguments(t.bracket())), t.random.choice(t.arguments(t.bracket()))
    t.put(*to, [["blank", " "]] + t.items[slice(*out_of)])


def more_argument(t):
    at, (begin, end) = t.bracket(), t.random.choice(t.arguments(t.bracket()))
    t.put(at + 1, at + 1, t.items[begin:end] + [["sign", ", "]])


def literal_argument(t):
    begin, end = t.random.choice(t.arguments(t.bracket()))
    t.put(begin, end, [["other", " " + t.random.choice(LITERALS)]])


def drop_line(t):
    begin, end = t.line()
    t.put(begin, end, [])


def double_line(t):
    begin, end = t.line()
    t.put(begin, begin, t.items[begin:end])


def move_line(t):
    begin, end = t.line()
    line = t.items[begin:end]
    t.put(begin, end, [])
    at = t.line()[0]
    t.put(at, at, line)


def swap_lines(t):
    a, b = sorted((t.line(), t.line()))
    if a[1] <= b[0]:
        first, second = t.items[slice(*a)], t.items[slice(*b)]
        t.put(*b, first)
        t.put(*a, second)


def indent(t):
    begin, _ = t.line()
    text = t.items[begin][1]
    t.replace(begin, t.random.choice([text + "    ", text[:-4] if len(text) > 4 else "\n", text + " ", "\n", text + "\t"]), "line")


def join_lines(t):
    begin, _ = t.line()
    t.replace(begin, t.random.choice([" ", "; ", " \\\n"]), "blank")


def cut_line(t):
    begin, end = t.line()
    if end - begin > 2:
        t.put(t.random.randrange(begin + 1, end), end, [])


BROKEN = [delete, double, swap_neighbours, other_token, other_keyword, other_sign, indent, join_lines, cut_line, misspell]
WRONG = [other_name, name_to_word, name_to_form, other_number, near_number, other_string, other_dtype, drop_argument, no_arguments, swap_arguments, other_argument, more_argument,
         literal_argument, drop_line, double_line, move_line, swap_lines]
# What often leaves a program that is right, or nearly.
VALUES = [near_number, other_number, other_name, other_dtype, swap_arguments, literal_argument, swap_lines, double_line, drop_line, other_argument]


def changed(text, chance):
    """@text with some mistakes, and their names."""
    kinds = chance.choices([BROKEN, WRONG, VALUES], [2, 4, 4])[0]
    made = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        tokens = Tokens(text, chance)
        change = chance.choice(kinds)
        try:
            change(tokens)
        except (IndexError, ValueError): # there is nothing of the kind
            continue
        text = tokens.text()
        made.append(change.__name__)
    return text, made
