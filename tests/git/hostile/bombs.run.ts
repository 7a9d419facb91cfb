import { join } from "node:path";
import { GitError } from "../../../src/git/errors.ts";
import { initRepository } from "../../../src/git/odb/write.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { discard } from "../../../src/git/receive/quarantine.ts";
import { tempDir } from "../objects/real-git.ts";
import { pieces } from "../receive/packs.ts";
import { bombs } from "./bombs.ts";

/** Receives every bomb in a process of its own and prints what each cost, one JSON line a bomb. */
for (const { story, pack } of bombs) {
  using dir = tempDir();
  const repoDir = join(dir.path, "r.git");
  initRepository(repoDir, { defaultBranch: "main" });
  const bytes = pack();
  Bun.gc(true);
  const cpu = process.cpuUsage();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  let end = "taken";
  try {
    const options = { newTips: [], connectedTo: [], strict: true };
    discard(await ingestPack({ repoDir, pack: pieces(bytes, 65536), ...options }));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    end = error.message;
  }
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpu);
  const rssMiB = Math.round(Math.max(most, process.memoryUsage.rss()) / 2 ** 20);
  console.log(JSON.stringify({ story, bytes: bytes.length, cpuMs: Math.round((user + system) / 1000), rssMiB, end }));
}
