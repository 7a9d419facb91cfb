import type { Database } from "../../db/database.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Upload } from "../attachments/receive.ts";
import type { Attachments } from "../attachments/service.ts";
import { type AwaitedFile, deleteAwaited, firstAwaited } from "./files-store.ts";

/** Files of imported items and comments, fetched one by one after the texts. */
export class ItemImportFiles {
  constructor(
    private readonly db: Database,
    private readonly attachments: Attachments,
  ) {}

  get maxBytes(): number {
    return this.attachments.maxBytes;
  }

  /** Whether a file with that name and size could be attached here. */
  mayTake(name: string, sizeBytes: number): boolean {
    return this.attachments.mayTake(name, sizeBytes);
  }

  /** The next file to fetch for the repository's items. */
  next({ repo }: SeenRepo): AwaitedFile | undefined {
    return firstAwaited(this.db, repo.id);
  }

  /** @throws ValidationFailed the name, extension or type is not allowed; TooLarge */
  receive(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Upload & Disposable> {
    return this.attachments.receive(bytes, name);
  }

  /** Attaches a fetched file. @throws TooLarge the owner's quota is exhausted */
  bring(seen: SeenRepo, file: AwaitedFile, upload: Upload): void {
    this.db.transaction(() => {
      // Otherwise its text was deleted meanwhile, or someone else fetched it.
      if (deleteAwaited(this.db, file.id)) this.attachments.bring(seen, file, upload);
    });
  }

  /** Gives up on a file that is not allowed here, or no longer exists there. */
  drop({ id }: AwaitedFile): void {
    this.db.transaction(() => deleteAwaited(this.db, id));
  }
}
