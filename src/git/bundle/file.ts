import { readSync } from "node:fs";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { type IndexedPack, indexPackStream } from "../receive/index-pack.ts";
import { BadBundle, type BundleHeader, HeaderLines, readBundleHeader } from "./header.ts";

/** An opened bundle: its header has been read, its pack has not. */
export class BundleFile {
  private constructor(
    private readonly fd: number,
    readonly header: BundleHeader,
    private readonly packAt: number,
  ) {}

  /** @throws BadBundle if the file is not a bundle, the system's error if it cannot be read */
  static open(path: string): BundleFile {
    const fd = openFile(path, "r");
    try {
      const lines = new HeaderLines((into) => readSync(fd, into, 0, into.length, null));
      return new BundleFile(fd, readBundleHeader(lines.next), lines.used);
    } catch (error) {
      closeFile(fd);
      throw error;
    }
  }

  close(): void {
    closeFile(this.fd);
  }

  /** Prerequisites missing from the store, in the header's order. */
  missingFrom(store: ObjectSource): Oid[] {
    return this.header.prerequisites.map(({ oid }) => oid).filter((oid) => !store.has(oid));
  }

  /**
   * Adds the objects to the repository in `repoDir`, without changing its refs. If the bundle is filtered, its pack is
   * marked `.promisor`, as in a partial clone.
   * @throws BadBundle if prerequisites are missing; BadPack if its pack is invalid
   */
  async unpack(repoDir: string, store: ObjectStore): Promise<IndexedPack> {
    const { format, filter } = this.header;
    if (format !== store.format)
      throw new BadBundle(`the bundle's objects are of ${format.name}, the repository's are not`);
    if (this.missingFrom(store).length > 0) throw new BadBundle("the repository lacks prerequisite commits");
    return indexPackStream(repoDir, this.pack(), {
      format,
      store,
      fsck: false,
      links: false,
      completeThin: true,
      ...(filter === undefined ? {} : { promisor: "from-bundle" }),
    });
  }

  private async *pack(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(256 * 1024);
    for (let at = this.packAt; ; ) {
      const got = readSync(this.fd, buffer, 0, buffer.length, at);
      if (got === 0) return;
      yield buffer.subarray(0, got);
      at += got;
    }
  }
}
