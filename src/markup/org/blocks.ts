/**
 * Org documents as HTML (orgmode.org/worg/org-syntax.html): headings, lists, tables, blocks, drawers, footnotes. Each
 * line is examined once or twice, so every document takes linear time; anything that is not syntax is a paragraph. The
 * result passes through the sanitiser like any other.
 */
import { Slugs } from "../slug.ts";
import { type OrgNotes, orgInline } from "./inline.ts";

export interface OrgOptions {
  /** Highlights code; empty for an unknown language. */
  readonly colour: (code: string, language: string) => string;
}

const HEADING = /^(\*{1,50})\s+(?:(TODO|DONE|NEXT|WAITING|CANCELLED|CANCELED)\s+)?(?:\[#([A-Z])\]\s+)?(.*)$/;
const BLOCK = /^\s*#\+begin_(\w{1,30})(?:\s+(.*))?$/i;
const KEYWORD = /^\s*#\+(\w{1,30})(?:\[[^\]\n]*\])?:\s*(.*)$/;
const DRAWER = /^\s*:([\w-]{1,100}):\s*$/;
const PLANNING = /^\s*(?:SCHEDULED|DEADLINE|CLOSED):/;
const ITEM = /^(\s*)(?:([-+])|(\d{1,9})[.)]|(\*)(?=\s))(?:\s+(.*))?$/;
const NOTE = /^\[fn:([\w-]{1,100})\]\s*(.*)$/;
const RULE = /^\s*-{5,}\s*$/;
const MAX_LIST_DEPTH = 20;

export function orgHtml(source: string, options: OrgOptions): string {
  return new OrgDocument(source.replace(/\r\n?/g, "\n").split("\n"), options).html();
}

class OrgDocument implements OrgNotes {
  private readonly slugs = new Slugs();
  private readonly numbers = new Map<string, number>();
  private readonly notes = new Map<string, string>();
  private readonly parts: string[] = [];
  private at = 0;
  /** The line before which each text is known not to occur: each is searched for once. */
  private readonly noneBefore = new Map<string, number>();

  constructor(
    private readonly lines: readonly string[],
    private readonly options: OrgOptions,
  ) {}

  numberOf(name: string): number {
    const number = this.numbers.get(name) ?? this.numbers.size + 1;
    this.numbers.set(name, number);
    return number;
  }

  html(): string {
    while (this.at < this.lines.length) this.block();
    return this.parts.join("\n") + this.footnotes();
  }

  private inline(text: string): string {
    return orgInline(text, this);
  }

  private block(): void {
    const line = this.lines[this.at] ?? "";
    const [heading, block, keyword] = [HEADING.exec(line), BLOCK.exec(line), KEYWORD.exec(line)];
    if (heading) this.heading(heading);
    else if (block?.[1]) this.delimited(block[1].toLowerCase(), block[2] ?? "");
    else if (keyword) this.keyword(keyword[1]?.toLowerCase() ?? "", keyword[2] ?? "");
    else if (line.trim() === "" || /^\s*#(?:\s|$)/.test(line) || PLANNING.test(line)) this.at++;
    else if (RULE.test(line)) this.push("<hr>");
    else if (DRAWER.test(line)) this.drawer();
    else if (/^\s*:(?:\s|$)/.test(line)) this.fixedWidth();
    else if (/^\s*\|/.test(line)) this.table();
    else if (NOTE.test(line)) this.note();
    else if (ITEM.test(line)) this.list();
    else this.paragraph();
  }

  private push(html: string): void {
    this.parts.push(html);
    this.at++;
  }

  private heading([, stars = "", state, priority, text = ""]: RegExpExecArray): void {
    const tagsAt = text.trimEnd().lastIndexOf(" :");
    const hasTags = tagsAt >= 0 && /^:[\w@#%:]{1,200}:$/.test(text.slice(tagsAt).trim());
    const [title, tags] = hasTags ? [text.slice(0, tagsAt).trim(), text.slice(tagsAt).trim()] : [text.trim(), ""];
    const level = Math.min(stars.length, 6);
    const id = this.slugs.next(title.replace(/[*/_=~+[\]]/g, ""));
    const before = [state, priority && `[#${priority}]`].flatMap((word) => (word ? [`<kbd>${word}</kbd> `] : []));
    const after = tags.split(":").flatMap((tag) => (tag ? [` <kbd>${Bun.escapeHTML(tag)}</kbd>`] : []));
    this.push(
      `<h${level} id="${Bun.escapeHTML(id)}">${before.join("")}${this.inline(title)}${after.join("")}</h${level}>`,
    );
  }

  private keyword(name: string, value: string): void {
    this.at++;
    if (name === "title" && value !== "") this.parts.push(`<h1>${this.inline(value)}</h1>`);
    else if (["subtitle", "author", "date"].includes(name) && value !== "")
      this.parts.push(`<p><em>${this.inline(value)}</em></p>`);
  }

  /** The lines up to the end of a block; a block without an end is a line of text. */
  private delimited(name: string, options: string): void {
    const end = this.lineAfter(`#+end_${name}`);
    if (end === undefined) {
      this.paragraph();
      return;
    }
    const lines = this.lines.slice(this.at + 1, end).map((line) => line.replace(/^,(?=\*|#\+)/, ""));
    this.at = end + 1;
    if (name === "src") this.parts.push(this.code(lines, options.split(/\s/, 1)[0]?.toLowerCase() ?? ""));
    else if (name === "example") this.parts.push(this.code(lines, ""));
    else if (name === "verse") this.parts.push(`<p>${lines.map((line) => this.inline(line)).join("<br>")}</p>`);
    else if (name !== "comment" && name !== "export") {
      const [open, close] = name === "quote" ? ["<blockquote>", "</blockquote>"] : ["<div>", "</div>"];
      this.parts.push(
        `${open}${paragraphsOf(lines)
          .map((text) => `<p>${this.inline(text)}</p>`)
          .join("")}${close}`,
      );
    }
  }

  private code(lines: readonly string[], language: string): string {
    const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)), 40);
    const code = `${lines.map((line) => line.slice(indent)).join("\n")}\n`;
    const coloured = language === "" ? "" : this.options.colour(code, language);
    const name = /^[\w+-]{1,40}$/.test(language) ? ` class="language-${language}"` : "";
    return `<pre><code${name}>${coloured || Bun.escapeHTML(code)}</code></pre>`;
  }

  /** Properties and logs are not for readers. */
  private drawer(): void {
    const end = this.lineAfter(":end:");
    if (end === undefined) this.paragraph();
    else this.at = end + 1;
  }

  private fixedWidth(): void {
    const lines = this.take((line) => /^\s*:(?:\s|$)/.test(line)).map((line) => line.replace(/^\s*: ?/, ""));
    this.parts.push(`<pre><code>${Bun.escapeHTML(`${lines.join("\n")}\n`)}</code></pre>`);
  }

  private table(): void {
    const lines = this.take((line) => /^\s*\|/.test(line)).map((line) => line.trim());
    const isRule = (line: string) => /^\|[-+]+\|?$/.test(line);
    const head = lines.findIndex(isRule);
    const rows = lines.flatMap((line, at) => {
      if (isRule(line)) return [];
      const tag = at < head ? "th" : "td";
      const cells = line.replace(/^\||\|$/g, "").split("|");
      return [`<tr>${cells.map((cell) => `<${tag}>${this.inline(cell.trim())}</${tag}>`).join("")}</tr>`];
    });
    this.parts.push(`<table><tbody>${rows.join("")}</tbody></table>`);
  }

  private note(): void {
    const [first = "", ...rest] = this.textLines();
    const [, name = "", text = ""] = NOTE.exec(first) ?? [];
    this.notes.set(name, [text, ...rest].join("\n"));
  }

  private footnotes(): string {
    const items: string[] = [];
    // A note may refer to another, which is then listed after it.
    for (const [name, number] of this.numbers) {
      const text = this.notes.get(name);
      const id = `user-content-${number}`;
      const back = `<a href="#fnref:${id}" class="footnote-backref" aria-label="Back to the text">↩</a>`;
      items.push(`<li id="fn:${id}" class="footnote-item"><p>${this.inline(text ?? "")} ${back}</p></li>`);
    }
    if (items.length === 0) return "";
    return `<section class="footnotes" aria-label="Footnotes"><ol class="footnotes-list">${items.join("")}</ol></section>`;
  }

  private list(): void {
    /** The open lists, with their indentation. */
    const open: { indent: number; tag: string }[] = [];
    const end = () => {
      const list = open.pop();
      if (list) this.parts.push(list.tag === "dl" ? "</dd></dl>" : `</li></${list.tag}>`);
    };
    for (let line = this.lines[this.at]; line !== undefined; line = this.lines[this.at]) {
      const item = ITEM.exec(line);
      const isItem = item && !(item[4] && item[1] === "");
      const indent = line.search(/\S/);
      const innermost = open.at(-1);
      if (!isItem) {
        if (line.trim() === "" && ITEM.test(this.lines[this.at + 1] ?? "")) this.at++;
        else if (line.trim() !== "" && innermost && indent > innermost.indent) this.push(this.inline(line.trim()));
        else break;
        continue;
      }
      while ((open.at(-1)?.indent ?? -1) > indent) end();
      this.item(item, indent, open);
    }
    while (open.length > 0) end();
  }

  private item(
    [, , , number, , text = ""]: RegExpExecArray,
    indent: number,
    open: { indent: number; tag: string }[],
  ): void {
    const [, term, definition] = /^(.{1,500}?)\s+::(?:\s+(.*))?$/.exec(text) ?? [];
    const tag = number !== undefined ? "ol" : term !== undefined ? "dl" : "ul";
    const innermost = open.at(-1);
    if (!innermost || (innermost.indent < indent && open.length < MAX_LIST_DEPTH)) {
      open.push({ indent, tag });
      this.parts.push(`<${tag}>`);
    } else this.parts.push(innermost.tag === "dl" ? "</dd>" : "</li>");
    if (open.at(-1)?.tag === "dl")
      this.push(`<dt>${this.inline(term ?? text)}</dt><dd>${this.inline(definition ?? "")}`);
    else this.push(this.task(text));
  }

  private task(text: string): string {
    const [, mark, rest = ""] = /^\[([ xX-])\]\s+(.*)$/.exec(text) ?? [];
    if (mark === undefined) return `<li>${this.inline(text)}`;
    const described = /x/i.test(mark) ? 'checked aria-label="done"' : 'aria-label="to do"';
    return `<li class="task"><input type="checkbox" disabled ${described}> ${this.inline(rest)}`;
  }

  private paragraph(): void {
    this.parts.push(`<p>${this.inline(this.textLines().join("\n"))}</p>`);
  }

  /** This line, and those that continue it. */
  private textLines(): string[] {
    const first = this.lines[this.at++] ?? "";
    return [first.trim(), ...this.take((line) => !endsParagraph(line)).map((line) => line.trim())];
  }

  private take(belongs: (line: string) => boolean): string[] {
    const from = this.at;
    while (this.at < this.lines.length && belongs(this.lines[this.at] ?? "")) this.at++;
    return this.lines.slice(from, this.at);
  }

  /** The next line with this text, before the next heading. */
  private lineAfter(text: string): number | undefined {
    if ((this.noneBefore.get(text) ?? 0) > this.at) return undefined;
    let at = this.at + 1;
    for (; at < this.lines.length; at++) {
      const line = this.lines[at] ?? "";
      if (line.trim().toLowerCase() === text) return at;
      if (/^\*+\s/.test(line)) break;
    }
    this.noneBefore.set(text, at);
    return undefined;
  }
}

function endsParagraph(line: string): boolean {
  return (
    line.trim() === "" || /^(?:\*+\s|\s*(?:#(?:\s|\+)|\||:[\w-]+:\s*$|:\s|-{5,}\s*$)|\[fn:)/.test(line) || isItem(line)
  );
}

const isItem = (line: string) => /^\s*(?:[-+]|\d{1,9}[.)])\s/.test(line);

function paragraphsOf(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .split(/\n[ \t]*\n/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
