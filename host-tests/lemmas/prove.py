"""Proves the lemmas of the kernel (`lemmas!` in its sources) for all arguments, with words of 32 and of 64 bits.

  python prove.py              all of them
  python prove.py NAME...      those whose name contains one of these
  python prove.py --canary     a false lemma is not proved, and what may panic is seen
"""
import itertools
import pathlib
import sys
import time

import bitwuzla
import z3

import stated
from rust import PARSER, Files, Unknown, bool_of, parts, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Milliseconds that the first solver has for one claim, and the second one where that was not enough.
PATIENCE = 5_000
MORE_PATIENCE = 300_000
# Arguments with so few values are tried one by one.
FEW = 65


def expression(source):
    function = PARSER.parse(f"fn f() {{ {source} }}".encode()).root_node.named_children[0]
    if function.has_error:
        raise Unknown(source)
    return function.child_by_field_name("body")


def evaluate(files, source, scope, file):
    return files.block(expression(source), dict(scope), file)


def cases(files, lemma):
    """Scopes for the arguments, and what is known of those in each: few values one by one, others as symbols."""
    ways = []
    for name, kind, span in lemma.arguments:
        symbol = files.symbol(name, kind)
        if span is None:
            ways.append([(name, symbol, True)])
            continue
        ends = evaluate(files, f"({span.replace('..', ',')})", {}, lemma.file)
        low, high = (files.count(files.typed(end, kind)) for end in ends)
        if high - low <= FEW:
            ways.append([(name, files.typed(number, kind), True) for number in range(low, high)])
        else:
            bits = symbol.bits
            ways.append([(name, symbol, z3.And(z3.UGE(bits, low), z3.ULT(bits, high)))])
    for way in itertools.product(*ways):
        yield {name: value for name, value, _ in way}, [bool_of(known) for _, _, known in way]


def shown(model, scope):
    return ", ".join(f"{name} = {model.eval(value.bits if hasattr(value, 'bits') else bool_of(value), model_completion=True)}"
                     for name, value in scope.items())


def counterexample(claims, scope):
    """Arguments for which all of these hold, as a text; `None` if there are none."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", PATIENCE)
    solver.add(*claims)
    answer = solver.check()
    if answer == z3.sat:
        return shown(solver.model(), scope)
    if answer == z3.unsat:
        return None
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, MORE_PATIENCE)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse("(set-logic QF_BV)\n" + solver.to_smt2().replace("(check-sat)", ""), True, False)
    answer = parser.bitwuzla().check_sat()
    if answer == bitwuzla.Result.UNSAT:
        return None
    raise Unknown("both solvers gave up" if answer == bitwuzla.Result.UNKNOWN else "a counterexample that only one solver finds")


def prove(lemma, word):
    """How many cases there were; raises `Unknown` where the solver gave up. A counterexample as a text."""
    files = Files(ROOT, word)
    for path in sorted((ROOT / "kernel/src").rglob("*.rs")):
        files.load(str(path.relative_to(ROOT)))
    count, applies = 0, False
    for scope, known in cases(files, lemma):
        files.obligations, files.path = [], []
        assumed = bool_of(evaluate(files, lemma.condition, scope, lemma.file)) if lemma.condition else z3.BoolVal(True)
        files.obligations = []
        statement = bool_of(evaluate(files, lemma.holds, scope, lemma.file))
        claims = [(f"no panic in `{where}`", claim) for claim, where in files.obligations]
        claims.append(("the statement", statement))
        count += 1
        applies = applies or counterexample([*known, assumed], scope) is not None
        for what, claim in claims:
            arguments = counterexample([*known, assumed, z3.Not(claim)], scope)
            if arguments is not None:
                return count, f"{what} fails for {arguments or 'these arguments'}"
    return count, None if applies else "its condition never holds"


CANARIES = [
    ("kernel/src/cube/gray.rs", "planted(index: u32) => encode(index).0 == index", "the statement"),
    ("kernel/src/cube/gray.rs", "planted(at: u32) if at < 33 => (1u32 << at) != 0", "no panic in `1u32 << at`"),
    ("kernel/src/cube/gray.rs", "planted(at: u32) if at < 3 && at > 5 => at == 7", "its condition"),
]


def canary():
    for file, statement, seen in CANARIES:
        _, failure = prove(stated.Lemma(file, statement), 32)
        if not failure or not failure.startswith(seen):
            raise SystemExit(f"ci/deep/lemmas: a false lemma was proved: {statement}")
    print(f"{len(CANARIES)} false lemmas, put in on purpose, are not proved")


def main(names):
    if names == ["--canary"]:
        return canary()
    chosen = stated.chosen(names)
    failures, cases_in_all = 0, 0
    for lemma in chosen:
        for word in (32, 64):
            start = time.monotonic()
            try:
                count, failure = prove(lemma, word)
            except (Unknown, AttributeError, KeyError, TypeError, ValueError) as unknown:
                count, failure = 0, f"not decided: {unknown}"
            cases_in_all += count
            failures += failure is not None
            outcome = failure or ("holds" if count == 1 else f"holds, in {count} cases")
            print(f"{lemma.file.removeprefix('kernel/src/')}: {lemma.name}, words of {word} bits: {outcome} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(chosen)} lemmas, each with words of 32 and of 64 bits: {cases_in_all:,} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
