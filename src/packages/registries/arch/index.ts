import type { Services } from "../../../services.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import { ANY, DATABASE, DATABASE_SIGNATURE, type DatabasePackage, keyOf, Property, repositoryOf } from "./database.ts";

/** Packages that are read together: some have tens of thousands of files. */
const PAGE = 20;

/** A database for each architecture of each repository (contract packages.md 9.20). */
export class ArchIndex implements IndexBuilder {
  constructor(private readonly services: Pick<Services, "packageOwnerKeys" | "pool">) {}

  /** What is for any architecture stands in the databases of all. */
  covers(compositeKey: string, places: readonly string[]): boolean {
    return places.includes(compositeKey) || places.includes(keyOf(repositoryOf(compositeKey), ANY));
  }

  async build(draft: IndexDraft, places: readonly string[]): Promise<void> {
    for (const place of draft.parts()) if (this.covers(place, places)) await this.put(draft, place);
  }

  private async put(draft: IndexDraft, place: string): Promise<void> {
    const { packageOwnerKeys, pool } = this.services;
    const job = pool.start("packages.archDatabase", {});
    job.result.catch(() => {});
    try {
      for (const part of new Set([place, keyOf(repositoryOf(place), ANY)]))
        for await (const entries of draft.entries(part, PAGE)) await job.send(linesOf(entries));
      job.end();
      const { path } = await draft.put(place, DATABASE, job.output);
      await job.result;
      for (const signature of await packageOwnerKeys.sign(draft.owner, "arch", [{ path }]))
        await draft.put(place, DATABASE_SIGNATURE, signature);
    } finally {
      job.abort();
    }
  }
}

function linesOf(entries: readonly IndexEntry[]): Uint8Array {
  const lines = entries.map(({ file, property }) => {
    const described: DatabasePackage = {
      name: file.packageName,
      version: file.version,
      metadata: file.metadata ?? "{}",
      fileMetadata: property(Property.metadata) ?? "{}",
      fileName: file.name,
      sizeBytes: file.sizeBytes,
      md5: file.md5,
      sha256: file.sha256,
      signature: property(Property.signature) ?? "",
    };
    return `${JSON.stringify(described)}\n`;
  });
  return new TextEncoder().encode(lines.join(""));
}
