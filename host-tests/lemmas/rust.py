"""Functions of the kernel as formulas: an interpreter of the part of Rust that tricks with bits are written in.

A number is a bit vector of z3. A branch on something unknown becomes an if-then-else of its outcomes; one that returns early
splits the evaluation into paths. Loops are unrolled until no path goes on. What would panic where overflow is checked (a sum that
overflows, a shift by the width or more, an index out of range) is collected as an obligation: it may not happen.

What is not understood raises `Unknown`; nothing is skipped.
"""
import os
import pathlib

import tree_sitter
import tree_sitter_rust
import z3

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
WIDTHS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
# Longer loops are no trick with bits.
MOST_TURNS = 70


class Unknown(Exception):
    """A part of the language that the interpreter does not have."""


class Num:
    """A number of a machine type."""

    def __init__(self, bits, signed=False):
        self.bits = z3.simplify(bits)
        self.signed = signed

    @property
    def width(self):
        return self.bits.size()

    def like(self, bits):
        return Num(bits, self.signed)

    def known(self):
        return z3.is_bv_value(self.bits)


class Pending:
    """A literal that is shifted: it is of the type that it meets later."""

    def __init__(self, at_width):
        self.at_width = at_width

    def like(self, number):
        return number.like(self.at_width(number.width))


class Struct:
    def __init__(self, name, fields):
        self.name, self.fields = name, fields


class Option:
    def __init__(self, some, value):
        self.some, self.value = some, value


class Closure:
    def __init__(self, names, body, scope, file):
        self.names, self.body, self.scope, self.file = names, body, scope, file


def text(node):
    return node.text.decode()


def parts(node):
    """The children that mean something."""
    return [child for child in node.named_children if child.type not in ("line_comment", "block_comment", "attribute_item")]


def bool_of(value):
    return z3.BoolVal(value) if isinstance(value, bool) else value


def settled(condition):
    """True or false, if it is one of them whatever the arguments are; else `None`."""
    condition = z3.simplify(bool_of(condition))
    return True if z3.is_true(condition) else False if z3.is_false(condition) else None


