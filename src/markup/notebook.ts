/**
 * Jupyter notebooks (nbformat 3 and 4) as a static page: cells, and the outputs stored with them. Nothing in a notebook
 * is executed: its HTML passes through the sanitiser, its images are `data:` images of a few types.
 */
import { type Extras, type MarkdownContext, render } from "./renderer.ts";
import { MAX_SOURCE, type MarkedHtml } from "./safe-html.ts";
import { sanitise } from "./sanitise.ts";

type Json = Readonly<Record<string, unknown>>;

const MAX_CELLS = 2_500;
const MAX_OUTPUTS = 200;
/** Per output; the rest is cut off. */
const MAX_OUTPUT_CHARACTERS = 200_000;
const MAX_PICTURE = 8 * 1024 * 1024;
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"] as const;

/** The notebook as HTML with marked references; undefined if it is not a notebook. */
export function notebookHtml(source: string, context: MarkdownContext, extras: Extras): MarkedHtml | undefined {
  const notebook = parsed(source);
  if (!notebook) return undefined;
  const cells = listOf(notebook["cells"] ?? mapOf(listOf(notebook["worksheets"])[0])["cells"]);
  if (!Array.isArray(notebook["cells"]) && !Array.isArray(notebook["worksheets"])) return undefined;
  const metadata = mapOf(notebook["metadata"]);
  const language = String(mapOf(metadata["language_info"])["name"] ?? mapOf(metadata["kernelspec"])["language"] ?? "");
  const shown = new Cells(context, extras, /^[\w+#-]{1,40}$/.test(language) ? language.toLowerCase() : "");
  return cells
    .slice(0, MAX_CELLS)
    .map((cell, at) => shown.cell(mapOf(cell), at))
    .join("\n") as MarkedHtml;
}

class Cells {
  constructor(
    private readonly context: MarkdownContext,
    private readonly extras: Extras,
    private readonly language: string,
  ) {}

  cell(cell: Json, at: number): string {
    const text = textOf(cell["source"] ?? cell["input"]);
    switch (cell["cell_type"]) {
      case "markdown":
        return withAttachments(text, mapOf(cell["attachments"]), (rest) => this.markdown(rest, at));
      case "heading":
        return this.markdown(`${"#".repeat(Math.min(Number(cell["level"]) || 1, 6))} ${text}`, at);
      case "code": {
        const number = cell["execution_count"] ?? cell["prompt_number"];
        const outputs = listOf(cell["outputs"]).slice(0, MAX_OUTPUTS);
        const prompt = typeof number === "number" ? `<p class="notebook-prompt">[${number}]</p>` : "";
        return `<div class="notebook-cell">${prompt}${this.code(text)}${outputs.map((output) => this.output(mapOf(output), at)).join("")}</div>`;
      }
      default:
        return text === "" ? "" : preformatted(text);
    }
  }

  private markdown(text: string, at: number): string {
    return render(text, { ...this.context, idSuffix: `cell-${at + 1}` }, this.extras);
  }

  private code(text: string): string {
    if (text === "") return "";
    const coloured = this.language === "" ? "" : (this.extras.colour?.(text, this.language) ?? "");
    return `<pre><code>${coloured || Bun.escapeHTML(text)}\n</code></pre>`;
  }

  private output(output: Json, at: number): string {
    switch (output["output_type"]) {
      case "stream":
        return preformatted(textOf(output["text"]));
      case "error":
      case "pyerr":
        return preformatted(textOf(listOf(output["traceback"]).map((line) => `${textOf(line)}\n`)));
      default:
        // Version 3 has the types of data as direct members, under short names.
        return this.data(output["data"] === undefined ? ofVersion3(output) : mapOf(output["data"]), at);
    }
  }

  /** Renders the first type of data that can be displayed. */
  private data(data: Json, at: number): string {
    if (data["text/html"] !== undefined) {
      const html = textOf(data["text/html"]).slice(0, MAX_SOURCE);
      const safe = sanitise(html, this.context.links);
      // For a widget or a plot that needs its script, only the text form is left.
      if (safe.replace(/<[^<>]*>/g, "").trim() !== "" || safe.includes("<img")) return safe;
    }
    for (const type of PICTURES) {
      const picture = data[type] === undefined ? undefined : pictureOf(type, textOf(data[type]));
      if (picture) return `<p>${picture}</p>`;
    }
    if (data["text/markdown"] !== undefined) return this.markdown(textOf(data["text/markdown"]), at);
    if (data["text/latex"] !== undefined) return this.markdown(textOf(data["text/latex"]), at);
    if (data["text/plain"] !== undefined) return preformatted(textOf(data["text/plain"]));
    return "";
  }
}

function ofVersion3(output: Json): Json {
  const names = {
    html: "text/html",
    png: "image/png",
    jpeg: "image/jpeg",
    svg: "image/svg+xml",
    latex: "text/latex",
    text: "text/plain",
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, type]) => (output[name] === undefined ? [] : [[type, output[name]]])),
  );
}

function preformatted(text: string): string {
  if (text.trim() === "") return "";
  return `<pre>${Bun.escapeHTML(withoutEscapes(text).slice(0, MAX_OUTPUT_CHARACTERS))}</pre>`;
}

/** Removes terminal colour sequences, and keeps only the final text of overwritten lines. */
function withoutEscapes(text: string): string {
  return text
    .slice(0, 2 * MAX_OUTPUT_CHARACTERS)
    .replace(/\u001b\[[\d;?]{0,40}[A-Za-z]/g, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\r").at(-1))
    .join("\n");
}

/** An image in a data URL: scripts in an SVG do not run there. */
function pictureOf(type: (typeof PICTURES)[number], data: string): string | undefined {
  const base64 = type === "image/svg+xml" ? Buffer.from(data).toString("base64") : data.replace(/\s/g, "");
  if (base64 === "" || base64.length > MAX_PICTURE || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return `<img src="data:${type};base64,${base64}" alt="" loading="lazy">`;
}

/**
 * Renders a text with its attached images (`attachment:name`). The sanitiser allows no `data:` images in text, so they
 * are inserted afterwards, in place of placeholders that no text can contain beforehand.
 */
function withAttachments(text: string, attachments: Json, rendered: (text: string) => string): string {
  if (Object.keys(attachments).length === 0) return rendered(text);
  const pictures: string[] = [];
  const word = `attachment${crypto.randomUUID().replaceAll("-", "")}`;
  const html = rendered(
    text.replace(/!\[([^\]\n]{0,500})\]\(attachment:([^)\n]{1,500})\)/g, (_all, alt: string, name: string) => {
      const data = mapOf(attachments[name]);
      const type = PICTURES.find((known) => known !== "image/svg+xml" && data[known] !== undefined);
      const picture = type && pictureOf(type, textOf(data[type]));
      if (!picture) return alt;
      return `${word}n${pictures.push(picture) - 1}n`;
    }),
  );
  return html.replace(new RegExp(`${word}n(\\d{1,6})n`, "g"), (_all, at: string) => pictures[Number(at)] ?? "");
}

function parsed(source: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(source.startsWith("\ufeff") ? source.slice(1) : source);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function mapOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text, which notebooks store as one string or as a list of lines. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : "";
}
