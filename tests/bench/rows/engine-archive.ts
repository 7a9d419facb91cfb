import { ARCHIVE_FORMATS, archive } from "../../../src/git/archive/archive.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { reportBesideGit } from "./beside-git.ts";
import type { RowGroup } from "./row.ts";

export const archiveRows: RowGroup = {
  name: "archive",
  doc: "archives of HEAD in every format, in this process, against git archive",
  run: async (world, report) => {
    const { dir } = world.largest;
    const [tree = ""] = await gitLines(["-C", dir, "rev-parse", "HEAD^{tree}"]);
    for (const format of ARCHIVE_FORMATS.filter((known) => known !== "tar.gz")) {
      await reportBesideGit(
        `archive of HEAD, ${format}`,
        report,
        () => drain(dir, tree, format),
        () => runGit(["-C", dir, "archive", `--format=${format}`, "-o", "/dev/null", "HEAD"]),
      );
    }
  },
};

/** Everything opened again, as a job in a worker does it. */
async function drain(dir: string, tree: string, format: (typeof ARCHIVE_FORMATS)[number]): Promise<void> {
  const store = ObjectStore.open(dir, { maxObjectBytes: 16 * 1024 * 1024 });
  try {
    for await (const _ of archive(store, { format, tree, timeSeconds: 0 }));
  } finally {
    store.close();
  }
}
