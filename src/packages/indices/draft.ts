import { operator } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { PackageContents } from "../contents.ts";
import { propertiesOf } from "../properties-store.ts";
import type { PackageFile, ReceivedContent } from "../types.ts";
import type { IndexedType } from "./changes.ts";
import { countOfPart, filesOfPart, type Indexed, type IndexedFile, partsOf } from "./store.ts";

const PAGE = 200;

/** A published file with the properties its registry recorded. */
export interface IndexEntry {
  readonly file: IndexedFile;
  readonly property: (name: string) => string | undefined;
}

/** A generated file. */
export interface DraftedFile {
  readonly name: string;
  readonly compositeKey: string;
  readonly content: ReceivedContent;
}

/** The input of an index build, and where its output files go. */
export class IndexDraft implements Disposable {
  readonly files: DraftedFile[] = [];

  constructor(
    private readonly db: Database,
    private readonly contents: PackageContents,
    private readonly indexed: Indexed & { readonly type: IndexedType },
    readonly owner: User,
    /** Files of the present index that the draft does not replace. */
    readonly staying: readonly PackageFile[],
  ) {}

  /** The parts that have packages. */
  parts(): string[] {
    return partsOf(this.db, this.indexed);
  }

  /** The number of published files of a part. */
  count(part: string): number {
    return countOfPart(this.db, this.indexed, part);
  }

  /**
   * The published files of a part, in the order they were published, page by page.
   * @param page smaller if much is recorded for each file
   */
  async *entries(part: string, page = PAGE): AsyncGenerator<readonly IndexEntry[], void> {
    for (let after = 0; ; await nextTurn()) {
      const files = filesOfPart(this.db, this.indexed, part, after, page);
      let properties: ReturnType<typeof propertiesOf> | undefined;
      const noted = (id: number) => {
        properties ??= propertiesOf(
          this.db,
          "file",
          files.map((file) => file.id),
        );
        return properties.get(id);
      };
      if (files.length > 0)
        yield files.map((file) => ({
          file,
          property: (wanted) => noted(file.id)?.find(({ name }) => name === wanted)?.value,
        }));
      const last = files.at(-1);
      if (!last || files.length < page) return;
      after = last.id;
    }
  }

  /** Adds a file to the index. */
  async put(
    compositeKey: string,
    name: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<ReceivedContent> {
    const from = { principal: operator, type: this.indexed.type };
    const received = await (content instanceof Uint8Array
      ? this.contents.receiveBytes(content, from)
      : this.contents.receive(content, from));
    this.files.push({ compositeKey, name, content: received });
    return received;
  }

  [Symbol.dispose](): void {
    for (const { content } of this.files) content[Symbol.dispose]();
  }
}
