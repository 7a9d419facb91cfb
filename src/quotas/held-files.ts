import type { User } from "../access/user.ts";
import type { Paging, Slice } from "../kernel/paging.ts";

/** What of an account's can be listed one by one. */
export type HeldKind = "attachments" | "artifacts" | "packages";

/** A file that counts for an account. Addresses are whole. */
export interface HeldFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Where people find it. */
  readonly url: string;
  /** Where programs do. */
  readonly apiUrl?: string;
  /** The item or release it hangs on. */
  readonly container?: { readonly url: string; readonly apiUrl: string };
  /** Of a package. */
  readonly package?: { readonly type: string; readonly version: string };
}

/** What one area holds for accounts. */
export interface HeldFileSource {
  count(account: User): number;
  /** In an order that stays. */
  list(account: User, limit: number, offset: number): readonly HeldFile[];
}

/** The files that count for accounts, as the areas that have them list them. */
export class HeldFiles {
  private readonly sources: { readonly kind: HeldKind; readonly source: HeldFileSource }[] = [];

  /** Called by areas while they are wired. */
  add(kind: HeldKind, source: HeldFileSource): void {
    this.sources.push({ kind, source });
  }

  /** One source after the other. */
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
