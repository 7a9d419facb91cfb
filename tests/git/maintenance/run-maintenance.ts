import { RepositoryFolder } from "../../../src/git/folder.ts";
import { run } from "../../../src/git/maintenance/maintenance.job.ts";

/** Maintenance of a folder repository as the server's worker does it: `bun tests/git/maintenance/run-maintenance.ts geometric|all REPO`. */
const [extent, repoDir] = process.argv.slice(2);
if ((extent !== "geometric" && extent !== "all") || !repoDir)
  throw new Error("usage: run-maintenance.ts geometric|all REPO");
const repository = RepositoryFolder.open(repoDir);
const roots = repository.refs.list().map((ref) => ref.oid);
repository.close();
const began = performance.now();
const done = await run(
  {
    repoDir,
    extent,
    roots,
    laterRoots: [],
    retainedRoots: [],
    pruneBefore: Math.floor(Date.now() / 1000) - 14 * 86_400,
  },
  {
    signal: new AbortController().signal,
    crash: () => {},
    tell: (note) => console.log(note),
  },
);
const { replacedPacks = [], replacedLoose = [], ...rest } = done ?? {};
console.log({ ...rest, replacedPacks: replacedPacks.length, replacedLoose: replacedLoose.length });
console.log(`${Math.round(performance.now() - began)} ms`);
