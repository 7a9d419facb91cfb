import type { ItemImportFiles } from "../../issues/imports/files.ts";
import { Failure } from "../../kernel/errors.ts";
import type { ForgeAsset } from "../forge/types.ts";
import { isOnlyThatFile } from "./taken.ts";
import type { ItemTask } from "./types.ts";

/** A text with the files that belong to it, under their addresses here. */
export interface TextWithFiles {
  readonly body: string;
  readonly files: readonly { readonly uuid: string; readonly name: string; readonly url: string }[];
}

/** Of one text: a form takes five. */
const MAX_FILES = 50;
/** What is shorter names no file alone. */
const MIN_ADDRESS = 32;

/** Brings what is attached to items and comments, one file at a time, each as large as it may be here. */
export class FileBringer {
  constructor(private readonly files: ItemImportFiles) {}

  /** Names the files in the text by the addresses that they will have; those that are not for here keep theirs. */
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

  /** Fetches what is still awaited: an import that is tried again goes on with the next. */
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

/** The same whenever the text is read: a file has one address here for the one it had there. */
function uuidOf(repoId: number, url: string): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${repoId} ${url}`).digest("hex");
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digits) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}
