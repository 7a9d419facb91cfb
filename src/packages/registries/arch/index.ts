import type { Services } from "../../../services.ts";
import type { IndexDraft } from "../../indices/draft.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import type { IndexedPackage } from "./database.job.ts";
import { ANY, DATABASE, DATABASE_SIGNATURE, keyOf, placeOf, Property } from "./database.ts";

/** Packages that are read together: some have tens of thousands of files. */
const PAGE = 20;

/** A database for each architecture of each repository (contract packages.md 9.20). */
export class ArchIndex implements IndexBuilder {
  constructor(private readonly services: Pick<Services, "ownerKeys" | "pool">) {}

  /** What is for any architecture stands in the databases of all. */
  covers(compositeKey: string, places: readonly string[]): boolean {
    const { repository } = placeOf(compositeKey);
    return places.includes(compositeKey) || places.includes(keyOf(repository, ANY));
  }

  async build(draft: IndexDraft, places: readonly string[]): Promise<void> {
    for (const place of draft.parts()) if (this.covers(place, places)) await this.put(draft, place);
  }

  private async put(draft: IndexDraft, place: string): Promise<void> {
    const { ownerKeys, pool } = this.services;
    const any = keyOf(placeOf(place).repository, ANY);
    const job = pool.start("packages.archDatabase", {}, { lane: "bulk" });
    job.result.catch(() => {});
    try {
      for (const part of new Set([place, any]))
        for await (const entries of draft.entries(part, PAGE))
          await job.send(new TextEncoder().encode(entries.map((each) => `${JSON.stringify(packageOf(each))}\n`).join("")));
      job.end();
      const { path } = await draft.put(place, DATABASE, job.output);
      await job.result;
      for (const signature of await ownerKeys.sign(draft.owner, "arch", [{ path, form: "binary" }]))
        await draft.put(place, DATABASE_SIGNATURE, signature);
    } finally {
      job.abort();
    }
  }
}

type Entries = ReturnType<IndexDraft["entries"]> extends AsyncGenerator<readonly (infer Entry)[]> ? Entry : never;
