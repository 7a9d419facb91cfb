import { createReadStream } from "node:fs";
import { objectFormatOf } from "../../../src/git/objects/folder-format.ts";
import { initRepository } from "../../../src/git/objects/write.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { gitText } from "../objects/real-git.ts";

/**
 * Takes a pack into a fresh repository as a push brings it, in this process alone, so that its cost can be measured:
 *
 *     bun tests/git/receive/run-ingest.ts HISTORY PACK REPOSITORY
 *
 * HISTORY is the repository that the pack was made of, whole; REPOSITORY is made.
 */
const [history = "", pack = "", repoDir = ""] = process.argv.slice(2);
const tips = gitText(["-C", history, "for-each-ref", "--format=%(objectname)"]).split("\n");
initRepository(repoDir, { defaultBranch: "main", format: objectFormatOf(history) });
const start = performance.now();
const cpu = process.cpuUsage();
const received = await ingestPack({
  repoDir,
  pack: createReadStream(pack, { highWaterMark: 256 * 1024 }),
  newTips: [...new Set(tips)],
  connectedTo: [],
  strict: true,
});
admit(received);
const { user, system } = process.cpuUsage(cpu);
const wall = ((performance.now() - start) / 1000).toFixed(2);
const memory = (process.memoryUsage.rss() / 2 ** 20).toFixed(0);
console.log(`${received.objects} objects: wall ${wall} s, CPU ${((user + system) / 1e6).toFixed(2)} s, ${memory} MiB`);
