import type { Json, JsonObject } from "../../../kernel/json.ts";

/**
 * YAML as it was written: scalars keep their source, since to its author `1.10` is a version and `010` a name (contract
 * actions.md 3.4). An aliased part is one node in several places.
 */
export type Node = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  /** As written; for quoted and block scalars, the value. */
  readonly text: string;
  /** Unquoted and on one line: it can be written back unchanged. */
  readonly isPlain: boolean;
}

export interface ListNode {
  readonly kind: "list";
  readonly items: readonly Node[];
}

export interface MapNode {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Node>;
}

export const isNull = (node: Node | undefined): boolean => node?.kind === "scalar" && node.value === null;

/** The value of a key; undefined if absent or null. */
export function memberOf(node: Node | undefined, key: string): Node | undefined {
  const member = node?.kind === "map" ? node.entries.get(key) : undefined;
  return isNull(member) ? undefined : member;
}

export const textNode = (text: string): ScalarNode => ({ kind: "scalar", value: text, text, isPlain: false });

export const mapNode = (entries: Iterable<readonly [string, Node | undefined]>): MapNode => ({
  kind: "map",
  entries: new Map([...entries].filter((entry): entry is [string, Node] => entry[1] !== undefined)),
});

export function nodeOf(value: Json): Node {
  if (Array.isArray(value)) return { kind: "list", items: value.map(nodeOf) };
  if (typeof value === "object" && value !== null)
    return mapNode(Object.entries(value as JsonObject).map(([key, member]) => [key, nodeOf(member)]));
  const scalar = value as null | boolean | number | string;
  return { kind: "scalar", value: scalar, text: String(scalar), isPlain: typeof scalar !== "string" };
}

/** The value that expressions see. A number not in canonical form (`1.10`, `0x1F`) stays a string. */
export function jsonOf(node: Node): Json {
  if (node.kind === "list") return node.items.map(jsonOf);
  if (node.kind === "map")
    return Object.fromEntries([...node.entries].map(([key, member]) => [key, jsonOf(member)] as const));
  if (typeof node.value === "number" && String(node.value) !== node.text) return node.text;
  return node.value;
}
