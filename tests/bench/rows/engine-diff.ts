import { DiffPrinter } from "../../../src/git/diff/print/print.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { reportBesideGit } from "./beside-git.ts";
import type { RowGroup } from "./row.ts";

const COMMITS = 500;

/** The trees of the newest commits without merges, and of their parents. */
async function pairsOf(dir: string): Promise<(readonly [from: string, to: string])[]> {
  const words = ["-C", dir, "log", `-${COMMITS}`, "--no-merges", "--min-parents=1", "--format=%P %T", "HEAD"];
  const rows = (await gitLines(words)).map((line) => line.split(" "));
  const input = rows.map(([parent]) => `${parent}^{tree}\n`).join("");
  const parents = await gitLines(["-C", dir, "cat-file", "--batch-check=%(objectname)"], { input });
  return rows.map(([, tree = ""], i) => [parents[i] ?? "", tree] as const);
}

export const diffRows: RowGroup = {
  name: "diff",
  doc: "patches and counts of the newest commits, in this process, against git diff-tree --stdin",
  run: async (world, report) => {
    const { dir } = world.largest;
    const pairs = await pairsOf(dir);
    const input = pairs.map(([from, to]) => `${from} ${to}\n`).join("");
    for (const format of ["patch", "numstat"] as const) {
      const words = ["-C", dir, "diff-tree", "--stdin", `--${format}`, "-M"];
      await reportBesideGit(
        `diff of ${COMMITS} commits${format === "patch" ? "" : `, ${format}`}`,
        report,
        async () => printAll(dir, pairs, format),
        () => runGit(words, { input }),
      );
    }
  },
};

function printAll(dir: string, pairs: readonly (readonly [string, string])[], format: "patch" | "numstat"): void {
  const store = ObjectStore.open(dir, { cacheBytes: 64 * 1024 * 1024 });
  try {
    const printer = new DiffPrinter(store, { formats: new Set([format]) });
    for (const [from, to] of pairs) printer.printTrees(from, to, () => {});
  } finally {
    store.close();
  }
}
