import type { Database } from "../../db/database.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Upload } from "../attachments/receive.ts";
import type { Attachments } from "../attachments/service.ts";
import { type AwaitedFile, deleteAwaited, firstAwaited } from "./files-store.ts";

/** Files of imported items and comments, which come one by one after what was said. */
export class ItemImportFiles {
  constructor(
    private readonly db: Database,
    private readonly attachments: Attachments,
  ) {}

  get maxBytes(): number {
    return this.attachments.maxBytes;
  }

  /** Whether a file of that name and size could be one here. */
  mayTake(name: string, sizeBytes: number): boolean {
    return this.attachments.mayTake(name, sizeBytes);
  }

  /** The next one of the repository's items. */
  next({ repo }: SeenRepo): AwaitedFile | undefined {
    return firstAwaited(this.db, repo.id);
  }

  /** @throws ValidationFailed a name, an ending or a type that is not allowed; TooLarge */
  receive(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Upload & Disposable> {
    return this.attachments.receive(bytes, name);
  }

  /** It has arrived. @throws TooLarge the owner may store nothing more */
  bring(seen: SeenRepo, file: AwaitedFile, upload: Upload): void {
    this.db.transaction(() => {
      // Its text was deleted meanwhile, or someone else fetched it.
      if (deleteAwaited(this.db, file.id)) this.attachments.bring(seen, file, upload);
    });
  }

  /** It cannot be one here, or is gone there. */
  drop({ id }: AwaitedFile): void {
    this.db.transaction(() => deleteAwaited(this.db, id));
  }
}
