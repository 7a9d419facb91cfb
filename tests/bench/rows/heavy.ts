import { createCipheriv } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../git/hosts/real-git.ts";
import { startLoad } from "../load.ts";
import { MIB } from "../metric.ts";
import { sizeOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const BIG_BYTES = 1024 * MIB;
const CHUNK_BYTES = 4 * MIB;

export const bigRows: RowGroup = {
  name: "big",
  doc: "a push of 1 GiB that does not compress",
  run: async (world, report) => {
    const dir = join(world.folder, "big");
    await makeBigCommit(dir);
    await world.restartHearth();
    await world.settle();
    const idle = world.idleMiB();
    const push = (url: string) => runGit(["-C", dir, "push", "-q", url, "main"]).then(() => undefined);
    const hearth = await world.costOfHearth(() => push(world.hearth.repo("big").url));
    const git = await world.costOfGit(() => push(world.git.repo("big").url));
    report(metric("push of 1 GiB: wall", "s", hearth.wallMs / 1000, git.wallMs / 1000));
    report(metric("push of 1 GiB: server CPU", "s", hearth.cpuMs / 1000, git.cpuMs / 1000));
    report(metric("push of 1 GiB: memory above idle", "MiB", hearth.peakMiB - idle, git.peakMiB));
  },
};

/** A commit of one file of key stream, which no compressor shortens; the same bytes every time. */
async function makeBigCommit(dir: string): Promise<void> {
  await runGit(["init", "-q", "-b", "main", dir]);
  for (const [key, value] of [
    ["core.compression", "0"],
    ["core.bigFileThreshold", "1m"],
    ["gc.auto", "0"],
  ] as const)
    await runGit(["-C", dir, "config", key, value]);
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, 1), Buffer.alloc(16));
  const zeros = Buffer.alloc(CHUNK_BYTES);
  const file = createWriteStream(join(dir, "big.bin"));
  for (let written = 0; written < BIG_BYTES; written += CHUNK_BYTES)
    if (!file.write(cipher.update(zeros))) await new Promise((drained) => file.once("drain", drained));
  await new Promise((closed) => file.end(closed));
  await runGit(["-C", dir, "add", "big.bin"]);
  await runGit(["-C", dir, "commit", "-q", "-m", "one big file"]);
}

export const latencyRows: RowGroup = {
  name: "latency",
  doc: "p99 of GET repository while a large history is pushed, against idle",
  run: async (world, report) => {
    const history = world.largest;
    await world.pushed(history);
    const url = `${world.hearth.origin}api/v1/repos/${world.hearth.login}/${history.name}`;
    const load = (seconds: number) => startLoad({ url, connections: 2, seconds, pauseMs: 5 }).result;
    await world.settle();
    const idle = await load(3);
    if (idle.status !== 200) throw new Error(`GET repository answers ${idle.status}`);
    const seconds = Math.max(2, ((await world.pushed(history)).hearth.wallMs / 1000) * 0.9);
    const target = world.hearth.repo(`${history.name}-again`).url;
    const [busy] = await Promise.all([load(seconds), runGit(["-C", history.dir, "push", "-q", "--mirror", target])]);
    report(metric("p99 of GET repository, idle", "ms", idle.p99Ms));
    report(metric("p99 of GET repository during a push", "ms", busy.p99Ms));
    report(metric("p99 of GET repository during a push, against idle", "x", busy.p99Ms / idle.p99Ms));
  },
};

export const diskRows: RowGroup = {
  name: "disk",
  doc: "size of the data folder after all of that",
  run: async (world, report) => {
    for (const history of world.histories) await world.pushed(history);
    report(metric("data folder", "MiB", sizeOf(world.hearth.dataDir) / MIB, sizeOf(join(world.folder, "git")) / MIB));
  },
};
