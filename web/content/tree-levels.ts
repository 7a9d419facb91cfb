import type { EntryKind, FileEntry } from "../../src/content/files/entry.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import type { Cache } from "../../src/kernel/cache.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/** Further entries of a directory are only on its own page. */
export const MAX_NODES = 300;
const NODE_BYTES = 120;

/** An entry of a file tree; `children` is set where it is open. */
export interface TreeNode {
  readonly name: string;
  readonly path: string;
  readonly kind: EntryKind;
  readonly isExecutable: boolean;
  readonly children?: TreeLevel;
}

export interface TreeLevel {
  readonly nodes: readonly TreeNode[];
  /** How many entries are left out. */
  readonly hidden: number;
}

interface Entry extends TreeNode {
  readonly oid: Oid;
}

/** Directories as a tree shows them: directories first, opened along the way to a path. */
export class TreeLevels {
  private readonly levels: Cache<string, readonly Entry[]>;

  constructor(private readonly services: Pick<WebServices, "files" | "caches">) {
    this.levels = services.caches.cache((entries) => entries.length * NODE_BYTES);
  }

  /** @param toward a path below the directory; empty: nothing is open */
  async of(
    seen: SeenRepo,
    directory: Pick<FileEntry, "oid" | "path">,
    toward: string,
    max = Number.POSITIVE_INFINITY,
  ): Promise<TreeLevel> {
    const all = await this.entries(seen, directory);
    const [first = "", ...rest] = toward.split("/");
    const way = all.find(({ name }) => name === first);
    let shown: readonly Entry[] = all.slice(0, max);
    // The way to the current path is never left out.
    if (way && !shown.includes(way)) shown = [...shown.slice(0, -1), way];
    const nodes: TreeNode[] = [];
    for (const { oid, ...node } of shown) {
      const isOpen = node.kind === "dir" && node.name === way?.name;
      const children = isOpen ? await this.of(seen, { oid, path: node.path }, rest.join("/"), max) : undefined;
      nodes.push(children ? { ...node, children } : node);
    }
    return { nodes, hidden: all.length - shown.length };
  }

  private async entries(seen: SeenRepo, { oid, path }: Pick<FileEntry, "oid" | "path">): Promise<readonly Entry[]> {
    const key = `${seen.repo.id} ${oid} ${path}`;
    const cached = this.levels.get(key);
    if (cached) return cached;
    const listed = await this.services.files.list(seen, { oid, path });
    const entries = listed.map(({ name, path, kind, isExecutable, oid }) => ({ name, path, kind, isExecutable, oid }));
    const sorted = [...entries.filter(({ kind }) => kind === "dir"), ...entries.filter(({ kind }) => kind !== "dir")];
    this.levels.set(key, sorted);
    return sorted;
  }
}
