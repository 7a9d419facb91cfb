import type { WorkerPool } from "../../../workers/pool.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import { gzipped } from "../archives/pack.ts";
import { type IndexedRpm, type PackageDocument, run } from "./documents.job.ts";
import { Property } from "./properties.ts";
import { type DocumentKind, fileOf, frameOf, type WrittenDocument } from "./repomd.ts";

/** Packages whose elements are made together: some have tens of thousands of files. */
const PAGE = 20;
/** What is longer as JSON is made into elements by a worker. */
const SHORT_TEXT = 128 << 10;

/** A group of a draft, as its documents are made of it. */
export interface DraftedGroup {
  readonly draft: IndexDraft;
  readonly group: string;
  /** Of its packages. */
  readonly count: number;
}

/** Puts a document of a group into its draft. */
export async function putDocument(
  pool: WorkerPool,
  drafted: DraftedGroup,
  kind: DocumentKind,
): Promise<WrittenDocument> {
  const hash = new Bun.CryptoHasher("sha256");
  let openBytes = 0;
  async function* pieces() {
    for await (const text of textsOf(pool, drafted, kind)) {
      const bytes = new TextEncoder().encode(text);
      hash.update(bytes);
      openBytes += bytes.byteLength;
      yield bytes;
    }
  }
  const { sha256, sizeBytes } = await drafted.draft.put(drafted.group, fileOf(kind), gzipped(pieces()));
  return { kind, sha256, sizeBytes, openSha256: hash.digest("hex"), openBytes };
}

async function* textsOf(pool: WorkerPool, { count, draft, group }: DraftedGroup, kind: DocumentKind) {
  const [before, after] = frameOf(kind, count);
  yield before;
  if (kind === "updateinfo")
    yield await pool.run("packages.rpmUpdates", { group, metadata: await errataOf(draft, group) });
  else for await (const entries of draft.entries(group, PAGE)) yield await elementsOf(pool, kind, entries);
  yield after;
}

function elementsOf(
  pool: WorkerPool,
  document: PackageDocument,
  entries: readonly IndexEntry[],
): string | Promise<string> {
  const packages = entries.map(
    ({ file, property }): IndexedRpm => ({
      name: file.packageName,
      metadata: property(Property.metadata) ?? "{}",
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
    }),
  );
  const length = packages.reduce((sum, each) => sum + each.metadata.length, 0);
  const input = { document, packages };
  return length > SHORT_TEXT ? pool.run("packages.rpmDocuments", input) : run(input);
}

/** Metadata of versions that have errata for the group, each once. */
export async function errataOf(draft: IndexDraft, group: string): Promise<string[]> {
  const found = new Map<number, string>();
  for await (const entries of draft.entries(group, PAGE))
    for (const { file } of entries)
      if (file.metadata?.includes(`"group":${JSON.stringify(group)}`)) found.set(file.versionId, file.metadata);
  return [...found.values()];
}
