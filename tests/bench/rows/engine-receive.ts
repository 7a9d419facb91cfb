import { openSync } from "node:fs";
import { join } from "node:path";
import { gitEnvironment, runGit } from "../../git/hosts/real-git.ts";
import { metric, type RowGroup } from "./row.ts";

export const engineReceiveRows: RowGroup = {
  name: "engine-receive",
  doc: "taking in the pack of a first push of the largest history, against git index-pack --strict",
  run: async (world, report) => {
    const history = world.largest.dir;
    const pack = join(world.folder, "first-push.pack");
    const words = ["git", "-C", history, "pack-objects", "-q", "--all", "--stdout"];
    const packing = Bun.spawn(words, { env: gitEnvironment(), stdout: Bun.file(pack), stderr: "inherit" });
    if ((await packing.exited) !== 0) throw new Error("git pack-objects failed");
    const repo = join(world.folder, "indexed-by-git.git");
    await runGit(["init", "-q", "--bare", repo]);
    const cost = async (command: readonly string[], input: string | undefined) => {
      const stdin = input === undefined ? "ignore" : openSync(input, "r");
      const child = Bun.spawn([...command], { env: gitEnvironment(), stdin, stdout: "ignore", stderr: "inherit" });
      if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
      return Number(child.resourceUsage()!.cpuTime.total) / 1e6;
    };
    const script = join(import.meta.dir, "../../git/receive/run-ingest.ts");
    const hearth = await cost(["bun", script, history, pack, join(world.folder, "received.git")], undefined);
    const git = await cost(["git", "-C", repo, "index-pack", "--strict", "--stdin"], pack);
    report(metric("index of a received pack", "s", hearth, git));
  },
};
