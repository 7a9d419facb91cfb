import type { FileEntry } from "../../src/content/files/service.ts";
import { WeightedLru } from "../../src/kernel/lru.ts";
import type { CodeHtml } from "../../src/markup/code-lines.ts";
import type { LinkBase } from "../../src/markup/links.ts";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RefName } from "../links.ts";
import { decodeText } from "./texts.ts";

const MARKDOWN_BYTES = 16 * 1024 * 1024;
const CODE_BYTES = 32 * 1024 * 1024;

/**
 * Files made into HTML, kept by the id of their content: a file that does not change is rendered once. Markdown also
 * depends on where it stands, because its links do.
 */
export class Rendered {
  private readonly markdowns = new WeightedLru<string, SafeHtml>(MARKDOWN_BYTES, (html) => html.length * 2);
  private readonly codes = new WeightedLru<string, CodeHtml>(CODE_BYTES, (code) => code.html.length * 2);

  constructor(private readonly services: Pick<WebServices, "files" | "markup">) {}

  async markdown(seen: SeenRepo, file: FileEntry, ref: RefName): Promise<SafeHtml> {
    const links: LinkBase = {
      kind: "file",
      repo: { owner: seen.owner.login, name: seen.repo.name },
      at: ref,
      directory: file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "",
    };
    const key = `${file.oid} ${JSON.stringify(links)}`;
    const known = this.markdowns.get(key);
    if (known !== undefined) return known;
    const html = await this.services.markup.markdown(this.text(seen, file), { links });
    this.markdowns.set(key, html);
    return html;
  }

  async code(seen: SeenRepo, file: FileEntry): Promise<CodeHtml> {
    const key = `${file.oid} ${file.name}`;
    const known = this.codes.get(key);
    if (known) return known;
    const code = await this.services.markup.code(this.text(seen, file), { fileName: file.name });
    this.codes.set(key, code);
    return code;
  }

  /** @throws NotFound the object is gone */
  text({ repo }: SeenRepo, file: FileEntry): string {
    return decodeText(this.services.files.bytes(repo, file.oid) ?? new Uint8Array(0));
  }
}
