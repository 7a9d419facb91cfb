/** YAML between two `---` at the start of a document (web.md section 4.2). */

const FENCED = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;
const MAX_CHARACTERS = 64 * 1024;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

export interface Split {
  /** The front matter as a table, collapsed unless it says otherwise, or empty. */
  readonly html: string;
  /** The document without it. */
  readonly body: string;
  /** Whether a table of contents precedes the text. */
  readonly hasContents: boolean;
  /** The language it declares for the text. */
  readonly language: string | undefined;
}

/**
 * Splits front matter from a document with `\n` newlines. Broken YAML, a list or a bare string is not front matter: the
 * text then remains whole.
 */
export function splitFrontMatter(source: string): Split {
  const none = { html: "", body: source, hasContents: false, language: undefined };
  const found = FENCED.exec(source);
  if (!found?.[1] || found[1].length > MAX_CHARACTERS) return none;
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(found[1]);
  } catch {
    return none;
  }
  if (!isMap(parsed) || Object.keys(parsed).length === 0) return none;
  const own = isMap(parsed["gitea"]) ? parsed["gitea"] : {};
  const option = (name: string) => own[name] ?? parsed[name];
  const shape = isMap(parsed["gitea"]) ? own["meta"] : parsed["gitea"];
  const language = option("lang");
  return {
    html: table(parsed, shape === "none" || shape === "table" ? shape : "details"),
    body: source.slice(found[0].length),
    hasContents: ["true", "main"].includes(String(option("include_toc"))),
    language: typeof language === "string" && LANGUAGE.test(language) ? language : undefined,
  };
}

function table(values: Readonly<Record<string, unknown>>, shape: "none" | "table" | "details"): string {
  if (shape === "none") return "";
  const pairs = Object.entries(values);
  const rows = pairs.map(
    ([key, value]) => `<tr><th>${Bun.escapeHTML(key)}</th><td>${Bun.escapeHTML(shown(value))}</td></tr>`,
  );
  const html = `<table><tbody>${rows.join("")}</tbody></table>`;
  if (shape === "table") return `${html}\n`;
  const keys = pairs.map(([key]) => Bun.escapeHTML(key)).join(", ");
  return `<details><summary>${keys}</summary>${html}</details>\n`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One level is enough, and nested aliases cannot grow into anything large. */
function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.map((entry) => (typeof entry === "object" && entry !== null ? "…" : String(entry))).join(", ");
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null ? "…" : String(value ?? "");
}
