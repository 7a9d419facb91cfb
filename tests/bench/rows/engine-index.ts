import { readdirSync } from "node:fs";
import { join } from "node:path";
import { builtExecutable } from "../../git/hosts/hearth.ts";
import { median, type World, wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const REPEATS = 3;

export const receivedPackRows: RowGroup = {
  name: "index",
  doc: "the index of a received pack, and an examination of everything, against git index-pack and git fsck",
  run: async (world, report) => {
    const { dir } = world.largest;
    const pack = join(dir, "objects/pack", packOf(dir));
    const run = async (command: readonly string[]) => {
      const child = Bun.spawn([...command], { cwd: world.folder, stdout: "ignore", stderr: "ignore" });
      if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
    };
    const hearth = [...builtExecutable(), "git"];
    const index = (tool: readonly string[], name: string) => [
      ...tool,
      "index-pack",
      "-o",
      join(world.folder, name),
      pack,
    ];
    const ours = await medianOf(() => run(index(hearth, "ours.idx")));
    const theirs = await medianOf(() => run(index(["git"], "theirs.idx")));
    report(metric("index of a received pack", "s", ours / 1000, theirs / 1000));
    const strict = (tool: readonly string[], name: string) => [...index(tool, name), "--strict"];
    const oursStrict = await medianOf(() => run(strict(hearth, "ours.idx")), 1);
    const theirsStrict = await medianOf(() => run(strict(["git"], "theirs.idx")), 1);
    report(metric("index of a received pack, judged", "s", oursStrict / 1000, theirsStrict / 1000));
    report(metric("fsck", "s", await fsck(world, hearth, run), await fsck(world, ["git"], run)));
  },
};

async function fsck(world: World, tool: readonly string[], run: (command: readonly string[]) => Promise<void>) {
  return (await wallOf(() => run([...tool, "-C", world.largest.dir, "fsck", "--no-dangling"]))) / 1000;
}

/** The largest one: a history that was fetched whole has one pack. */
function packOf(dir: string): string {
  const names = readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
  const sizes = new Map(names.map((name) => [name, Bun.file(join(dir, "objects/pack", name)).size]));
  const [largest] = names.toSorted((a, b) => sizes.get(b)! - sizes.get(a)!);
  if (largest === undefined) throw new Error("the history has no pack");
  return largest;
}

async function medianOf(work: () => Promise<void>, repeats = REPEATS): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < repeats; at++) times.push(await wallOf(work));
  return median(times);
}
