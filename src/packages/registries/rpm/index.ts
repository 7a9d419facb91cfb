import type { Services } from "../../../services.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import { entryLines } from "../../indices/lines.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import { throughWorker } from "../archives/through.ts";
import { Property } from "./properties.ts";
import { type DocumentKind, fileOf, REPOMD, repomd, SIGNATURE, type WrittenDocument } from "./repomd.ts";

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
    const written: WrittenDocument[] = [];
    for (const kind of ["primary", "filelists", "other"] as const)
      written.push(await this.document(draft, { kind, group, count }, entryLines(draft, [group], packageLine)));
    const errata = await errataOf(draft, group);
    if (errata.length > 0)
      written.push(await this.document(draft, { kind: "updateinfo", group, count }, encoded(errata)));
    const data = new TextEncoder().encode(repomd(written, Math.floor(Date.now() / 1000)));
    await draft.put(group, REPOMD, data);
    const { packageOwnerKeys } = this.services;
    for (const signature of await packageOwnerKeys.sign(draft.owner, "rpm", [{ data, form: "armored" }]))
      await draft.put(group, SIGNATURE, signature);
  }

  private async document(
    draft: IndexDraft,
    input: { readonly kind: DocumentKind; readonly group: string; readonly count: number },
    lines: AsyncIterable<Uint8Array>,
  ): Promise<WrittenDocument> {
    const job = this.services.pool.start("packages.rpmDocument", input);
    const { sha256, sizeBytes } = await draft.put(input.group, fileOf(input.kind), throughWorker(lines, job));
    return { kind: input.kind, sha256, sizeBytes, ...(await job.result) };
  }
}

/** An `IndexedRpm`, as a line. */
function packageLine({ file, property }: IndexEntry): string {
  const { packageName, sha256, sizeBytes } = file;
  return JSON.stringify({ name: packageName, sha256, sizeBytes, facts: property(Property.metadata) });
}

/** Metadata of versions that have errata for the group, each once. */
async function errataOf(draft: IndexDraft, group: string): Promise<string[]> {
  const found = new Map<number, string>();
  for await (const entries of draft.entries(group))
    for (const { file } of entries)
      if (file.metadata?.includes(`"group":${JSON.stringify(group)}`)) found.set(file.versionId, file.metadata);
  return [...found.values()];
}

async function* encoded(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield new TextEncoder().encode(`${line}\n`);
}
