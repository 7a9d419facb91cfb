import { join } from "node:path";
import { checkDatabase } from "../src/admin/doctor/database.ts";
import { checkFolder } from "../src/admin/doctor/folder.ts";
import type { Problem } from "../src/admin/doctor/problem.ts";
import { SCHEMA_VERSION } from "../src/db/migrate.ts";
import { Inflater } from "../src/git/objects/inflate.ts";
import { describeFinding } from "../src/integrity/words.ts";
import { folderName } from "../src/repos/folders/types.ts";
import { lockFolder } from "../src/server.ts";
import type { Services } from "../src/services.ts";
import { configOf, flagOption } from "./arguments.ts";
import { requireDataFolder, withServices } from "./data.ts";
import type { Command } from "./dispatch.ts";

/** `hearth doctor`: whether database and disk agree. Reads only, next to a running server, unless asked to mend. */
export const doctorCommand: Command = {
  name: "doctor",
  doc: "Check that the data folder, the database and the repositories are sound",
  options: [
    { flags: "--fix", doc: "Mend what can be mended; the server must not be running" },
    { flags: "--deep", doc: "Read every stored byte of the repositories and compare it with its checksums" },
  ],
  run: async (options) => {
    const { config } = configOf(options);
    requireDataFolder(config);
    const fix = flagOption(options, "fix") ?? false;
    const lock = fix ? lockFolder(config.data) : undefined;
    try {
      const report = new Report();
      report.add("data folder", checkFolder(config.data, fix), config.data);
      const database = checkDatabase(join(config.data, "hearth.db"));
      report.add("database", database.problems, `schema ${database.schema}, integrity and references are right`);
      // Repositories cannot be looked up in a database that this version cannot read, and doctor migrates none.
      if (database.schema === SCHEMA_VERSION)
        await withServices(options, async (services) => {
          await checkWorkers(services, report);
          checkRepositories(services, fix, report);
          if (flagOption(options, "deep")) await checkStored(services, report);
          await checkBlobs(services, fix, report);
          await askAnother(services, report);
        });
      report.end();
    } finally {
      lock?.release();
    }
  },
};

async function checkWorkers({ pool }: Services, report: Report): Promise<void> {
  try {
    await pool.run("workers.echo", { text: "doctor" });
    report.add("workers", [], "threads start");
    const inflater = new Inflater();
    inflater.close();
    if (!inflater.isNative)
      report.add("zlib", [{ message: "the runtime's is not as expected; a slower one is used", canFix: false }]);
  } catch (error) {
    report.add("workers", [
      { message: `threads do not start: ${error instanceof Error ? error.message : error}`, canFix: false },
    ]);
  }
}

function checkRepositories({ folders, inspector, refs }: Services, fix: boolean, report: Report): void {
  let found = inspector.inspect();
  if (fix && found.problems.some(({ cure }) => cure !== undefined)) {
    folders.sweep();
    // Takes in what real git changed in a folder; only then may the folder be overwritten.
    refs.reconcile();
    for (const { cure, folderId } of inspector.inspect().problems)
      if (cure === "project") refs.project(folderId, { breakLocks: true });
    refs.settle();
    const before = found.problems.length;
    found = inspector.inspect();
    console.log(`mended  ${before - found.problems.length} of ${before} problems of repositories`);
  }
  report.add(
    "repositories",
    found.problems.map(({ subject, message, cure }) => ({
      message: `${subject}: ${message}`,
      canFix: cure !== undefined,
    })),
    `${found.repositories} repositories, ${found.refs} refs`,
  );
}

/** Every object of every repository, as a scrub reads them, at full speed. */
async function checkStored({ folders, identity, integrity, repos }: Services, report: Report): Promise<void> {
  const problems: Problem[] = [];
  let [repositories, objects, bytes] = [0, 0, 0];
  for (const { id, repoId, kind } of folders.all()) {
    const repo = repos.byId(repoId);
    const owner = repo && identity.byId(repo.ownerId);
    const examined = await integrity.examineFolder(id);
    // It may have been removed while it was read.
    if (!owner || !examined) continue;
    if (kind === "code") repositories++;
    objects += examined.items;
    bytes += examined.bytes;
    for (const finding of examined.findings)
      problems.push({
        message: `${folderName(owner.login, repo.name, kind)}: ${describeFinding(finding)}`,
        canFix: false,
      });
  }
  report.add(
    "stored objects",
    problems,
    `${objects} objects, ${bytes} bytes in ${repositories} repositories, all as their ids say`,
  );
}

async function checkBlobs({ blobInspector }: Services, fix: boolean, report: Report): Promise<void> {
  let found = await blobInspector.inspect();
  if (fix && found.problems.some(({ canRepair }) => canRepair)) {
    blobInspector.repair();
    const before = found.problems.length;
    found = await blobInspector.inspect();
    console.log(`mended  ${before - found.problems.length} of ${before} problems of uploaded files`);
  }
  report.add(
    "uploaded files",
    found.problems.map(({ subject, message, canRepair }) => ({ message: `${subject}: ${message}`, canFix: canRepair })),
    `${found.files} files, ${found.bytes} bytes, all as they came in`,
  );
}

async function askAnother({ inspector }: Services, report: Report): Promise<void> {
  const { repositories, problems } = await inspector.askAnother();
  report.add(
    "second reader",
    problems.map(({ subject, message }) => ({ message: `${subject}: ${message}`, canFix: false })),
    `isomorphic-git reads the same branches and tags in ${repositories} repositories`,
  );
}

/** Prints a line for each check or problem, and a last one that sums up. */
class Report {
  private checks = 0;
  private readonly problems: Problem[] = [];

  add(check: string, problems: readonly Problem[], whenSound = ""): void {
    this.checks++;
    this.problems.push(...problems);
    if (problems.length === 0) console.log(`ok      ${check}: ${whenSound}`);
    for (const { message, canFix } of problems)
      console.log(`${(canFix ? "mend" : "wrong").padEnd(8)}${check}: ${message}`);
  }

  end(): void {
    const count = this.problems.length;
    const mendable = this.problems.filter(({ canFix }) => canFix).length;
    if (count === 0) console.log(`All ${this.checks} checks are sound.`);
    else {
      console.log(
        `${count} ${count === 1 ? "problem" : "problems"} found${mendable > 0 ? `, ${mendable} of them can be mended with --fix` : ""}.`,
      );
      process.exitCode = 1;
    }
  }
}
