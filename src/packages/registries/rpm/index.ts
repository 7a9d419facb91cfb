import type { Services } from "../../../services.ts";
import type { IndexDraft } from "../../indices/draft.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import { errataOf, putDocument } from "./documents.ts";
import { REPOMD, repomd, SIGNATURE, type WrittenDocument } from "./repomd.ts";

/** The documents of each group (contract packages.md 9.17). */
export class RpmIndex implements IndexBuilder {
  constructor(private readonly services: Pick<Services, "packageOwnerKeys" | "pool">) {}

  covers(compositeKey: string, groups: readonly string[]): boolean {
    return groups.includes(compositeKey);
  }

  async build(draft: IndexDraft, groups: readonly string[]): Promise<void> {
    for (const group of groups) {
      const count = draft.count(group);
      if (count > 0) await this.put(draft, group, count);
    }
  }

  private async put(draft: IndexDraft, group: string, count: number): Promise<void> {
    const { packageOwnerKeys, pool } = this.services;
    const kinds = ["primary", "filelists", "other"] as const;
    const hasErrata = (await errataOf(draft, group)).length > 0;
    const written: WrittenDocument[] = [];
    for (const kind of hasErrata ? ([...kinds, "updateinfo"] as const) : kinds)
      written.push(await putDocument(pool, { draft, group, count }, kind));
    const data = new TextEncoder().encode(repomd(written, Math.floor(Date.now() / 1000)));
    await draft.put(group, REPOMD, data);
    for (const signature of await packageOwnerKeys.sign(draft.owner, "rpm", [{ data, form: "armored" }]))
      await draft.put(group, SIGNATURE, signature);
  }
}
