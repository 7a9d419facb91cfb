import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { initRepository } from "../../../src/git/odb/write.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { git, gitText } from "../objects/real-git.ts";
import { pieces } from "../receive/packs.ts";

/**
 * A repository that came into being by many pushes, as Hearth stores them: each one a pack of its own. By hand:
 * `bun tests/git/maintenance/many-pushes.ts SOURCE.git TARGET.git [PUSHES] [--whole] [--after N]`. With `--whole` the packs
 * are not thin; with `--after N` the last N commits of the first-parent line come in the pushes, all before in one.
 */
export interface ManyPushes {
  readonly pushes: number;
  readonly thin: boolean;
  /** Commits of the first-parent line that are pushed step by step; all by default. */
  readonly last?: number;
}

export async function manyPushes(source: string, target: string, options: ManyPushes): Promise<void> {
  initRepository(target, { defaultBranch: "main" });
  const head = gitText(["-C", source, "rev-parse", "HEAD"]);
  const line = gitText(["-C", source, "rev-list", "--first-parent", "--reverse", head]).split("\n");
  const start = options.last === undefined ? 0 : Math.max(0, line.length - options.last);
  const steps = Array.from(
    { length: options.pushes },
    (_, step) => line[Math.floor(start + ((line.length - start) * (step + 1)) / options.pushes) - 1]!,
  );
  if (start > 0) steps.unshift(line[start - 1]!);
  let before: string | undefined;
  for (const tip of new Set(steps)) {
    const thin = options.thin && before !== undefined ? ["--thin"] : [];
    const pack = git(["-C", source, "pack-objects", "-q", "--revs", "--stdout", "--delta-base-offset", ...thin], {
      input: `${tip}\n${before === undefined ? "" : `^${before}\n`}`,
    }).stdout;
    const connectedTo = before === undefined ? [] : [before];
    admit(await ingestPack({ repoDir: target, pack: pieces(pack, 65536), newTips: [tip], connectedTo, strict: false }));
    before = tip;
    git(["-C", target, "update-ref", "refs/heads/main", tip]);
  }
}

/** The packs of a repository: how many, and their bytes. */
export function packsOf(repo: string): { packs: number; bytes: number } {
  const folder = join(repo, "objects", "pack");
  const packs = readdirSync(folder).filter((name) => name.endsWith(".pack"));
  return { packs: packs.length, bytes: packs.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0) };
}

if (import.meta.main) {
  const [source, target, count] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  if (!source || !target) throw new Error("usage: many-pushes.ts SOURCE.git TARGET.git [PUSHES] [--whole] [--after=N]");
  const last = process.argv.find((word) => word.startsWith("--after="))?.slice("--after=".length);
  rmSync(target, { recursive: true, force: true });
  await manyPushes(source, target, {
    pushes: Number(count ?? 500),
    thin: !process.argv.includes("--whole"),
    ...(last === undefined ? {} : { last: Number(last) }),
  });
  console.log(packsOf(target));
}
