import { afterAll, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount, operator } from "../../src/access/principal.ts";
import { Database } from "../../src/db/database.ts";
import { as, aThing, lfsOf } from "../api/lfs/client.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { git } from "../git/objects/real-git.ts";
import { hearth } from "./run.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

function aFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "hearth-backup-"));
  made.push(path);
  return path;
}

/** A server with a repository, an empty one, and a large file in git LFS. */
async function aBusyServer() {
  const server = await aServer();
  const ada = await aUser(server, { login: "ada" });
  const repo = aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a", "b/c.txt": "c" } });
  aRepo(server, ada.user, { name: "empty" });
  const thing = aThing("a large file");
  await lfsOf(server, "ada/engine").put(thing, thing.bytes, as(ada));
  await server.services.refs.projected();
  return { server, ada, repo };
}

const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("hearth-"));

async function aBackup(server: TestServer, folder = aFolder()): Promise<string> {
  const { code, err } = await hearth(server.dataDir, ["backup", "create", "--to", folder]);
  expect([code, err]).toEqual([0, ""]);
  return join(folder, backupsIn(folder).sort().at(-1) ?? "");
}

async function expectSound(dataDir: string): Promise<void> {
  const { code, out } = await hearth(dataDir, ["doctor", "--deep"]);
  expect([code, out]).toEqual([0, expect.stringContaining("All 12 checks passed.")]);
  for (const shelf of readdirSync(join(dataDir, "repositories")))
    for (const name of readdirSync(join(dataDir, "repositories", shelf)))
      git(["fsck", "--strict", "--full"], { cwd: join(dataDir, "repositories", shelf, name) });
}

test("a backup beside a running server is restored whole, from a folder and from a file", async () => {
  const { server } = await aBusyServer();
  await using _ = server;
  const backup = await aBackup(server);
  expect(statSync(backup).mode & 0o777).toBe(0o700);
  const folder = aFolder();
  const file = join(folder, "hearth.tar");
  expect((await hearth(server.dataDir, ["backup", "create", "--file", file])).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(join(server.dataDir, "cache.backup"))).toBe(false);
  expect(Bun.spawnSync(["tar", "tf", file]).exitCode).toBe(0);
  for (const [at, source] of [backup, file].entries()) {
    expect((await hearth(server.dataDir, ["backup", "verify", source])).err).toBe("");
    const restored = join(folder, `new-${at}`);
    const { code, err } = await hearth(restored, ["backup", "restore", source]);
    expect([code, err]).toEqual([0, ""]);
    await expectSound(restored);
    expect(
      git(["log", "--format=%an", "main"], { cwd: join(restored, "repositories/01/1.git") }).stdout.toString(),
    ).toContain("ada");
    // Again into the same folder: what is there is not written over.
    expect((await hearth(restored, ["backup", "restore", source])).err).toContain("is not empty");
  }
});

test("what did not change is linked to the backup before, and the oldest ones go", async () => {
  const { server, ada } = await aBusyServer();
  await using _ = server;
  const folder = aFolder();
  const first = await aBackup(server, folder);
  const packed = readFileSync(join(first, "manifest"), "utf8").match(/\S+\/objects\/[0-9a-f]{2}\/\S+/)?.[0] ?? "";
  await call(server, "POST", "/api/v1/repos/ada/engine/issues", { token: ada.token, body: { title: "later" } });
  const second = await aBackup(server, folder);
  expect(statSync(join(second, packed)).ino).toBe(statSync(join(first, packed)).ino);
  expect(statSync(join(second, "hearth.db")).ino).not.toBe(statSync(join(first, "hearth.db")).ino);
  const { code } = await hearth(server.dataDir, ["backup", "create", "--to", folder, "--keep", "1"]);
  expect([code, backupsIn(folder).length]).toEqual([0, 1]);
  const { out } = await hearth(server.dataDir, ["backup", "list", "--from", folder]);
  expect(out.trim().split("\n").length).toBe(2);
});

