import type { User } from "../access/user.ts";
import type { Paging, Slice } from "../kernel/paging.ts";

/** The kinds of an account's files that can be listed. */
export type HeldKind = "attachments" | "artifacts" | "packages";

/** A file that counts for an account. Addresses are absolute. */
export interface HeldFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** For people. */
  readonly url: string;
  /** For programs. */
  readonly apiUrl?: string;
  /** The item or release it belongs to. */
  readonly container?: { readonly url: string; readonly apiUrl: string };
  /** Of a package. */
  readonly package?: { readonly type: string; readonly version: string };
}

/** The files that one area stores for accounts. */
export interface HeldFileSource {
  count(account: User): number;
  /** In a stable order. */
  list(account: User, limit: number, offset: number): readonly HeldFile[];
}

/** The files that count for accounts, listed by the areas that store them. */
export class HeldFiles {
  private readonly sources: { readonly kind: HeldKind; readonly source: HeldFileSource }[] = [];

  /** Called by areas during wiring. */
  add(kind: HeldKind, source: HeldFileSource): void {
    this.sources.push({ kind, source });
  }

  /** The sources in sequence. */
  page(kind: HeldKind, account: User, { limit, offset }: Paging): Slice<HeldFile> {
    const items: HeldFile[] = [];
    let total = 0;
    for (const { source } of this.sources.filter((each) => each.kind === kind)) {
      const count = source.count(account);
      const from = Math.max(0, offset - total);
      if (from < count && items.length < limit) items.push(...source.list(account, limit - items.length, from));
      total += count;
    }
    return { items, total };
  }
}
