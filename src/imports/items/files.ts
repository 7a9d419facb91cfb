import type { ItemImportFiles } from "../../issues/imports/files.ts";
import { Failure } from "../../kernel/errors.ts";
import type { ForgeAsset } from "../forge/types.ts";
import { isOnlyThatFile } from "./taken.ts";
import type { ItemTask } from "./types.ts";

/** A text with its attached files, under their addresses here. */
export interface TextWithFiles {
  readonly body: string;
  readonly files: readonly { readonly uuid: string; readonly name: string; readonly url: string }[];
}

/** Per text: a form takes five. */
const MAX_FILES = 50;
/** A shorter address cannot identify a file. */
const MIN_ADDRESS = 32;

/** Imports attachments of items and comments, one file at a time, within the size limit here. */
export class FileBringer {
  constructor(private readonly files: ItemImportFiles) {}

  /** Replaces addresses of files in the text by their future ones here; those that will not be imported stay. */
  named(repoId: number, body: string, assets: readonly ForgeAsset[]): TextWithFiles {
    const files = assets
      .filter(({ name, sizeBytes, url }) => url !== "" && this.files.mayTake(name, sizeBytes))
      .slice(0, MAX_FILES)
      .map(({ name, url }) => ({ name, url, uuid: uuidOf(repoId, url) }));
    let text = body;
    for (const { url, uuid } of files)
      for (const written of URL.canParse(url) ? [url, new URL(url).pathname] : [url])
        if (written.length >= MIN_ADDRESS) text = text.replaceAll(written, `/attachments/${uuid}`);
    return { body: text, files };
  }

  /** Fetches pending files: a retried import continues with the next one. */
  async bringAwaited({ forge, seen, signal }: ItemTask): Promise<void> {
    for (let file = this.files.next(seen); file; file = this.files.next(seen)) {
      signal.throwIfAborted();
      try {
        const bytes = await forge.file(file, this.files.maxBytes);
        using upload = await this.files.receive(bytes, file.name);
        this.files.bring(seen, file, upload);
      } catch (error) {
        if (!(error instanceof Failure) || !isOnlyThatFile(error)) throw error;
        this.files.drop(file);
      }
    }
  }
}

/** Deterministic: a file's address here depends only on its address there. */
function uuidOf(repoId: number, url: string): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${repoId} ${url}`).digest("hex");
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digits) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}
