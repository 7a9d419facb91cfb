import type { Services } from "../../../services.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import { entryLines } from "../../indices/lines.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import { throughWorker } from "../archives/through.ts";
import { ANY, DATABASE, DATABASE_SIGNATURE, keyOf, Property, repositoryOf } from "./database.ts";

/** One database per architecture of each repository (contract packages.md 9.20). */
export class ArchIndex implements IndexBuilder {
  constructor(private readonly services: Pick<Services, "packageOwnerKeys" | "pool">) {}

  /** Packages for any architecture are in the databases of all. */
  covers(compositeKey: string, places: readonly string[]): boolean {
    return places.includes(compositeKey) || places.includes(keyOf(repositoryOf(compositeKey), ANY));
  }

  async build(draft: IndexDraft, places: readonly string[]): Promise<void> {
    for (const place of draft.parts()) if (this.covers(place, places)) await this.put(draft, place);
  }

  private async put(draft: IndexDraft, place: string): Promise<void> {
    const { packageOwnerKeys, pool } = this.services;
    const parts = new Set([place, keyOf(repositoryOf(place), ANY)]);
    const job = pool.start("packages.archDatabase", {});
    const { path } = await draft.put(place, DATABASE, throughWorker(entryLines(draft, parts, packageLine), job));
    for (const signature of await packageOwnerKeys.sign(draft.owner, "arch", [{ path }]))
      await draft.put(place, DATABASE_SIGNATURE, signature);
  }
}

/** A `DatabasePackage`, as a line. */
function packageLine({ file, property }: IndexEntry): string {
  const { md5, name, packageName, sha256, sizeBytes, version } = file;
  const [facts, signature] = [property(Property.metadata), property(Property.signature)];
  const head = JSON.stringify({ name: packageName, version, fileName: name, sizeBytes, md5, sha256, facts, signature });
  return `${head.slice(0, -1)},"metadata":${file.metadata ?? "{}"}}`;
}
