import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { lockFolder } from "../../src/db/folder-lock.ts";
import { migrate, schemaVersion } from "../../src/db/migrate.ts";
import { migrations } from "../../src/db/migrations/index.ts";
import { SHA1 } from "../../src/git/objects/format.ts";
import { sweepQuarantines } from "../../src/git/receive/quarantine.ts";
import { replaceThroughLock, takeLock } from "../../src/git/refs/files.ts";
import { receivePack } from "../../src/git/transport/receive/receive-pack.ts";
import { errorAnswer } from "../../src/http/errors.ts";
import type { Surface } from "../../src/http/route.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import { WritesStopped } from "../../src/kernel/errors.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { errorMessages } from "../../src/messages.ts";
import { findRepoById } from "../../src/repos/store.ts";
import { JobFailed, WorkerPool } from "../../src/workers/pool.ts";

/** What the crash and disk tests found, each alone. */

const folders: string[] = [];
const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-mending-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const quiet = makeLog({ level: "error", format: "text", write: () => {} });

/** An error as the system gives it. */
const systemError = (code: string, syscall = "write") => Object.assign(new Error(code), { code, syscall });

describe("the database", () => {
  test("what fails after a commit does not make the commit a failure, nor keep others from running", () => {
    const errors: unknown[] = [];
    const db = new Database(join(aFolder(), "a.db"), { onError: (_, error) => errors.push(error) });
    db.execute("CREATE TABLE t (n INTEGER)");
    let ran = false;
    db.transaction(() => {
      db.query("INSERT INTO t VALUES (1)").run();
      db.onCommit(() => {
        throw new Error("too late");
      });
      db.onCommit(() => {
        ran = true;
      });
    });
    expect([ran, errors.length, db.query("SELECT n FROM t").all().length]).toEqual([true, 1, 1]);
    db.close();
  });

  test("a flush that failed ends all writing, and reading goes on", () => {
    const db = new Database(join(aFolder(), "a.db"));
    db.execute("CREATE TABLE t (n INTEGER)");
    db.stopWrites(systemError("EIO", "fsync"));
    expect(() => db.transaction(() => {})).toThrow(WritesStopped);
    expect(() => db.query("INSERT INTO t VALUES (1)").run()).toThrow(/readonly/);
    expect(db.query("SELECT n FROM t").all()).toEqual([]);
    db.close();
  });
});

describe("an error of the disk", () => {
  const answer = async (error: unknown, surface: Surface) => {
    const response = await errorAnswer(error, {
      surface,
      request: new Request("http://x/"),
      requestId: "1",
      rootUrl: "http://x/",
      log: quiet,
      messages: errorMessages(),
      renderPage: ({ status, message }) => new Response(message, { status }),
    });
    return [response.status, await response.text()] as const;
  };

  test.each([
    ["ENOSPC of a file", systemError("ENOSPC")],
    ["EDQUOT of a file", systemError("EDQUOT")],
    ["SQLITE_FULL", systemError("SQLITE_FULL")],
    ["ENOSPC in a worker", new JobFailed("Error", "no room", { code: "ENOSPC", syscall: "write" }, undefined)],
  ])("%s is told as 507 on every surface", async (_, error) => {
    for (const surface of ["api", "git", "page"] as const) {
      const [status, text] = await answer(error, surface);
      expect([surface, status]).toEqual([surface, 507]);
      expect(text).toContain("the server's disk is full; nothing was changed");
    }
    expect(JSON.parse((await answer(error, "api"))[1])).toHaveProperty("url");
  });

  test("a read-only disk is 507, a failing one and too many open files 503, anything else 500", async () => {
    expect((await answer(systemError("EMFILE"), "api"))[0]).toBe(503);
    expect((await answer(systemError("ENFILE"), "page"))[0]).toBe(503);
    expect((await answer(systemError("EROFS"), "api"))[0]).toBe(507);
    expect((await answer(systemError("EIO", "fsync"), "api"))[0]).toBe(503);
    const [denied, words] = await answer(systemError("EACCES"), "api");
    expect([denied, words]).toEqual([503, expect.stringContaining("may not use a file of its own data folder")]);
    expect((await answer(systemError("EINVAL"), "api"))[0]).toBe(500);
  });

  test("a folder that cannot be locked for want of room is not said to be in use", () => {
    const folder = aFolder();
    mkdirSync(join(folder, "lock.db"));
    expect(() => lockFolder(folder)).toThrow(/unable to open/);
  });
});

test("a push that cannot be stored hears why in its report", async () => {
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 10 });
  const line = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/a\0 report-status`;
  const request = async function* () {
    yield Buffer.from(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000PACK and so on`);
  };
  const errors: unknown[] = [];
  const answer = await receivePack({
    format: SHA1,
    // Nothing can be written where nothing is.
    repoDir: join(aFolder(), "missing"),
    body: request(),
    connectedTo: () => "",
    pool,
    apply: async () => ({ results: [] }),
    onError: (error) => errors.push(error),
    wordsFor: () => "the server's disk is full",
  });
  const report = await new Response(answer).text();
  expect(report).toContain("unpack the server's disk is full\n");
  expect(report).toContain("ng refs/heads/a unpacker error\n");
  expect(errors).toHaveLength(1);
  pool.close();
});

