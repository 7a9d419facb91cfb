import { join } from "node:path";
import { checkDatabase } from "../src/admin/doctor/database.ts";
import { checkFolder } from "../src/admin/doctor/folder.ts";
import { lockFolder } from "../src/db/folder-lock.ts";
import { SCHEMA_VERSION } from "../src/db/migrate.ts";
import { Inflater } from "../src/git/objects/inflate.ts";
import { folderName } from "../src/repos/folders/types.ts";
import type { Services } from "../src/services.ts";
import { configOf, flagOption } from "./arguments.ts";
import { requireDataFolder, withServices } from "./data.ts";
import type { Command } from "./dispatch.ts";
import { DoctorReport } from "./doctor-report.ts";
import { checkSsh } from "./doctor-ssh.ts";
import { findingText } from "./finding.ts";
import { say } from "./language.ts";

/**
 * `hearth doctor`: checks that database and disk agree. Only reads, even next to a running server, unless asked to
 * repair.
 */
export const doctorCommand: Command = {
  name: "doctor",
  doc: "help-doctor",
  options: [
    { flags: "--fix", doc: "help-doctor-fix" },
    { flags: "--deep", doc: "help-doctor-deep" },
  ],
  run: async (options) => {
    const { config } = configOf(options);
    requireDataFolder(config);
    const fix = flagOption(options, "fix") ?? false;
    const lock = fix ? lockFolder(config.data) : undefined;
    try {
      const report = new DoctorReport();
      report.add("checkFolder", checkFolder(config.data, fix), config.data);
      const database = checkDatabase(join(config.data, "hearth.db"));
      report.add("checkDatabase", database.problems, say("soundDatabase", { schema: String(database.schema) }));
      // Repositories cannot be looked up in a database this version cannot read, and doctor never migrates.
      if (database.schema === SCHEMA_VERSION)
        await withServices(options, async (services) => {
          await checkWorkers(services, report);
          checkHostKeys(services, report);
          checkSecrets(services, report);
          await checkSsh(config, report);
          checkAccounts(services, fix, report);
          checkRepositories(services, fix, report);
          if (flagOption(options, "deep")) await checkStored(services, report);
          await checkBlobs(services, fix, report);
          checkPackages(services, report);
          checkLargeFiles(services, report);
          await askAnother(services, report);
        });
      report.end();
    } finally {
      lock?.release();
    }
  },
};

async function checkWorkers({ pool }: Services, report: DoctorReport): Promise<void> {
  try {
    await pool.run("workers.echo", { text: "" });
    report.add("checkWorkers", [], say("soundWorkers"));
    const inflater = new Inflater();
    inflater.close();
    if (!inflater.isNative) report.fault("checkZlib", say("slowZlib"));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    report.fault("checkWorkers", say("threadsDoNotStart", { detail }));
  }
}

/** Without its host keys, a server looks like a different one to every client that knew it. */
function checkHostKeys({ ssh }: Services, report: DoctorReport): void {
  try {
    report.add("checkHostKeys", [], say("soundHostKeys", { count: ssh.hostKeys.stored().length }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    report.fault("checkHostKeys", say("hostKeysUnreadable", { detail }));
  }
}

function checkSecrets({ secretInspector }: Services, report: DoctorReport): void {
  const { sealed, unreadable } = secretInspector.inspect();
  for (const [column, count] of unreadable) report.fault("checkSecrets", say("secretsUnreadable", { column, count }));
  if (unreadable.size === 0) report.add("checkSecrets", [], say("soundSecrets", { count: sealed }));
}

function checkAccounts({ accountInspector }: Services, fix: boolean, report: DoctorReport): void {
  let problems = accountInspector.inspect();
  if (fix && problems.some(({ canFix }) => canFix)) {
    const before = problems.length;
    accountInspector.repair();
    problems = accountInspector.inspect();
    report.fixed(say("fixedAccounts", { fixed: before - problems.length, found: before }));
  }
  report.add("checkAccounts", problems, say("soundAccounts"));
}

function checkRepositories({ folders, inspector, refs }: Services, fix: boolean, report: DoctorReport): void {
  let found = inspector.inspect();
  if (fix && found.problems.some(({ repair }) => repair !== undefined)) {
    folders.sweep();
    // Import changes that real git made in a repository directory before it may be overwritten.
    refs.reconcile();
    for (const { repair, folderId } of inspector.inspect().problems)
      if (repair === "project") refs.project(folderId, { breakLocks: true });
    refs.settle();
    const before = found.problems.length;
    found = inspector.inspect();
    report.fixed(say("fixedRepositories", { fixed: before - found.problems.length, found: before }));
  }
  report.add(
    "checkRepositories",
    found.problems.map(({ repair, ...problem }) => ({ ...problem, canFix: repair !== undefined })),
    say("soundRepositories", { repositories: found.repositories, refs: found.refs }),
  );
}

/** Reads every object of every repository, like a scrub, but at full speed. */
async function checkStored({ folders, identity, integrity, repos }: Services, report: DoctorReport): Promise<void> {
  let [repositories, objects, bytes] = [0, 0, 0];
  const faults: string[] = [];
  for (const { id, repoId, kind } of folders.all()) {
    const repo = repos.byId(repoId);
    const owner = repo && identity.byId(repo.ownerId);
    const examined = await integrity.examineFolder(id);
    // It may have been deleted while it was being read.
    if (!owner || !examined) continue;
    if (kind === "code") repositories++;
    objects += examined.items;
    bytes += examined.bytes;
    for (const finding of examined.findings)
      faults.push(`${folderName(owner.login, repo.name, kind)}: ${findingText(finding)}`);
  }
  for (const fault of faults) report.fault("checkStored", fault);
  if (faults.length === 0) report.add("checkStored", [], say("soundStored", { objects, bytes, repositories }));
}

async function checkBlobs({ blobInspector }: Services, fix: boolean, report: DoctorReport): Promise<void> {
  let found = await blobInspector.inspect();
  if (fix && found.problems.some(({ canRepair }) => canRepair)) {
    blobInspector.repair();
    const before = found.problems.length;
    found = await blobInspector.inspect();
    report.fixed(say("fixedUploads", { fixed: before - found.problems.length, found: before }));
  }
  report.add(
    "checkUploads",
    found.problems.map(({ canRepair, ...problem }) => ({ ...problem, canFix: canRepair })),
    say("soundUploads", { files: found.files, bytes: found.bytes }),
  );
}

function checkPackages({ packageInspector }: Services, report: DoctorReport): void {
  const { contents, problems } = packageInspector.inspect();
  report.add("checkPackages", problems, say("soundPackages", { count: contents }));
}

function checkLargeFiles({ lfsInspector }: Services, report: DoctorReport): void {
  const { objects, problems } = lfsInspector.inspect();
  report.add("checkLargeFiles", problems, say("soundLargeFiles", { count: objects }));
}

async function askAnother({ inspector }: Services, report: DoctorReport): Promise<void> {
  const { repositories, problems } = await inspector.askAnother();
  report.add(
    "checkSecondReader",
    problems.map((problem) => ({ ...problem, canFix: false })),
    say("soundSecondReader", { repositories }),
  );
}
