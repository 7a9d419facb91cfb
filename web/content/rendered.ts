import type { FileEntry } from "../../src/content/files/entry.ts";
import { decodeText } from "../../src/content/texts.ts";
import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import type { CodeHtml } from "../../src/markup/code-lines.ts";
import type { TextKind } from "../../src/markup/kinds.ts";
import type { LinkBase } from "../../src/markup/links.ts";
import { type MarkedHtml, type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RefName } from "../links.ts";

/**
 * Files rendered to HTML, cached by blob id: an unchanged file is rendered once. Documents also depend on their
 * location, because of their links.
 */
export class Rendered {
  private readonly documents: Cache<string, MarkedHtml>;
  private readonly codes: Cache<string, CodeHtml>;

  constructor(private readonly services: Pick<WebServices, "files" | "markup" | "caches" | "references">) {
    this.documents = services.caches.cache<string, MarkedHtml>(textBytes);
    this.codes = services.caches.cache((code) => textBytes(code.html));
  }

  /** A document as the viewer of the repository may read it. */
  async document(seen: SeenRepo, file: FileEntry, ref: RefName, kind: TextKind): Promise<SafeHtml> {
    return this.forReader(seen, await this.marked(seen, file, ref, kind));
  }

  /** The same rendering for everyone, with references still marked: this one can be cached. */
  async marked(seen: SeenRepo, file: FileEntry, ref: RefName, kind: TextKind): Promise<MarkedHtml> {
    const links = linksOf(seen, file.path, ref);
    const key = `${kind} ${file.oid} ${JSON.stringify(links)}`;
    const cached = this.documents.get(key);
    if (cached !== undefined) return cached;
    const html = await this.services.markup.document(kind, this.text(seen, file), { links });
    this.documents.set(key, html);
    return html;
  }

  /** A text being edited for a file at that path; not cached. */
  async typed(seen: SeenRepo, file: { text: string; path: string; branch: string; kind: TextKind }): Promise<SafeHtml> {
    const links = linksOf(seen, file.path, { kind: "branch", name: file.branch });
    return this.forReader(seen, await this.services.markup.document(file.kind, file.text, { links }));
  }

  forReader(seen: SeenRepo, html: MarkedHtml): SafeHtml {
    return this.services.references.resolve({ principal: seen.principal, repo: seen }, html)[0] ?? trustHtml("");
  }

  code(seen: SeenRepo, file: FileEntry): Promise<CodeHtml> {
    return this.codeOf(file.oid, file.name, () => this.text(seen, file));
  }

  /** @param id blob id of the text; `text` is called only if it is not cached */
  async codeOf(id: string, fileName: string, text: () => string): Promise<CodeHtml> {
    const key = `${id} ${fileName}`;
    const cached = this.codes.get(key);
    if (cached) return cached;
    const code = await this.services.markup.code(text(), { fileName });
    this.codes.set(key, code);
    return code;
  }

  /** @throws NotFound when the object is missing */
  text(seen: SeenRepo, file: FileEntry): string {
    return decodeText(this.services.files.bytes(seen, file.oid) ?? new Uint8Array(0));
  }
}

/** The base of links in a file. */
function linksOf({ owner, repo }: SeenRepo, path: string, at: RefName): LinkBase {
  return {
    kind: "file",
    repo: { owner: owner.login, name: repo.name },
    at,
    directory: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "",
  };
}