test("backups begun while others write hold all that was acknowledged before", async () => {
  const { server, ada, repo } = await aBusyServer();
  await using _ = server;
  const folder = aFolder();
  const done: { titles: string[]; tip: string } = { titles: [], tip: "" };
  let isOver = false;
  const write = async () => {
    for (let at = 0; !isOver; at++) {
      const issue = { token: ada.token, body: { title: `issue ${at}` } };
      if ((await call(server, "POST", "/api/v1/repos/ada/engine/issues", issue)).status === 201)
        done.titles.push(issue.body.title);
      const body = { content: Buffer.from(`${at}`).toString("base64"), message: "m", branch: "main" };
      const made = await call(server, "POST", `/api/v1/repos/ada/engine/contents/f${at}`, { token: ada.token, body });
      if (made.status === 201)
        done.tip = server.services.refs.list(repo.id).find(({ name }) => name.endsWith("main"))!.oid;
      if (at % 5 === 4) server.services.background.runSchedule(operator, "git_gc_repos");
    }
  };
  const writing = write();
  for (let round = 0; round < 4; round++) {
    const before = { titles: [...done.titles], tip: done.tip };
    const backup = await aBackup(server, folder);
    const restored = join(folder, `restored-${round}`);
    expect((await hearth(restored, ["backup", "restore", backup])).err).toBe("");
    await expectSound(restored);
    const db = new Database(join(restored, "hearth.db"), { readonly: true });
    const titles = new Set(
      db
        .query<{ title: string }>("SELECT title FROM issues")
        .all()
        .map(({ title }) => title),
    );
    db.close();
    expect(before.titles.filter((title) => !titles.has(title))).toEqual([]);
    if (before.tip !== "")
      git(["merge-base", "--is-ancestor", before.tip, "main"], { cwd: join(restored, "repositories/01/1.git") });
  }
  isOver = true;
  await writing;
  expect(server.errors).toEqual([]);
});

test("a damaged, shortened, shuffled or newer backup is refused with its reason, and nothing starts from it", async () => {
  const { server } = await aBusyServer();
  await using _ = server;
  const sound = await aBackup(server);
  const paths = [...readFileSync(join(sound, "manifest"), "utf8").matchAll(/ [-x] (\S+)\n/g)].map(
    ([, path]) => path ?? "",
  );
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    rmSync(path);
    writeFileSync(path, bytes);
  };
  const loose = paths.filter((path) => /objects\/[0-9a-f]{2}\//.test(path));
  const damages: [string, (dir: string) => void][] = [
    ...paths.map((path): [string, (dir: string) => void] => [`flipped ${path}`, (dir) => flip(join(dir, path))]),
    ...paths.map((path): [string, (dir: string) => void] => [`removed ${path}`, (dir) => rmSync(join(dir, path))]),
    ["manifest flipped", (dir) => flip(join(dir, "manifest"))],
    ["manifest removed", (dir) => rmSync(join(dir, "manifest"))],
    ["manifest cut", (dir) => truncateSync(join(dir, "manifest"), 300)],
    ["manifest longer", (dir) => appendFileSync(join(dir, "manifest"), "x")],
    [
      "manifest shuffled",
      (dir) => {
        const lines = readFileSync(join(dir, "manifest"), "utf8").split("\n");
        [lines[2], lines[3]] = [lines[3] ?? "", lines[2] ?? ""];
        writeFileSync(join(dir, "manifest"), lines.join("\n"));
      },
    ],
    ["a file more", (dir) => writeFileSync(join(dir, "repositories", "more"), "")],
    [
      "two files swapped",
      (dir) => {
        renameSync(join(dir, loose[0] ?? ""), join(dir, "aside"));
        renameSync(join(dir, loose[1] ?? ""), join(dir, loose[0] ?? ""));
        renameSync(join(dir, "aside"), join(dir, loose[1] ?? ""));
      },
    ],
  ];
  const { verifyBackup } = await import("../../src/backup/verify.ts");
  const { restoreBackup } = await import("../../src/backup/restore.ts");
  for (const [what, damage] of damages) {
    const copy = join(aFolder(), "copy");
    cpSync(sound, copy, { recursive: true });
    damage(copy);
    const verdict = await verifyBackup(copy).then(
      () => "sound",
      (error: Error) => error.name,
    );
    expect(`${what}: ${verdict}`).toBe(`${what}: BackupError`);
    const target = join(copy, "..", "new");
    expect(() => restoreBackup(copy, target), what).toThrow("backup ");
    expect(existsSync(join(target, "hearth.db")), what).toBe(false);
  }
  const file = join(aFolder(), "b.tar");
  expect((await hearth(server.dataDir, ["backup", "create", "--file", file])).code).toBe(0);
  const { size } = statSync(file);
  for (const at of [0, 511, 512, 1024, size >> 1, size - 1500, size - 1]) {
    const cut = join(aFolder(), "cut.tar");
    cpSync(file, cut);
    truncateSync(cut, at);
    const { code, err } = await hearth(server.dataDir, ["backup", "verify", cut]);
    expect([at, code, err]).toEqual([at, 1, expect.stringMatching(/damaged|is no backup/)]);
  }
  const newer = join(aFolder(), "newer");
  cpSync(sound, newer, { recursive: true });
  const db = new Database(join(newer, "hearth.db"));
  db.execute("PRAGMA user_version = 9999");
  db.execute("PRAGMA journal_mode = DELETE");
  db.close();
  const digest = new Bun.CryptoHasher("sha256").update(readFileSync(join(newer, "hearth.db"))).digest("hex");
  const lines = readFileSync(join(newer, "manifest"), "utf8").replace(
    /[0-9a-f]{64}( \d+ - hearth\.db\n)/,
    `${digest}$1`,
  );
  const whole = lines.slice(0, lines.lastIndexOf(" ") + 1);
  writeFileSync(join(newer, "manifest"), `${whole}${new Bun.CryptoHasher("sha256").update(whole).digest("hex")}\n`);
  const { code, err } = await hearth(join(aFolder(), "new"), ["backup", "restore", newer]);
  expect([code, err]).toEqual([1, expect.stringContaining("newer Hearth")]);
});