describe("files", () => {
  test("a projection that cannot be written leaves the old one, and no lock that keeps the next from trying", () => {
    const path = join(aFolder(), "packed-refs");
    writeFileSync(path, "old\n");
    // What is renamed onto a folder that is not empty fails, as a write does on a full disk.
    const taken = join(aFolder(), "HEAD");
    mkdirSync(join(taken, "in the way"), { recursive: true });
    expect(() => replaceThroughLock(taken, takeLock(taken), "new\n")).toThrow();
    expect(existsSync(`${taken}.lock`)).toBe(false);
    replaceThroughLock(path, takeLock(path), "new\n");
    expect(readFileSync(path, "utf8")).toBe("new\n");
  });

  test("a start sweeps half-written closures and graphs, and closures of packs that never came", () => {
    const repo = aFolder();
    const [pack, info] = [join(repo, "objects/pack"), join(repo, "objects/info")];
    mkdirSync(join(info, "hearth"), { recursive: true });
    mkdirSync(pack, { recursive: true });
    const [kept, lost] = ["a".repeat(40), "b".repeat(40)];
    writeFileSync(join(pack, `pack-${kept}.pack`), "");
    writeFileSync(join(pack, `pack-${kept}.idx`), "");
    writeFileSync(join(pack, `pack-${lost}.pack`), "");
    for (const name of [`pack-${kept}.closure`, `pack-${lost}.closure`, `pack-${kept}.closure.1.tmp`])
      writeFileSync(join(info, "hearth", name), "");
    writeFileSync(join(info, "commit-graph.1.tmp"), "");
    expect(sweepQuarantines(repo)).toBe(4);
    expect(readdirSync(join(info, "hearth"))).toEqual([`pack-${kept}.closure`]);
    expect(readdirSync(info)).toEqual(["hearth"]);
  });
});

describe("the database", () => {
  test("of the first version is copied aside and brought to this one, its repositories to SHA-1", () => {
    const path = join(aFolder(), "a.db");
    const db = new Database(path);
    const aside = () => new Database(`${path}.before-${migrations.length}`, { readonly: true });
    db.transaction(() => {
      db.execute(migrations[0]!.sql);
      db.execute("PRAGMA user_version = 1");
    });
    db.execute(
      "INSERT INTO users (id, login, lower_login, email, created_at, updated_at) VALUES (1, 'a', 'a', 'a@x', 1, 1)",
    );
    db.execute("INSERT INTO repository_storage (id, state, changed_at) VALUES (1, 'live', 1)");
    db.execute(
      "INSERT INTO repositories (id, owner_id, name, lower_name, default_branch, created_at, updated_at) VALUES (1, 1, 'r', 'r', 'main', 1, 1)",
    );
    const dying = (point: string) => {
      if (point === "migrate.in-transaction") throw new Error("died");
    };
    expect(() => migrate(db, dying)).toThrow("died");
    expect(schemaVersion(db)).toBe(1);
    expect(migrate(db)).toBe(1);
    expect(schemaVersion(db)).toBe(migrations.length);
    expect(findRepoById(db, 1)?.objectFormat).toBe(SHA1);
    const copy = aside();
    expect(schemaVersion(copy)).toBe(1);
    copy.close();
    expect(() => db.execute("UPDATE git_folders SET object_format = 'md5'")).toThrow("CHECK");
    db.close();
  });
});

declare module "../../src/jobs/types.ts" {
  interface JobPayloads {
    k: Record<string, never>;
  }
}

describe("jobs", () => {
  const aQueue = () => {
    const db = new Database(join(aFolder(), "a.db"));
    migrate(db);
    return { db, jobs: new JobQueue(db, quiet, () => Date.now()) };
  };

  test("a job that a dead process left running does not stay when one of its key waits already", async () => {
    const { db, jobs } = aQueue();
    jobs.enqueue("k", {}, { uniqueKey: "k" });
    db.query("UPDATE jobs SET state = 'running'").run();
    jobs.enqueue("k", {}, { uniqueKey: "k", delayMs: 86_400_000 });
    jobs.start();
    const left = () => db.query<{ n: number }>("SELECT count(*) AS n FROM jobs").get()?.n;
    while (left() !== 1) await new Promise((resolve) => setImmediate(resolve));
    expect(db.query<{ state: string }>("SELECT state FROM jobs").all()).toEqual([{ state: "waiting" }]);
    db.close();
  });

  test("a job whose end could not be recorded runs again once that is possible", async () => {
    const { db, jobs } = aQueue();
    const second = Promise.withResolvers<void>();
    let runs = 0;
    jobs.handle("k", {
      parse: () => ({}),
      run: () => {
        // As on a full disk: from here on nothing can be written.
        if (++runs === 1) db.execute("PRAGMA query_only = ON");
        else second.resolve();
      },
    });
    jobs.enqueue("k", {});
    jobs.start();
    while (runs === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    db.execute("PRAGMA query_only = OFF");
    jobs.requeueInterrupted();
    await second.promise;
    await jobs.stop(1000);
    expect(runs).toBe(2);
    db.close();
  });
});
