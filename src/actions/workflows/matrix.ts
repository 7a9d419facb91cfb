import type { Scope } from "./expressions/evaluator.ts";
import { comesTo, hasExpressions } from "./expressions/templates.ts";
import { BadWorkflow } from "./failure.ts";
import { jsonOf, type ListNode, type MapNode, memberOf, type Node, nodeOf } from "./yaml/node.ts";

/** The values of one matrix cell, by key. */
export type Cell = ReadonlyMap<string, Node>;

export const MAX_CELLS = 256;
/** Before exclusions. */
const MAX_COMBINATIONS = 10_000;

/** The cells of `strategy.matrix` (contract actions.md 3.3). @throws BadWorkflow; ExpressionError */
export function cellsOf(written: Node | undefined, scope: Scope): Cell[] {
  const matrix = written && resolved(written, scope);
  if (!matrix) return [new Map()];
  if (matrix.kind !== "map") throw new BadWorkflow('"strategy.matrix" should be a mapping');
  const axes = new Map<string, readonly Node[]>();
  for (const [key, values] of matrix.entries)
    if (key !== "include" && key !== "exclude") axes.set(key, valuesOf(key, values));
  const excluded = entriesOf(matrix, "exclude");
  for (const entry of excluded)
    for (const key of entry.keys())
      if (!axes.has(key)) throw new BadWorkflow(`"strategy.matrix.exclude" names "${key}", which is not in the matrix`);
  const base = combinations(axes).filter((cell) => !excluded.some((entry) => contains(cell, entry)));
  const cells = include(base, [...axes.keys()], entriesOf(matrix, "include"));
  if (cells.length > MAX_CELLS) throw new BadWorkflow(`a matrix has more than ${MAX_CELLS} cells`);
  return cells.length === 0 ? [new Map()] : cells;
}

/** The node with all nested expressions evaluated. @throws ExpressionError */
export function resolved(node: Node, scope: Scope): Node {
  if (node.kind === "list") return { kind: "list", items: node.items.map((item) => resolved(item, scope)) };
  if (node.kind === "map")
    return { kind: "map", entries: new Map([...node.entries].map(([key, member]) => [key, resolved(member, scope)])) };
  return typeof node.value === "string" && hasExpressions(node.text) ? nodeOf(comesTo(node.text, scope)) : node;
}

function valuesOf(key: string, values: Node): readonly Node[] {
  if (values.kind === "map") throw new BadWorkflow(`"strategy.matrix.${key}" should be a list`);
  return values.kind === "list" ? values.items : [values];
}

function entriesOf(matrix: MapNode, key: "exclude" | "include"): Cell[] {
  const list: Node = memberOf(matrix, key) ?? ({ kind: "list", items: [] } satisfies ListNode);
  if (list.kind !== "list") throw new BadWorkflow(`"strategy.matrix.${key}" should be a list`);
  return list.items.map((entry) => {
    if (entry.kind !== "map") throw new BadWorkflow(`"strategy.matrix.${key}" should be a list of mappings`);
    return entry.entries;
  });
}

function combinations(axes: ReadonlyMap<string, readonly Node[]>): Cell[] {
  if (axes.size === 0) return [];
  let cells: Cell[] = [new Map()];
  for (const [key, values] of axes) {
    if (cells.length * values.length > MAX_COMBINATIONS)
      throw new BadWorkflow(`a matrix has more than ${MAX_COMBINATIONS} combinations`);
    cells = cells.flatMap((cell) => values.map((value) => new Map([...cell, [key, value]])));
  }
  return cells;
}

/** An entry extends each cell whose original values it matches; otherwise it becomes a cell of its own. */
function include(base: readonly Cell[], axes: readonly string[], entries: readonly Cell[]): Cell[] {
  const cells = base.map((original) => ({ original, all: new Map(original) }));
  const more: Cell[] = [];
  for (const entry of entries) {
    const shared = new Map([...entry].filter(([key]) => axes.includes(key)));
    const fitting = cells.filter(({ original }) => contains(original, shared));
    if (fitting.length === 0) more.push(entry);
    for (const { all } of fitting) for (const [key, value] of entry) all.set(key, value);
  }
  return [...cells.map(({ all }) => all), ...more];
}

function contains(cell: Cell, entry: Cell): boolean {
  return [...entry].every(([key, value]) => {
    const own = cell.get(key);
    return own !== undefined && JSON.stringify(jsonOf(own)) === JSON.stringify(jsonOf(value));
  });
}
