/** YAML between two `---` at the start of a document (web.md section 4.2). */

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MAX_CHARACTERS = 64 * 1024;

export interface Split {
  /** The front matter as a collapsed table, or empty. */
  readonly html: string;
  /** The document without it. */
  readonly body: string;
}

/** Takes front matter off a document. Broken YAML, a list or a bare string is no front matter: the text stays whole. */
export function splitFrontMatter(source: string): Split {
  const found = FENCED.exec(source);
  if (!found?.[1] || found[1].length > MAX_CHARACTERS) return { html: "", body: source };
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(found[1]);
  } catch {
    return { html: "", body: source };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return { html: "", body: source };
  const pairs = Object.entries(parsed);
  if (pairs.length === 0) return { html: "", body: source };
  const keys = pairs.map(([key]) => Bun.escapeHTML(key)).join(", ");
  const rows = pairs.map(
    ([key, value]) => `<tr><th>${Bun.escapeHTML(key)}</th><td>${Bun.escapeHTML(shown(value))}</td></tr>`,
  );
  return {
    html: `<details><summary>${keys}</summary><table><tbody>${rows.join("")}</tbody></table></details>\n`,
    body: source.slice(found[0].length),
  };
}

/** One level is enough, and aliases of aliases cannot grow into anything. */
function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.map((entry) => (typeof entry === "object" && entry !== null ? "…" : String(entry))).join(", ");
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null ? "…" : String(value ?? "");
}
