import { isNull, type Node, type ScalarNode } from "./node.ts";

/** Writes YAML for old and new runners alike: block style, strings in double quotes, plain scalars as written. */
export function writeYaml(node: Node): string {
  const lines: string[] = [];
  write(lines, node, "", "");
  return `${lines.join("\n")}\n`;
}

/** @param before the text already on the first line @param indent the indentation of nested lines */
function write(lines: string[], node: Node, before: string, indent: string): void {
  if (node.kind === "scalar") {
    lines.push(`${before}${scalar(node)}`.trimEnd());
    return;
  }
  const isEmpty = node.kind === "list" ? node.items.length === 0 : node.entries.size === 0;
  if (isEmpty) {
    lines.push(`${before}${node.kind === "list" ? "[]" : "{}"}`);
    return;
  }
  const first = before.trimEnd();
  // A structure in a list begins on the line of its dash.
  const isOnDash = first.endsWith("-");
  if (first !== "" && !isOnDash) lines.push(first);
  let prefix = isOnDash ? `${first} ` : indent;
  if (node.kind === "list")
    for (const item of node.items) {
      write(lines, item, `${prefix}- `, `${indent}  `);
      prefix = indent;
    }
  else
    for (const [key, member] of node.entries) {
      write(lines, member, `${prefix}${wordOf(key)}: `, `${indent}  `);
      prefix = indent;
    }
}

function scalar(node: ScalarNode): string {
  if (isNull(node)) return "";
  return node.isPlain ? node.text : wordOf(node.text);
}

const word = /^[A-Za-z_][\w./-]*$/;
/** Not read as strings by every YAML version. */
const ambiguous = new Set(["y", "n", "yes", "no", "on", "off", "true", "false", "null"]);

const wordOf = (text: string): string => (word.test(text) && !ambiguous.has(text.toLowerCase()) ? text : quoted(text));

/** As JSON, escaping the characters that YAML does not allow. */
const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