test("a backup or a restore that is killed leaves nothing that passes for one, and the next one works", async () => {
  const { server } = await aBusyServer();
  await using _ = server;
  const folder = aFolder();
  for (const point of ["backup.snapshot", "backup.made"]) {
    const killed = await hearth(server.dataDir, ["backup", "create", "--to", folder], "", { HEARTH_CRASH_AT: point });
    expect([point, killed.code, backupsIn(folder)]).toEqual([point, 137, []]);
  }
  // Once it has its name it is whole.
  const named = await hearth(server.dataDir, ["backup", "create", "--to", folder], "", {
    HEARTH_CRASH_AT: "backup.named",
  });
  expect([named.code, backupsIn(folder).length]).toEqual([137, 1]);
  expect((await hearth(server.dataDir, ["backup", "verify", join(folder, backupsIn(folder)[0] ?? "")])).err).toBe("");
  const backup = await aBackup(server, folder);
  expect(readdirSync(folder).filter((name) => name.startsWith(".making"))).toEqual([]);
  const target = join(aFolder(), "new");
  for (const point of ["restore.file@3", "restore.written"]) {
    const killed = await hearth(target, ["backup", "restore", backup], "", { HEARTH_CRASH_AT: point });
    expect([point, killed.code, existsSync(join(target, "hearth.db"))]).toEqual([point, 137, false]);
  }
  expect((await hearth(target, ["backup", "restore", backup])).err).toBe("");
  await expectSound(target);
});

test("a backup is made by its schedule, and an administrator hears when none is", async () => {
  const folder = aFolder();
  const server = await aServer({ "backup.folder": folder, "backup.keep": 2 });
  await using _ = server;
  const ada: TestUser = await aUser(server, { login: "ada", isAdmin: true });
  const overdue = () =>
    server.services.selfCheck.run(asAccount(ada.user), "here").some(({ code }) => code === "backup-old");
  expect(overdue()).toBe(true);
  server.services.background.runSchedule(operator, "backup");
  await server.core.jobs.drain();
  expect(backupsIn(folder).length).toBe(1);
  expect(overdue()).toBe(false);
  expect(server.errors).toEqual([]);
});

test("no backup goes into the data folder, also by another name of it, and one without the key says so", async () => {
  const { server } = await aBusyServer();
  await using _ = server;
  const folder = aFolder();
  Bun.spawnSync(["ln", "-s", server.dataDir, join(folder, "other")]);
  for (const to of [server.dataDir, join(server.dataDir, "deep/er"), join(folder, "other", "x")]) {
    const { code, err } = await hearth(server.dataDir, ["backup", "create", "--to", to]);
    expect([code, err]).toEqual([1, expect.stringContaining("lies in the data folder")]);
  }
  const to = join(folder, "b");
  expect((await hearth(server.dataDir, ["backup", "create", "--to", to, "--without-key"])).code).toBe(0);
  const backup = join(to, backupsIn(to)[0] ?? "");
  expect(existsSync(join(backup, "secret.key"))).toBe(false);
  const target = join(folder, "new");
  const restored = await hearth(target, ["backup", "restore", backup]);
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining("has no key")]);
  linkSync(join(server.dataDir, "secret.key"), join(target, "secret.key"));
  expect((await hearth(target, ["doctor", "--fix"])).code).toBe(0);
  await expectSound(target);
});
