import { isAlias, isMap, isScalar, isSeq, type Node as LibraryNode, LineCounter, type Pair, parseDocument } from "yaml";
import { BadWorkflow } from "../failure.ts";
import type { ListNode, MapNode, Node, ScalarNode } from "./node.ts";

/** Reads YAML 1.2 written by strangers, only in a worker. */

export const MAX_SOURCE_BYTES = 1 << 20;
/** Limit for characters and nodes once aliases are expanded. */
const MAX_EXPANDED = 4 << 20;
const NODE_COST = 16;
const MAX_DEPTH = 100;
/** More nested brackets than allowed: the library takes seconds to reject them. */
const tooDeep = /(?:[[{]\s{0,9}){101}/;

/** @throws BadWorkflow if it is not YAML, too large, nested too deep, or its aliases multiply */
export function readYaml(source: string): Node {
  if (Buffer.byteLength(source) > MAX_SOURCE_BYTES) throw new BadWorkflow("the file is larger than 1 MiB");
  if (tooDeep.test(source)) throw new BadWorkflow("nested too deep");
  try {
    return new Reader(source).read();
  } catch (error) {
    // The library parses nested structures recursively.
    if (error instanceof RangeError) throw new BadWorkflow("nested too deep");
    throw error;
  }
}

interface Measured {
  readonly node: Node;
  readonly cost: number;
}

class Reader {
  private readonly anchors = new Map<string, Measured | "open">();
  private readonly lines = new LineCounter();

  constructor(private readonly source: string) {}

  read(): Node {
    // Duplicate keys are detected below: the library compares every pair.
    const document = parseDocument(this.source, {
      uniqueKeys: false,
      lineCounter: this.lines,
      prettyErrors: false,
      version: "1.2",
      schema: "core",
      logLevel: "silent",
    });
    const [problem] = document.errors;
    if (problem?.message.startsWith("Maximum call stack")) throw new BadWorkflow("nested too deep");
    if (problem) throw this.bad(problem.message, problem.pos[0]);
    return this.nodeOf(document.contents, 0).node;
  }

  private nodeOf(read: unknown, depth: number): Measured {
    if (depth > MAX_DEPTH) throw new BadWorkflow("nested too deep");
    if (isAlias(read)) {
      const named = this.anchors.get(read.source);
      if (named === undefined || named === "open")
        throw this.bad(`no anchor "${read.source}" before it`, read.range?.[0]);
      return named;
    }
    const anchor = (read as LibraryNode | null)?.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, "open");
    const measured = this.plainNodeOf(read, depth);
    if (measured.cost > MAX_EXPANDED) throw new BadWorkflow("the file is too large with its aliases written out");
    if (anchor !== undefined) this.anchors.set(anchor, measured);
    return measured;
  }

  private plainNodeOf(read: unknown, depth: number): Measured {
    if (isMap(read)) return this.mapOf(read.items as Pair[], depth);
    if (isSeq(read)) {
      let cost = NODE_COST;
      const items = read.items.map((item) => {
        const measured = this.nodeOf(item, depth + 1);
        cost = bounded(cost + measured.cost);
        return measured.node;
      });
      return { node: { kind: "list", items } satisfies ListNode, cost };
    }
    const node = isScalar(read) ? scalarOf(read) : nothing;
    return { node, cost: NODE_COST + node.text.length };
  }

  private mapOf(pairs: readonly Pair[], depth: number): Measured {
    const entries = new Map<string, Node>();
    const merged: Measured[] = [];
    let cost = NODE_COST;
    for (const { key, value } of pairs) {
      const name = this.nodeOf(key, depth + 1).node;
      if (name.kind !== "scalar") throw new BadWorkflow("a key must be a text");
      const measured = this.nodeOf(value, depth + 1);
      cost = bounded(cost + measured.cost + name.text.length);
      if (name.text === "<<" && name.isPlain) merged.push(measured);
      else if (entries.has(name.text))
        throw this.bad(`the key "${name.text.slice(0, 100)}" is there twice`, (key as LibraryNode | null)?.range?.[0]);
      else entries.set(name.text, measured.node);
    }
    for (const { node } of merged)
      for (const source of node.kind === "list" ? node.items : [node]) {
        if (source.kind !== "map") throw new BadWorkflow("only mappings can be merged by <<");
        for (const [name, member] of source.entries) if (!entries.has(name)) entries.set(name, member);
      }
    return { node: { kind: "map", entries } satisfies MapNode, cost };
  }

  private bad(message: string, at: number | undefined): BadWorkflow {
    const line = at === undefined ? "" : `line ${this.lines.linePos(at).line}: `;
    return new BadWorkflow(`${line}${message.split("\n", 1)[0]?.slice(0, 200)}`);
  }
}

const nothing: ScalarNode = { kind: "scalar", value: null, text: "", isPlain: true };

function bounded(cost: number): number {
  if (cost > MAX_EXPANDED) throw new BadWorkflow("the file is too large with its aliases written out");
  return cost;
}

function scalarOf({
  source,
  tag,
  type,
  value,
}: {
  source?: string;
  tag?: string;
  type?: string;
  value: unknown;
}): ScalarNode {
  const isPlain = type === "PLAIN" && tag === undefined && source !== undefined && !/\p{C}/u.test(source);
  if (value === null || typeof value === "boolean" || typeof value === "number")
    return { kind: "scalar", value, text: source ?? String(value ?? ""), isPlain };
  const text = typeof value === "string" ? value : String(value);
  return { kind: "scalar", value: text, text, isPlain };
}
