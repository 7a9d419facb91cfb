import { peelToTree } from "../../git/graph/peel.ts";
import { decodeText } from "../../git/objects/headers.ts";
import type { Oid } from "../../git/objects/types.ts";
import { ObjectStore } from "../../git/odb/store.ts";
import { listTree } from "../../git/trees.ts";
import { isLicenseName, LicenseMatcher } from "./licenses.ts";

export interface LicensesInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** A commit. */
  readonly revision: Oid;
  /** The repository's licences so far. */
  readonly known: readonly string[];
}

const MAX_FILES = 5;
const MAX_BYTES = 128 * 1024;

/** The licences of the files in the root directory, in order. */
export async function run({ repoDir, revision, known }: LicensesInput): Promise<string[]> {
  const store = ObjectStore.open(repoDir);
  try {
    const tree = peelToTree(store, revision);
    if (tree === undefined) return [];
    const { entries } = listTree(store, tree, { limit: 10_000, recursive: false, directories: false, sizes: true });
    const files = entries.filter(({ path, sizeBytes }) => isLicenseName(path) && (sizeBytes ?? MAX_BYTES) < MAX_BYTES);
    if (files.length === 0) return [];
    const matcher = await LicenseMatcher.load();
    const found = new Set<string>();
    for (const { oid } of files.slice(0, MAX_FILES)) {
      const object = store.read(oid);
      const license = object?.type === "blob" ? matcher.match(decodeText(object.data), known) : undefined;
      if (license) found.add(license);
    }
    return [...found].sort();
  } finally {
    store.close();
  }
}
