"""Where each requirement id stands in code and tests, read from the source text without running it.

Owns: what counts as evidence. In code: a comment or a docstring that quotes the id (`# CAP-6`,
also `FORM-1..4`). In tests: a `requirement` mark on a test, on its class, on its module
(`pytestmark`), or on a `pytest.param` that one of its decorators holds or names.
Knows nothing of: the manifest and the page.
Above it: `tools/conformance.py`. Below it: nothing.
"""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

__all__ = ["CodeEvidence", "TestEvidence", "scan_code", "scan_tests"]

_QUOTED = re.compile(r"\b(UI|CAP|REQ|FORM|URL|RES|FWD)-(\d+)(?:\.\.(?:\1-)?(\d+))?\b")

# Their docstrings name requirements without keeping any.
_NOT_EVIDENCE = ("conformance/manifest.py", "protocol/errors.py")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class CodeEvidence:
    """The files that quote each id: `files[id]` is a set of paths relative to the project."""

    def __init__(self) -> None:
        self.files: dict[str, set[str]] = defaultdict(set)


class TestEvidence:
    """The tests that carry each id, file by file.

    `tests[id][path]` lists their names, `count[path]` says how many tests the file has,
    `first_mark[id]` is a place that names the id, `problems` lists the marks that say nothing.
    """

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.problems: list[str] = []
        self.first_mark: dict[str, str] = {}
        self.count: dict[str, int] = {}


def scan_code(project: Path, folder: str = "src") -> CodeEvidence:
    """Read every module below `folder` of `project`."""
    evidence = CodeEvidence()
    for path in sorted((project / folder).rglob("*.py")):
        if path.as_posix().endswith(_NOT_EVIDENCE):
            continue
        source = path.read_text(encoding="utf-8")
        for text in (*_comments(source), *_docstrings(source)):
            for id in _quoted_ids(text):
                evidence.files[id].add(path.relative_to(project).as_posix())
    return evidence


def scan_tests(project: Path, folder: str = "tests") -> TestEvidence:
    """Read every `test_*.py` below `folder` of `project`."""
    evidence = TestEvidence()
    for path in sorted((project / folder).rglob("test_*.py")):
        if "node_modules" not in path.parts:
            _TestFile(path, path.relative_to(project).as_posix(), evidence).read()
    return evidence


def _comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def _docstrings(source: str) -> Iterator[str]:
    """Strings that stand as statements: docstrings, and those below an attribute."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text


def _quoted_ids(text: str) -> Iterator[str]:
    for group, first, last in _QUOTED.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{group}-{number}"


class _TestFile:
    """One test module: hands the ids of each mark to the tests that the mark reaches."""

    def __init__(self, path: Path, name: str, evidence: TestEvidence) -> None:
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        self._name = name
        self._evidence = evidence
        self._named = dict(_named(self._tree.body))
        self._aliases = {name for name, node in self._named.items() if _is_alias(node)}
        self._reached: set[ast.Call] = set()

    def read(self) -> None:
        self._evidence.count[self._name] = 0
        self._walk(self._tree.body, inherited=set(), prefix="")
        for call in self._marks(self._tree):
            if call not in self._reached:
                self._complain(call, "this requirement mark reaches no test")

    def _walk(self, body: list[ast.stmt], *, inherited: set[str], prefix: str) -> None:
        """Give each test in `body` the ids of its own marks and of all that stand around it."""
        inherited = inherited | self._around(body)
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                    self._record(prefix + node.name, inherited | self._decorated(node))
                case ast.ClassDef() if node.name.startswith("Test"):
                    ids = inherited | self._decorated(node)
                    self._walk(node.body, inherited=ids, prefix=f"{prefix}{node.name}::")
                case _:
                    pass

    def _around(self, body: list[ast.stmt]) -> set[str]:
        pytestmark = dict(_named(body)).get("pytestmark")
        return self._ids(pytestmark) if pytestmark else set()

    def _decorated(self, node: _Function | ast.ClassDef) -> set[str]:
        """The ids of the decorators, and of the lists of parameters that they mention."""
        ids: set[str] = set()
        for decorator in node.decorator_list:
            ids |= self._ids(decorator)
            for part in ast.walk(decorator):
                if isinstance(part, ast.Name) and part.id in self._named:
                    ids |= self._ids(self._named[part.id])
        return ids

    def _record(self, test: str, ids: set[str]) -> None:
        self._evidence.count[self._name] += 1
        for id in ids:
            self._evidence.tests[id].setdefault(self._name, []).append(test)

    def _ids(self, node: ast.AST) -> set[str]:
        ids: set[str] = set()
        for call in self._marks(node):
            self._reached.add(call)
            for argument in call.args:
                match argument:
                    case ast.Constant(value=str(id)):
                        ids.add(id)
                        self._evidence.first_mark.setdefault(id, f"{self._name}:{call.lineno}")
                    case _:
                        self._complain(call, "the ids of a requirement mark must be plain strings")
        return ids

    def _marks(self, node: ast.AST) -> Iterator[ast.Call]:
        for part in ast.walk(node):
            match part:
                case ast.Call(func=ast.Name(id=name)) if name in self._aliases:
                    yield part
                case ast.Call(func=function) if _is_mark(function):
                    yield part

    def _complain(self, node: ast.Call, text: str) -> None:
        problem = f"{self._name}:{node.lineno}: {text}"
        if problem not in self._evidence.problems:
            self._evidence.problems.append(problem)


def _named(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """What a body gives names to, apart from classes."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node
            case ast.FunctionDef(name=name):
                yield name, node


def _is_mark(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="requirement", value=ast.Attribute(attr="mark")):
            return True
        case _:
            return False


def _is_alias(node: ast.stmt) -> bool:
    """Is this `requirement = pytest.mark.requirement`?"""
    return isinstance(node, ast.Assign) and _is_mark(node.value)