def merged(condition, one, other):
    """The value `one` where the condition holds, `other` elsewhere."""
    if one is other:
        return one
    if one is None or other is None:
        return one if other is None else other
    if isinstance(one, (bool, z3.BoolRef)):
        return z3.simplify(z3.If(condition, bool_of(one), bool_of(other)))
    if isinstance(one, int) and isinstance(other, int) and one == other:
        return one
    if isinstance(one, (int, Pending)) and isinstance(other, (int, Pending)):
        at = lambda it, width: it.at_width(width) if isinstance(it, Pending) else z3.BitVecVal(it, width)
        return Pending(lambda width: z3.If(condition, at(one, width), at(other, width)))
    if isinstance(one, Num) or isinstance(other, Num):
        one, other = alike(one, other)
        return one.like(z3.If(condition, one.bits, other.bits))
    if isinstance(one, (list, tuple)):
        return type(one)(merged(condition, a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, Struct):
        return Struct(one.name, {key: merged(condition, one.fields[key], other.fields[key]) for key in one.fields})
    if isinstance(one, Option):
        return Option(merged(condition, one.some, other.some), merged(condition, one.value, other.value))
    raise Unknown(f"branches of {type(one).__name__}")


def alike(a, b):
    """Two numbers as of one type: a literal takes that of the other."""
    if isinstance(a, Pending) and isinstance(b, Num):
        return a.like(b), b
    if isinstance(b, Pending) and isinstance(a, Num):
        return a, b.like(a)
    if isinstance(a, int) and isinstance(b, Num):
        return b.like(z3.BitVecVal(a, b.width)), b
    if isinstance(b, int) and isinstance(a, Num):
        return a, a.like(z3.BitVecVal(b, a.width))
    if not (isinstance(a, Num) and isinstance(b, Num)):
        raise Unknown(f"numbers of {type(a).__name__} and {type(b).__name__}")
    if (a.width, a.signed) != (b.width, b.signed):
        raise Unknown(f"numbers of {a.width} and {b.width} bits")
    return a, b


def ones_of(bits):
    """How many ones, as a number of the same width."""
    width = bits.size()
    total, step = bits, 1
    while step < width:
        mask = z3.BitVecVal(((1 << width) - 1) // ((1 << step) + 1), width)
        total = (total & mask) + (z3.LShR(total, step) & mask)
        step *= 2
    return total


def smeared(bits):
    """All ones below the highest one, and it."""
    step = 1
    while step < bits.size():
        bits = bits | z3.LShR(bits, step)
        step *= 2
    return bits


class Files:
    """The functions and constants of some files, with the word of a target."""

    def __init__(self, root, word):
        self.root, self.word = pathlib.Path(root), word
        self.functions, self.constants, self.structs, self.read = {}, {}, {}, {}
        self.obligations = []
        self.path, self.decisions, self.at = [], [], 0

    def load(self, name):
        if name in self.read:
            return
        source = (self.root / name).read_bytes()
        tree = PARSER.parse(source)
        self.read[name] = source
        self.collect(tree.root_node, name, None)

    def collect(self, node, file, owner):
        for item in node.named_children:
            if item.type == "impl_item":
                kind = text(item.child_by_field_name("type")).split("<")[0]
                self.collect(item.child_by_field_name("body"), file, kind)
            elif item.type == "function_item":
                self.functions[file, owner, text(item.child_by_field_name("name"))] = item
            elif item.type in ("const_item", "static_item"):
                self.constants[file, owner, text(item.child_by_field_name("name"))] = item
            elif item.type == "struct_item":
                self.structs.setdefault(text(item.child_by_field_name("name")), []).append((file, item))
            elif item.type == "expression_statement" or item.type == "macro_invocation":
                self.collect_from_macro(item, file)

    def collect_from_macro(self, item, file):
        """Items that a macro is given, as `data!` is."""
        call = item if item.type == "macro_invocation" else parts(item)[0]
        if call.type == "macro_invocation" and text(call.child_by_field_name("macro")).endswith("data"):
            inner = parts(call)[-1].text[1:-1]
            self.collect(PARSER.parse(inner).root_node, file, None)

    def find(self, table, file, owner, name):
        if (file, owner, name) in table:
            return file, table[file, owner, name]
        found = [(key[0], item) for key, item in table.items() if key[1:] == (owner, name)]
        if len(found) != 1:
            raise Unknown(f"{owner or ''}::{name}, which is {'not there' if not found else 'in several files'}")
        return found[0]

    def struct(self, name, file):
        """The struct of a name; of several the nearest by its folder."""
        shared = lambda other: len(os.path.commonpath([file, other]))
        return max(self.structs[name], key=lambda one: shared(one[0]))[1]

    # Types

    def width_of(self, kind):
        return self.word if kind in ("usize", "isize", "Word") else WIDTHS.get(kind)

    def typed(self, value, kind):
        """A literal, or what has a literal in it, as of a type."""
        if isinstance(value, tuple) and kind.startswith("("):
            return tuple(self.typed(one, of) for one, of in zip(value, kind[1:-1].split(", "), strict=True))
        if isinstance(value, list) and kind.startswith("["):
            return [self.typed(one, kind[1:].split(";")[0]) for one in value]
        if not self.width_of(kind) or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return Num(z3.BitVecVal(value, self.width_of(kind)), kind[0] == "i")
        if isinstance(value, Pending):
            return Num(value.at_width(self.width_of(kind)), kind[0] == "i")
        return value

    def symbol(self, name, kind):
        if kind == "bool":
            return z3.Bool(name)
        if not self.width_of(kind):
            raise Unknown(f"an argument of type {kind}")
        return Num(z3.BitVec(name, self.width_of(kind)), kind[0] == "i")

    # Paths

    def demand(self, what, where):
        """What must hold here, or the program may panic."""
        if settled(what) is not True:
            self.obligations.append((z3.Implies(z3.And(self.path), bool_of(what)), text(where)))

    def fork(self, condition):
        """Takes one way of a branch, and notes that the other is to be taken, too."""
        known = settled(condition)
        if known is not None:
            return known
        if self.at == len(self.decisions):
            self.decisions.append(True)
        taken = self.decisions[self.at]
        self.at += 1
        self.path.append(bool_of(condition) if taken else z3.Not(bool_of(condition)))
        return taken

    def call(self, file, owner, name, values):
        """What a function returns, on all of its paths."""
        file, item = self.find(self.functions, file, owner, name)
        scope = {"Self": owner}
        parameters = parts(item.child_by_field_name("parameters"))
        for parameter, value in zip(parameters, values, strict=True):
            if parameter.type == "self_parameter":
                scope["self"] = value
                continue
            kind = text(parameter.child_by_field_name("type"))
            self.bind(parameter.child_by_field_name("pattern"), self.typed(value, kind), scope)
        returned = item.child_by_field_name("return_type")
        result = self.paths(item.child_by_field_name("body"), scope, file)
        return self.typed(result, text(returned)) if returned else result

    def paths(self, body, scope, file):
        outer = self.path, self.decisions, self.at
        self.decisions, results = [], []
        while True:
            self.path, self.at = list(outer[0]), 0
            try:
                value = self.block(body, dict(scope), file)
            except Return as done:
                value = done.value
            results.append((self.path[len(outer[0]):], value))
            while self.decisions and not self.decisions[-1]:
                self.decisions.pop()
            if not self.decisions:
                break
            self.decisions[-1] = False
        self.path, self.decisions, self.at = outer
        # The last path is what none of the others is.
        value = results[-1][1]
        for path, other in reversed(results[:-1]):
            value = merged(z3.And(path), other, value)
        return value

    # Statements

    def block(self, node, scope, file):
        value = ()
        children = parts(node)
        for place, child in enumerate(children):
            if child.type == "let_declaration":
                self.let(child, scope, file)
                value = ()
            elif child.type == "expression_statement":
                inner = parts(child)[0]
                value = self.value(inner, scope, file)
                ends = text(child).endswith(";")
                value = () if ends or place + 1 < len(children) else value
            elif child.type in ("const_item", "static_item"):
                kind = text(child.child_by_field_name("type"))
                value = self.value(child.child_by_field_name("value"), scope, file)
                scope[text(child.child_by_field_name("name"))] = self.typed(value, kind)
            else:
                value = self.value(child, scope, file)
        return value

    def let(self, node, scope, file):
        value = self.value(node.child_by_field_name("value"), scope, file)
        kind = node.child_by_field_name("type")
        pattern, alternative = node.child_by_field_name("pattern"), node.child_by_field_name("alternative")
        if alternative:
            if not isinstance(value, Option) or text(pattern.child_by_field_name("type")) != "Some":
                raise Unknown(f"let-else of {text(pattern)}")
            if not self.fork(value.some):
                self.value(alternative, scope, file)
            return self.bind(parts(pattern)[-1], value.value, scope)
        return self.bind(pattern, self.typed(value, text(kind)) if kind else value, scope)

    def bind(self, pattern, value, scope):
        if pattern.type == "identifier":
            scope[text(pattern)] = value
        elif pattern.type == "_" or text(pattern) == "_":
            return
        elif pattern.type in ("reference_pattern", "mut_pattern"):
            self.bind(parts(pattern)[-1], value, scope)
        elif pattern.type in ("tuple_pattern", "slice_pattern"):
            # A `_` has no name among the children.
            for part, inner in zip([child for child in pattern.children if child.type not in "()[],"], value, strict=True):
                self.bind(part, inner, scope)
        else:
            raise Unknown(f"pattern {text(pattern)}")

    # Expressions

    def value(self, node, scope, file):
        kind = node.type
        method = getattr(self, "on_" + kind, None)
        if method is None:
            raise Unknown(f"{kind}: {text(node)[:60]}")
        return method(node, scope, file)

    def on_integer_literal(self, node, scope, file):
        digits = text(node).replace("_", "")
        for suffix in [*WIDTHS, "usize", "isize"]:
            if digits.endswith(suffix) and not digits.startswith("0x") or digits.endswith("u" + suffix[1:]) and suffix[0] == "u":
                return self.typed(int(digits.removesuffix(suffix), 0), suffix)
        return int(digits, 0)

    def on_boolean_literal(self, node, scope, file):
        return text(node) == "true"

    def on_identifier(self, node, scope, file):
        name = text(node)
        if name in scope:
            return scope[name]
        if name == "WORD_LOG2":
            return self.typed(self.word.bit_length() - 1, "u32")
        if name == "None":
            return Option(False, None)
        return self.constant(None, name, file)

    def on_self(self, node, scope, file):
        return scope["self"]

    def constant(self, owner, name, file):
        file, item = self.find(self.constants, file, owner, name)
        kind = text(item.child_by_field_name("type"))
        value = self.value(item.child_by_field_name("value"), {"Self": owner}, file)
        return self.typed(value, kind)

    def on_scoped_identifier(self, node, scope, file):
        owner, name = text(node.child_by_field_name("path")), text(node.child_by_field_name("name"))
        if self.width_of(owner):
            width, signed = self.width_of(owner), owner[0] == "i"
            known = {"BITS": (width, "u32"), "MAX": ((1 << width - signed) - 1, owner), "MIN": (-(1 << width - 1) if signed else 0, owner)}
            if name in known:
                return self.typed(*known[name])
        return self.constant(scope["Self"] if owner == "Self" else owner, name, file)

    def on_parenthesized_expression(self, node, scope, file):
        return self.value(parts(node)[0], scope, file)

    def on_block(self, node, scope, file):
        # What is declared inside is not seen outside, what is changed is.
        inner = dict(scope)
        value = self.block(node, inner, file)
        declared = {text(name) for name in declared_in(node)}
        scope.update({key: inner[key] for key in scope if key not in declared})
        return value

    def on_else_clause(self, node, scope, file):
        return self.value(parts(node)[0], scope, file)

    def on_reference_expression(self, node, scope, file):
        return self.value(node.child_by_field_name("value"), scope, file)

    def on_tuple_expression(self, node, scope, file):
        return tuple(self.value(child, scope, file) for child in parts(node))

    def on_array_expression(self, node, scope, file):
        length = node.child_by_field_name("length")
        if length:
            return [self.value(parts(node)[0], scope, file)] * self.count(self.value(length, scope, file))
        return [self.value(child, scope, file) for child in parts(node)]

    def on_field_expression(self, node, scope, file):
        value, name = self.value(node.child_by_field_name("value"), scope, file), text(node.child_by_field_name("field"))
        return value.fields[name] if isinstance(value, Struct) else value[int(name)]

    def on_struct_expression(self, node, scope, file):
        name = text(node.child_by_field_name("name"))
        name = scope["Self"] if name == "Self" else name
        fields = {}
        for part in parts(node.child_by_field_name("body")):
            if part.type == "shorthand_field_initializer":
                fields[text(part)] = self.value(parts(part)[0], scope, file)
            elif part.type == "field_initializer":
                fields[text(part.child_by_field_name("field"))] = self.value(part.child_by_field_name("value"), scope, file)
            else:
                fields = {**self.value(parts(part)[0], scope, file).fields, **fields}
        declared = self.struct(name, file).child_by_field_name("body")
        for part in parts(declared):
            key, kind = text(part.child_by_field_name("name")), text(part.child_by_field_name("type"))
            fields[key] = self.typed(fields[key], kind)
        return Struct(name, fields)

    def on_closure_expression(self, node, scope, file):
        names = parts(node.child_by_field_name("parameters"))
        return Closure(names, node.child_by_field_name("body"), scope, file)

    def apply(self, closure, values):
        scope = dict(closure.scope)
        for name, value in zip(closure.names, values, strict=True):
            if name.type == "parameter":
                value = self.typed(value, text(name.child_by_field_name("type")))
                name = name.child_by_field_name("pattern")
            self.bind(name, value, scope)
        return self.paths(closure.body, scope, closure.file) if closure.body.type == "block" else self.value(closure.body, scope, closure.file)

    def on_type_cast_expression(self, node, scope, file):
        value, kind = self.value(node.child_by_field_name("value"), scope, file), text(node.child_by_field_name("type"))
        width = self.width_of(kind)
        if isinstance(value, (bool, z3.BoolRef)):
            value = Num(z3.If(bool_of(value), z3.BitVecVal(1, width), z3.BitVecVal(0, width)))
        if isinstance(value, (int, Pending)):
            return self.typed(value, kind)
        extend = z3.SignExt if value.signed else z3.ZeroExt
        bits = extend(width - value.width, value.bits) if width > value.width else z3.Extract(width - 1, 0, value.bits)
        return Num(bits, kind[0] == "i")

    def on_unary_expression(self, node, scope, file):
        value = self.value(parts(node)[0], scope, file)
        sign = text(node)[0]
        if sign == "*":
            return value
        if sign == "-":
            return -value if isinstance(value, int) else value.like(-value.bits)
        if isinstance(value, (bool, z3.BoolRef)):
            return z3.Not(bool_of(value))
        return value.like(~value.bits)

    def on_binary_expression(self, node, scope, file):
        sign = text(node.child_by_field_name("operator"))
        left = self.value(node.child_by_field_name("left"), scope, file)
        right_node = node.child_by_field_name("right")
        if sign in ("&&", "||"):
            # The right side is evaluated only if the left one lets it.
            self.path.append(bool_of(left) if sign == "&&" else z3.Not(bool_of(left)))
            right = self.value(right_node, scope, file)
            self.path.pop()
            return (z3.And if sign == "&&" else z3.Or)(bool_of(left), bool_of(right))
        return self.operate(sign, left, self.value(right_node, scope, file), node)

    def operate(self, sign, left, right, where):
        if sign in ("==", "!="):
            same = self.same(left, right)
            return same if sign == "==" else z3.Not(bool_of(same))
        if isinstance(left, (bool, z3.BoolRef)):
            left, right = bool_of(left), bool_of(right)
            return {"&": z3.And, "|": z3.Or, "^": z3.Xor}[sign](left, right)
        if isinstance(left, Pending) and isinstance(right, (int, Pending)) or isinstance(left, int) and isinstance(right, Pending):
            if sign in ("<", "<=", ">", ">="):
                raise Unknown(f"numbers without a type: {text(where)}")
            numbers = lambda width: [Num(it.at_width(width) if isinstance(it, Pending) else z3.BitVecVal(it, width)) for it in (left, right)]
            return Pending(lambda width: self.operate(sign, *numbers(width), where).bits)
        if isinstance(left, int) and isinstance(right, int):
            known = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "/": int.__floordiv__, "%": int.__mod__, "<<": int.__lshift__,
                     ">>": int.__rshift__, "&": int.__and__, "|": int.__or__, "^": int.__xor__, "<": int.__lt__, "<=": int.__le__,
                     ">": int.__gt__, ">=": int.__ge__}
            return known[sign](left, right)
        if sign in ("<<", ">>"):
            if isinstance(left, int):
                path = list(self.path)
                return Pending(lambda width: self.shift_on(path, sign, Num(z3.BitVecVal(left, width)), right, where))
            by = self.resized(right, left.width)
            self.demand(z3.ULT(by, left.width), where)
            return self.shifted(sign, left, by)
        left, right = alike(left, right)
        a, b = left.bits, right.bits
        if sign in ("<", "<=", ">", ">="):
            unsigned = {"<": z3.ULT, "<=": z3.ULE, ">": z3.UGT, ">=": z3.UGE}
            signed = {"<": lambda x, y: x < y, "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}
            return z3.simplify((signed if left.signed else unsigned)[sign](a, b))
        if sign == "+":
            self.demand(z3.BVAddNoOverflow(a, b, left.signed), where)
            return left.like(a + b)
        if sign == "-":
            self.demand(z3.BVSubNoUnderflow(a, b, left.signed), where)
            return left.like(a - b)
        if sign == "*":
            self.demand(z3.BVMulNoOverflow(a, b, left.signed), where)
            return left.like(a * b)
        if sign in ("/", "%"):
            self.demand(b != 0, where)
            return left.like(z3.UDiv(a, b) if sign == "/" else z3.URem(a, b))
        return left.like({"&": a & b, "|": a | b, "^": a ^ b}[sign])

    def same(self, left, right):
        if isinstance(left, (bool, z3.BoolRef)):
            return bool_of(left) == bool_of(right)
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        if isinstance(left, (list, tuple)):
            return z3.And([bool_of(self.same(a, b)) for a, b in zip(left, right, strict=True)])
        if isinstance(left, Struct):
            return z3.And([bool_of(self.same(left.fields[key], right.fields[key])) for key in left.fields])
        if isinstance(left, Option):
            both = self.same(left.value, right.value) if left.value is not None and right.value is not None else True
            return z3.And(bool_of(left.some) == bool_of(right.some), z3.Implies(bool_of(left.some), bool_of(both)))
        left, right = alike(left, right)
        return z3.simplify(left.bits == right.bits)

    def resized(self, number, width):
        if isinstance(number, int):
            return z3.BitVecVal(number, width)
        if isinstance(number, Pending):
            number = Num(number.at_width(32))
        bits = number.bits
        if width >= number.width:
            return z3.ZeroExt(width - number.width, bits)
        # What the shorter number cannot hold is more than any width.
        return z3.If(z3.UGT(bits, width), z3.BitVecVal(width, width), z3.Extract(width - 1, 0, bits))

    def shift_on(self, path, sign, left, right, where):
        """A shift as of where it stands, whose type is known only now."""
        outer, self.path = self.path, path
        try:
            return self.operate(sign, left, right, where).bits
        finally:
            self.path = outer

    def shifted(self, sign, left, by):
        if sign == "<<":
            return left.like(left.bits << by)
        return left.like(left.bits >> by if left.signed else z3.LShR(left.bits, by))

    def count(self, value):
        """A number that does not depend on the arguments."""
        if isinstance(value, int):
            return value
        if not value.known():
            raise Unknown("a number of turns that depends on an argument")
        return value.bits.as_signed_long() if value.signed else value.bits.as_long()

    # Control

    def on_if_expression(self, node, scope, file):
        condition = node.child_by_field_name("condition")
        one, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if condition.type == "let_condition":
            value = self.value(condition.child_by_field_name("value"), scope, file)
            pattern = condition.child_by_field_name("pattern")
            if not isinstance(value, Option):
                raise Unknown(f"if let {text(pattern)}")
            if self.fork(value.some):
                self.bind(parts(pattern)[-1], value.value, scope)
                return self.value(one, scope, file)
            return self.value(other, scope, file) if other else ()
        holds = self.value(condition, scope, file)
        known = settled(holds)
        if known is None and (leaves(one) or other and leaves(other)):
            known = self.fork(holds)
        if known is not None:
            branch = one if known else other
            return self.value(branch, scope, file) if branch else ()
        return self.both(bool_of(holds), one, other, scope, file)

    def both(self, condition, one, other, scope, file):
        values, scopes = [], []
        for branch, holds in ((one, condition), (other, z3.Not(condition))):
            inner = dict(scope)
            self.path.append(holds)
            values.append(self.value(branch, inner, file) if branch else ())
            self.path.pop()
            scopes.append(inner)
        for name in scope:
            scope[name] = merged(condition, scopes[0][name], scopes[1][name])
        return merged(condition, *values) if values[0] != () else ()

    def on_match_expression(self, node, scope, file):
        value = self.value(node.child_by_field_name("value"), scope, file)
        arms = parts(node.child_by_field_name("body"))
        return self.arm(arms, value, scope, file)

    def arm(self, arms, value, scope, file):
        first, rest = arms[0], arms[1:]
        pattern, result = first.child_by_field_name("pattern"), first.child_by_field_name("value")
        condition, bound = self.matches(parts(pattern)[0] if parts(pattern) else pattern, value, file)
        inner = {**scope, **bound}
        if settled(condition) or not rest:
            return self.value(result, inner, file)
        if settled(condition) is False:
            return self.arm(rest, value, scope, file)
        if any(leaves(arm) for arm in arms):
            return self.value(result, inner, file) if self.fork(condition) else self.arm(rest, value, scope, file)
        return merged(bool_of(condition), self.value(result, inner, file), self.arm(rest, value, scope, file))

    def matches(self, pattern, value, file):
        """When a pattern fits, and what it binds."""
        if text(pattern) == "_":
            return True, {}
        if pattern.type == "identifier" and text(pattern) == "None":
            return z3.Not(bool_of(value.some)), {}
        if pattern.type == "identifier":
            return True, {text(pattern): value}
        if pattern.type == "tuple_struct_pattern" and text(pattern.child_by_field_name("type")) == "Some":
            return value.some, {text(parts(pattern)[-1]): value.value}
        if pattern.type == "range_pattern":
            low, high = (self.value(end, {}, file) for end in parts(pattern))
            below = self.operate("<" if ".." in text(pattern) and "=" not in text(pattern) else "<=", value, high, pattern)
            return z3.And(bool_of(self.operate("<=", low, value, pattern)), bool_of(below)), {}
        return self.same(value, self.value(pattern, {}, file)), {}

    def on_while_expression(self, node, scope, file):
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition.type == "let_condition" or leaves(body):
            raise Unknown(f"loop: {text(node)[:60]}")
        left = MOST_TURNS
        while (known := settled(self.value(condition, scope, file))) and left:
            self.value(body, scope, file)
            left -= 1
        if known is None:
            self.turn(condition, body, scope, file, left)
        elif known:
            raise Unknown(f"a loop of more than {MOST_TURNS} turns: {text(condition)}")
        return ()

    def turn(self, condition, body, scope, file, left):
        holds = self.value(condition, scope, file)
        known = settled(holds)
        if known is None:
            # A loop over the bits of a word ends, but the form of its condition does not show it.
            solver = z3.Solver()
            solver.set("timeout", 2000)
            solver.add(*self.path, bool_of(holds))
            known = False if left <= MOST_TURNS - 8 and solver.check() == z3.unsat else None
        if known is False:
            return
        if left == 0:
            raise Unknown(f"a loop of more than {MOST_TURNS} turns: {text(condition)}")
        inner = dict(scope)
        self.path.append(bool_of(holds))
        self.value(body, inner, file)
        self.turn(condition, body, inner, file, left - 1)
        self.path.pop()
        for name in scope:
            scope[name] = merged(bool_of(holds), inner[name], scope[name])

    def on_for_expression(self, node, scope, file):
        if leaves(node):
            raise Unknown(f"loop: {text(node)[:60]}")
        items = self.items(self.value(node.child_by_field_name("value"), scope, file))
        pattern, body = node.child_by_field_name("pattern"), node.child_by_field_name("body")
        for item in items:
            self.bind(pattern, item, scope)
            self.value(body, scope, file)
        return ()

    def items(self, value):
        if isinstance(value, Struct) and value.name == "Range":
            start, end = value.fields["start"], value.fields["end"]
            kinds = [end for end in (start, end) if isinstance(end, Num)]
            numbers = range(self.count(start), self.count(end) + value.fields["closed"])
            return [kinds[0].like(z3.BitVecVal(number, kinds[0].width)) if kinds else number for number in numbers]
        if isinstance(value, (list, tuple)):
            return list(value)
        raise Unknown("a loop over something else than a range or an array")

    def on_range_expression(self, node, scope, file):
        ends = [self.value(end, scope, file) for end in parts(node)]
        if len(ends) != 2:
            raise Unknown(f"range {text(node)}")
        return Struct("Range", {"start": ends[0], "end": ends[1], "closed": int("..=" in text(node))})

    def on_return_expression(self, node, scope, file):
        raise Return(self.value(parts(node)[0], scope, file) if parts(node) else ())

    def on_try_expression(self, node, scope, file):
        value = self.value(parts(node)[0], scope, file)
        if not self.fork(value.some):
            raise Return(Option(False, None))
        return value.value

    def on_assignment_expression(self, node, scope, file):
        self.assign(node.child_by_field_name("left"), self.value(node.child_by_field_name("right"), scope, file), scope, file)
        return ()

    def on_compound_assignment_expr(self, node, scope, file):
        left, sign = node.child_by_field_name("left"), text(node.child_by_field_name("operator"))[:-1]
        value = self.operate(sign, self.value(left, scope, file), self.value(node.child_by_field_name("right"), scope, file), node)
        self.assign(left, value, scope, file)
        return ()

    def assign(self, place, value, scope, file):
        if place.type == "unary_expression":
            place = parts(place)[0]
        if place.type == "tuple_expression":
            for part, inner in zip(parts(place), value, strict=True):
                self.assign(part, inner, scope, file)
            return
        if place.type == "index_expression":
            array, at = parts(place)
            items = list(scope[text(array)])
            items[self.count(self.value(at, scope, file))] = value
            scope[text(array)] = items
            return
        if place.type != "identifier":
            raise Unknown(f"assignment to {text(place)}")
        old = scope[text(place)]
        if isinstance(old, Num):
            value = alike(old, value)[1]
        scope[text(place)] = value

    # Calls

    def on_call_expression(self, node, scope, file):
        callee = node.child_by_field_name("function")
        arguments = parts(node.child_by_field_name("arguments"))
        if callee.type == "field_expression":
            receiver = self.value(callee.child_by_field_name("value"), scope, file)
            return self.method(receiver, text(callee.child_by_field_name("field")), arguments, scope, file, node)
        values = [self.value(argument, scope, file) for argument in arguments]
        if callee.type == "identifier":
            name = text(callee)
            if isinstance(scope.get(name), Closure):
                return self.apply(scope[name], values)
            if name == "Some":
                return Option(True, values[0])
            name = scope["Self"] if name == "Self" else name
            if name in self.structs:
                return self.tuple_struct(name, values, file)
            return self.call(file, None, name, values)
        if callee.type != "scoped_identifier":
            return self.apply(self.value(callee, scope, file), values)
        owner, name = text(callee.child_by_field_name("path")), text(callee.child_by_field_name("name"))
        owner = scope["Self"] if owner == "Self" else owner
        if name == "from" and self.width_of(owner):
            value = values[0]
            if isinstance(value, (bool, z3.BoolRef)):
                width = self.width_of(owner)
                return Num(z3.If(bool_of(value), z3.BitVecVal(1, width), z3.BitVecVal(0, width)))
            return Num(z3.ZeroExt(self.width_of(owner) - value.width, value.bits))
        if self.width_of(owner):
            return self.number_method(self.typed(values[0], owner), name, values[1:], node)
        if (file, owner, name) in self.functions or any(key[1:] == (owner, name) for key in self.functions):
            return self.call(file, owner, name, values)
        # A path to a module.
        return self.call(file, None, name, values)

    def tuple_struct(self, name, values, file):
        kinds = [text(part) for part in parts(self.struct(name, file).child_by_field_name("body")) if part.type != "visibility_modifier"]
        return Struct(name, {str(at): self.typed(value, kind) for at, (value, kind) in enumerate(zip(values, kinds, strict=True))})

    def method(self, receiver, name, arguments, scope, file, node):
        values = [self.value(argument, scope, file) for argument in arguments]
        if isinstance(receiver, Struct) and receiver.name != "Range":
            return self.call(file, receiver.name, name, [receiver, *values])
        if isinstance(receiver, Option):
            return self.option_method(receiver, name, values)
        if isinstance(receiver, (list, tuple)) or isinstance(receiver, Struct):
            return self.sequence_method(receiver, name, values)
        if isinstance(receiver, (bool, z3.BoolRef)) and name == "then_some":
            return Option(receiver, values[0])
        return self.number_method(receiver, name, values, node)

    def option_method(self, option, name, values):
        if name == "map_or":
            inner = self.apply(values[1], [option.value]) if option.value is not None else values[0]
            return merged(bool_of(option.some), inner, self_typed(values[0], inner))
        if name == "unwrap_or":
            return merged(bool_of(option.some), option.value, self_typed(values[0], option.value)) if option.value is not None else values[0]
        if name == "map":
            return Option(option.some, self.apply(values[0], [option.value]))
        if name == "is_none":
            return z3.Not(bool_of(option.some))
        if name == "is_some":
            return option.some
        if name in ("copied", "cloned"):
            return option
        if name == "is_some_and":
            return z3.And(bool_of(option.some), bool_of(self.apply(values[0], [option.value])))
        if name == "is_none_or":
            return z3.Implies(bool_of(option.some), bool_of(self.apply(values[0], [option.value])))
        raise Unknown(f"Option::{name}")

    def sequence_method(self, sequence, name, values):
        if name == "contains" and isinstance(sequence, Struct):
            low, high = sequence.fields["start"], sequence.fields["end"]
            ends = ("<=", "<=" if sequence.fields["closed"] else "<")
            return z3.And(bool_of(self.operate(ends[0], low, values[0], None)), bool_of(self.operate(ends[1], values[0], high, None)))
        items = self.items(sequence)
        if name == "len":
            return len(items)
        if name == "get":
            at = self.count(values[0])
            return Option(True, items[at]) if at < len(items) else Option(False, items[0])
        if name in ("iter", "into_iter", "copied"):
            return items
        if name == "rev":
            return items[::-1]
        if name == "map":
            return [self.apply(values[0], [item]) for item in items]
        if name == "zip":
            return list(zip(items, self.items(values[0])))
        if name == "fold":
            value = values[0]
            for item in items:
                value = self.apply(values[1], [value, item])
            return value
        if name in ("any", "all"):
            each = [bool_of(self.apply(values[0], [item])) for item in items]
            return (z3.Or if name == "any" else z3.And)(each)
        raise Unknown(f"a sequence's {name}")

    def number_method(self, number, name, values, node):
        if isinstance(number, int):
            raise Unknown(f"{name} of a number without a type: {text(node)}")
        width, bits = number.width, number.bits
        as_count = lambda it: Num(z3.ZeroExt(32 - width, it) if width < 32 else z3.Extract(31, 0, it))
        if name == "count_ones":
            return as_count(ones_of(bits))
        if name == "leading_zeros":
            return as_count(ones_of(~smeared(bits)))
        if name == "trailing_zeros":
            return as_count(ones_of(~bits & (bits - 1)))
        if name == "trailing_ones":
            return as_count(ones_of(bits & ~(bits + 1)))
        if name == "unsigned_abs":
            return Num(z3.If(bits < 0, -bits, bits))
        if name in ("cast_unsigned", "cast_signed"):
            return Num(bits, name == "cast_signed")
        if name == "wrapping_neg":
            return number.like(-bits)
        if name == "is_power_of_two":
            return z3.And(bits != 0, bits & (bits - 1) == 0)
        if name == "checked_ilog2":
            return Option(bits != 0, as_count(ones_of(z3.LShR(smeared(bits), 1))))
        if name in ("wrapping_shl", "wrapping_shr"):
            by = self.resized(values[0], 32) & (width - 1)
            by = z3.ZeroExt(width - 32, by) if width > 32 else z3.Extract(width - 1, 0, by)
            return self.shifted("<<" if name.endswith("l") else ">>", number, by)
        if name in ("unbounded_shl", "unbounded_shr", "checked_shl", "checked_shr"):
            by = self.resized(values[0], width)
            moved = self.shifted("<<" if name.endswith("l") else ">>", number, by)
            fits = z3.ULT(by, width)
            return moved if name[0] == "u" else Option(fits, moved)
        if name in ("rotate_left", "rotate_right"):
            by = self.resized(values[0], width)
            return number.like((z3.RotateLeft if name.endswith("left") else z3.RotateRight)(bits, by))
        number, other = alike(number, values[0])
        a, b = number.bits, other.bits
        less = a < b if number.signed else z3.ULT(a, b)
        simple = {"wrapping_add": lambda: a + b, "wrapping_sub": lambda: a - b, "wrapping_mul": lambda: a * b,
                  "min": lambda: z3.If(less, a, b), "max": lambda: z3.If(less, b, a),
                  "saturating_sub": lambda: z3.If(less, z3.BitVecVal(0, width), a - b),
                  "saturating_add": lambda: z3.If(z3.BVAddNoOverflow(a, b, False), a + b, ~z3.BitVecVal(0, width)),
                  "abs_diff": lambda: z3.If(less, b - a, a - b),
                  "div_ceil": lambda: z3.UDiv(a, b) + z3.If(z3.URem(a, b) == 0, z3.BitVecVal(0, width), z3.BitVecVal(1, width))}
        if name in simple and not (number.signed and name.startswith("saturating")):
            return number.like(simple[name]())
        if name == "checked_sub" and not number.signed:
            return Option(z3.Not(less), number.like(a - b))
        if name == "checked_add" and not number.signed:
            return Option(z3.BVAddNoOverflow(a, b, False), number.like(a + b))
        raise Unknown(f"a number's {name}")


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


def self_typed(value, other):
    if isinstance(value, Pending):
        return value.like(other)
    return other.like(z3.BitVecVal(value, other.width)) if isinstance(value, int) and isinstance(other, Num) else value


def leaves(node):
    """Whether a function may return from inside."""
    if node.type == "closure_expression":
        return False
    return node.type in ("return_expression", "try_expression") or any(leaves(child) for child in node.children)


def declared_in(node):
    """The names that a block declares itself."""
    def names(pattern):
        if pattern.type == "identifier":
            return [pattern]
        return [name for part in parts(pattern) for name in names(part)]

    found = []
    for child in parts(node):
        if child.type == "let_declaration":
            found += names(child.child_by_field_name("pattern"))
    return found
