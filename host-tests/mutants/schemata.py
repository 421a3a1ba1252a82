"""All mutants of a file in one text: each asks at run time whether it is the one that is switched on.

    a + b       becomes   (if crate::mutant::on(7) { a - b } else { a + b })
    fn f() {    becomes   fn f() { if crate::mutant::on(8) { return Default::default(); }
    X => ...    becomes   X if !crate::mutant::on(9) => ...

What a mutant puts in is the text as it was, since one mutant is on at a time: the file grows by its depth, not by a power of
it. Comments around it tell which mutant an error of the compiler belongs to.
"""
import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


class Elsewhere(Exception):
    """The mutant is of a kind that cannot be switched at run time."""


def on(number):
    return f"crate::mutant::on({number})"


def marked(number, text):
    return f"/*<{number}*/ {text} /*>{number}*/"


def branch(number, text):
    return f"if {on(number)} {{ {marked(number, text)} }}"


class File:
    def __init__(self, source):
        self.source = source
        self.root = PARSER.parse(source).root_node
        if self.root.has_error:
            raise ValueError("the grammar does not understand it")
        # By node: what it is replaced by, what is put in front of the statements of a body, guards of arms.
        self.instead, self.before, self.guards, self.gates = {}, {}, {}, {}

    def text(self, node):
        return self.source[node.start_byte:node.end_byte].decode()

    def add(self, mutant):
        node = self.root.descendant_for_byte_range(mutant.start, mutant.end)
        getattr(self, "add_" + mutant.genre, self.add_unknown)(mutant, node)

    def add_unknown(self, mutant, node):
        raise Elsewhere(f"{mutant.genre} is unknown")

    def replace(self, node, mutant, text):
        self.instead.setdefault(node.id, []).append((mutant.number, text))

    def add_BinaryOperator(self, mutant, node):
        whole = node.parent
        if whole.type == "let_chain":
            raise Elsewhere("a chain of let knows no other operator")
        left, operator, right = (whole.child_by_field_name(part) for part in ("left", "operator", "right"))
        if (operator.start_byte, operator.end_byte) != (mutant.start, mutant.end):
            raise ValueError(f"no operator: {mutant}")
        left, right = self.text(left), self.text(right)
        assigns = whole.type == "compound_assignment_expr"
        self.replace(whole, mutant, f"{left if assigns else f'({left})'} {mutant.replacement} ({right})")

    def add_UnaryOperator(self, mutant, node):
        if node.parent.type != "unary_expression":
            raise ValueError(f"no operator: {mutant}")
        whole = node.parent
        # `a & !b` is a number where `b` may be a reference to one.
        if whole.parent.type in ("binary_expression", "compound_assignment_expr"):
            whole = whole.parent
        before, after = self.source[whole.start_byte:mutant.start], self.source[mutant.end:whole.end_byte]
        self.replace(whole, mutant, before.decode() + after.decode())

    def add_FnValue(self, mutant, node):
        while node.type != "function_item":
            node = node.parent
        returned = node.child_by_field_name("return_type")
        if returned and "impl " in self.text(returned):
            if mutant.replacement != "::std::iter::empty()":
                raise Elsewhere("`impl Trait` is one type; an iterator can only be made empty")
            self.gates[node.child_by_field_name("body").id] = mutant.number
            return
        self.before.setdefault(node.child_by_field_name("body").id, []).append((mutant.number, mutant.replacement))

    def add_MatchArm(self, mutant, node):
        while node.type != "match_arm":
            node = node.parent
        others = [arm.child_by_field_name("pattern") for arm in node.parent.named_children if arm.type == "match_arm"]
        if not any(self.text(other) == "_" for other in others):
            raise Elsewhere("the other arms do not cover its cases")
        self.guards.setdefault(node.child_by_field_name("pattern").id, []).append(mutant.number)

    def add_MatchArmGuard(self, mutant, node):
        if (node.start_byte, node.end_byte) != (mutant.start, mutant.end) or node.type in ("let_chain", "let_condition"):
            raise Elsewhere("a guard that binds names")
        self.replace(node, mutant, mutant.replacement)

    def add_StructField(self, mutant, node):
        # What is deleted has a comma that belongs to the list.
        node = self.root.descendant_for_byte_range(mutant.start, mutant.start + 1)
        while node.type not in ("field_initializer", "shorthand_field_initializer"):
            node = node.parent
        whole = node
        while whole.type != "struct_expression":
            whole = whole.parent
        after = self.source[node.end_byte:whole.end_byte].decode().lstrip().removeprefix(",")
        self.replace(whole, mutant, self.source[whole.start_byte:node.start_byte].decode() + after)

    def rewritten(self, node=None):
        node = node or self.root
        text = self.with_parts(node)
        if node.id in self.guards:
            condition = node.child_by_field_name("condition")
            guard = " && ".join(marked(number, "!" + on(number)) for number in self.guards[node.id])
            if condition:
                pattern = self.source[node.start_byte:condition.start_byte].decode()
                return f"{pattern}{guard} && ({self.rewritten(condition)})"
            return f"{text} if {guard}"
        if node.id in self.before:
            put = " ".join(branch(number, f"return {value};") for number, value in self.before[node.id])
            return "{ " + put + text[1:]
        if node.id in self.gates:
            number = self.gates[node.id]
            return f"{{ crate::mutant::gate({marked(number, number)}, {text}) }}"
        if node.id in self.instead:
            chain = " else ".join(branch(number, value) for number, value in self.instead[node.id])
            return f"({chain} else {{ {text} }})"
        return text

    def with_parts(self, node):
        pieces, at = [], node.start_byte
        for child in node.children:
            pieces.append(self.source[at:child.start_byte].decode())
            pieces.append(self.rewritten(child))
            at = child.end_byte
        pieces.append(self.source[at:node.end_byte].decode())
        return "".join(pieces)

    def whole(self):
        """The text of the file; what is around the outermost node is blank."""
        head, tail = self.source[:self.root.start_byte], self.source[self.root.end_byte:]
        return head.decode() + self.rewritten() + tail.decode()
