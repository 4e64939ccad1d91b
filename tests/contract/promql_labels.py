"""Which labels a PromQL expression's result carries, from the labels of the metrics in it.

A name that nobody exposes, a label that the metric does not have and an aggregation by a label that is already gone
are errors here; Prometheus itself answers all three with an empty result.
"""

from collections.abc import Mapping

import promql_parser as promql

SCRAPED = frozenset({"job", "instance"})
"""Labels that Prometheus adds to every scraped series."""

Labels = frozenset[str]


class PromqlError(AssertionError):
    """An expression uses something that does not exist."""


def labels_of(expression: str, exposed: Mapping[str, Labels]) -> Labels | None:
    """The labels of the result; None for a scalar. `exposed`: sample name → its labels, scrape labels included."""
    return _Inference(exposed).of(promql.parse(expression))


def names_in(expression: str) -> set[str]:
    """Every series name that the expression reads."""
    found: set[str] = set()

    def visit(node: promql.Expr) -> None:
        if isinstance(node, promql.VectorSelector) and node.name:
            found.add(node.name)
        if isinstance(node, promql.MatrixSelector) and node.vector_selector.name:
            found.add(node.vector_selector.name)

    promql.walk(promql.parse(expression), visit)
    return found


def matched_values(expression: str) -> set[tuple[str, str, str]]:
    """(series name, label, value) of every equality and plain alternative that the expression selects by."""
    found: set[tuple[str, str, str]] = set()

    def visit(node: promql.Expr) -> None:
        selector = node.vector_selector if isinstance(node, promql.MatrixSelector) else node
        if isinstance(selector, promql.VectorSelector):
            for matcher in selector.matchers.matchers:
                for value in matcher.value.split("|"):
                    found.add((selector.name or "", matcher.name, value))

    promql.walk(promql.parse(expression), visit)
    return found


class _Inference:
    def __init__(self, exposed: Mapping[str, Labels]) -> None:
        self._exposed = exposed

    def of(self, node: object) -> Labels | None:
        match node:
            case promql.NumberLiteral() | promql.StringLiteral():
                return None
            case promql.ParenExpr() | promql.SubqueryExpr() | promql.UnaryExpr():
                return self.of(node.expr)
            case promql.MatrixSelector():
                return self._selected(node.vector_selector)
            case promql.VectorSelector():
                return self._selected(node)
            case promql.AggregateExpr():
                return self._aggregated(node)
            case promql.Call():
                return self._called(node)
            case promql.BinaryExpr():
                return self._combined(node)
        raise PromqlError(f"no rule for {type(node).__name__}")

    def _selected(self, selector: promql.VectorSelector) -> Labels:
        name = selector.name or ""
        if name not in self._exposed:
            raise PromqlError(f"nothing exposes {name!r}")
        labels = self._exposed[name]
        self._within({m.name for m in selector.matchers.matchers}, labels, f"{name} is selected by")
        return labels

    def _aggregated(self, node: promql.AggregateExpr) -> Labels:
        inner = self.of(node.expr) or frozenset()
        if node.modifier is None:
            return frozenset()
        named = set(node.modifier.labels)
        self._within(named, inner, f"{node.op} aggregates by")
        return frozenset(named) if node.modifier.type == promql.AggModifierType.By else inner - named

    def _called(self, node: promql.Call) -> Labels | None:
        arguments = [labels for argument in node.args if (labels := self.of(argument)) is not None]
        match node.func.name:
            case "absent" | "absent_over_time":
                return frozenset()
            case "scalar" | "time":
                return None
            case "vector":
                return frozenset()
            case "histogram_quantile":
                self._within({"le"}, arguments[0], "histogram_quantile needs")
                return arguments[0] - {"le"}
            case "label_replace" | "label_join":
                raise PromqlError("labels are made where the metric is, not in a query")
        return arguments[0] if arguments else None

    def _combined(self, node: promql.BinaryExpr) -> Labels | None:
        left, right = self.of(node.lhs), self.of(node.rhs)
        if left is None or right is None:
            return left if right is None else right
        modifier = node.modifier
        matching = modifier.matching if modifier else None
        if matching is None:
            if left != right:
                raise PromqlError(f"{sorted(left)} never matches {sorted(right)} in {node.prettify()}")
            return left
        named = set(matching.labels)
        self._within(named, left & right, "the two sides are matched on")
        if matching.type == promql.LabelModifierType.Include and modifier.group_labels is None:
            return left if str(node.op) in {"and", "unless"} else frozenset(named)
        return left | frozenset(modifier.group_labels or ())

    @staticmethod
    def _within(named: set[str], available: Labels, what: str) -> None:
        if missing := named - available:
            raise PromqlError(f"{what} {sorted(missing)}, but there is only {sorted(available)}")
