import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { type Consumer, MAX_TRIES } from "../../src/events/delivery.ts";
import { Outbox } from "../../src/events/outbox.ts";
import type { DomainEvent, StoredPrincipal } from "../../src/events/types.ts";
import { makeLog } from "../../src/kernel/log.ts";

declare module "../../src/events/types.ts" {
  interface EventPayloads {
    "test.said": { text: string };
  }
}

const quiet = makeLog({ level: "error", format: "text", write: () => {} });
const DAY_MS = 86_400_000;

let dir: string;
let db: Database;
let now: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hearth-events-"));
  db = new Database(join(dir, "a.db"));
  migrate(db);
  db.execute("CREATE TABLE heard (consumer TEXT, text TEXT)");
  now = 1_000_000_000_000;
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Writes down what it hears, as consumers do; throws what `refuse` throws. */
function listener(name: string, refuse: (text: string) => void = () => {}): Consumer {
  return {
    name,
    handle: (event: DomainEvent) => {
      if (event.kind !== "test.said") return;
      db.query("INSERT INTO heard VALUES (?, ?)").run(name, event.payload.text);
      refuse(event.payload.text);
    },
  };
}

function anOutbox(...consumers: Consumer[]): Outbox {
  const outbox = new Outbox(db, quiet, () => now);
  for (const consumer of consumers) outbox.add(consumer);
  // What happened before they came: consumers that are new start behind it.
  say(outbox, "first of all");
  outbox.dispatch();
  db.query("DELETE FROM heard").run();
  return outbox;
}

function say(outbox: Outbox, text: string, repoId?: number): void {
  db.transaction(() => outbox.append("test.said", repoId === undefined ? {} : { repoId }, { text }));
}

const heardBy = (consumer: string) =>
  db
    .query<{ text: string }>("SELECT text FROM heard WHERE consumer = ? ORDER BY rowid")
    .all(consumer)
    .map(({ text }) => text);

/** Lets the time pass until all tries of an event are used up. */
function passTries(outbox: Outbox): void {
  for (let at = 0; at < MAX_TRIES; at++) {
    now += 60_000;
    outbox.dispatch();
  }
}

test("an envelope says who, whose, where and what, and no more of the principal than ids", () => {
  const outbox = anOutbox();
  const seen: DomainEvent[] = [];
  outbox.listen((event) => seen.push(event));
  const principal: StoredPrincipal = { userId: 3, via: "token", tokenId: 4 };
  db.transaction(() =>
    outbox.append("test.said", { principal, ownerId: 5, repoId: 6, unit: "code" }, { text: "hello" }),
  );
  outbox.dispatch();
  expect(seen as unknown[]).toEqual([
    {
      id: 2,
      kind: "test.said",
      version: 1,
      at: now,
      principal,
      ownerId: 5,
      repoId: 6,
      unit: "code",
      payload: { text: "hello" },
    },
  ]);
});

describe("a consumer", () => {
  test("that is new starts at the present", () => {
    const before = new Outbox(db, quiet, () => now);
    say(before, "long ago");
    const outbox = new Outbox(db, quiet, () => now);
    outbox.add(listener("new"));
    say(outbox, "now");
    outbox.dispatch();
    expect(heardBy("new")).toEqual(["now"]);
  });

  test("that was here before goes on where it stopped", () => {
    say(anOutbox(listener("a")), "while it was away");
    const outbox = new Outbox(db, quiet, () => now);
    outbox.add(listener("a"));
    outbox.dispatch();
    expect(heardBy("a")).toEqual(["while it was away"]);
  });

  test("hears everything once, in order, over many batches", () => {
    const outbox = anOutbox(listener("a"), listener("b"));
    const texts = Array.from({ length: 350 }, (_, at) => `${at}`);
    db.transaction(() => {
      for (const text of texts) say(outbox, text, Number(text) % 3);
    });
    outbox.dispatch();
    outbox.dispatch();
    expect(heardBy("a")).toEqual(texts);
    expect(heardBy("b")).toEqual(texts);
  });

  test("hears nothing of a transaction that was taken back", () => {
    const outbox = anOutbox(listener("a"));
    expect(() =>
      db.transaction(() => {
        say(outbox, "never");
        throw new Error("taken back");
      }),
    ).toThrow("taken back");
    outbox.dispatch();
    expect(heardBy("a")).toEqual([]);
  });
});

describe("an event that a consumer cannot take", () => {
  const failing = (...texts: string[]) => {
    const broken = new Set(texts);
    const refuse = (text: string) => {
      if (broken.has(text)) throw new Error(`cannot take ${text}`);
    };
    return { broken, refuse };
  };

  test("leaves nothing behind, holds its repository's next ones back, and neither other repositories nor consumers", () => {
    const { refuse } = failing("bad");
    const outbox = anOutbox(listener("a", refuse), listener("b"));
    say(outbox, "bad", 1);
    say(outbox, "after bad", 1);
    say(outbox, "elsewhere", 2);
    say(outbox, "nowhere");
    outbox.dispatch();
    expect(heardBy("a")).toEqual(["elsewhere", "nowhere"]);
    expect(heardBy("b")).toEqual(["bad", "after bad", "elsewhere", "nowhere"]);
  });

  test("is tried again after a while, and what waited behind it comes in order", () => {
    const { broken, refuse } = failing("bad");
    const outbox = anOutbox(listener("a", refuse));
    for (const text of ["bad", "2", "3"]) say(outbox, text, 1);
    outbox.dispatch();
    broken.clear();
    outbox.dispatch();
    expect(heardBy("a")).toEqual([]);
    now += 2_000;
    say(outbox, "4", 1);
    outbox.dispatch();
    expect(heardBy("a")).toEqual(["bad", "2", "3", "4"]);
  });

  test("does not wait for ever when the clock is set back", () => {
    const { broken, refuse } = failing("bad");
    const outbox = anOutbox(listener("a", refuse));
    say(outbox, "bad", 1);
    outbox.dispatch();
    broken.clear();
    now -= 365 * DAY_MS;
    outbox.dispatch();
    expect(heardBy("a")).toEqual(["bad"]);
  });

  test("is set aside when its tries are used up, and the others go on", () => {
    const { refuse } = failing("bad");
    const outbox = anOutbox(listener("a", refuse));
    say(outbox, "bad", 1);
    say(outbox, "good", 1);
    passTries(outbox);
    expect(heardBy("a")).toEqual(["good"]);
    const { items, total } = outbox.setAside({ limit: 10, offset: 0 });
    expect(total).toBe(1);
    expect(items).toMatchObject([
      {
        consumer: "a",
        tries: MAX_TRIES,
        error: "cannot take bad",
        payload: '{"text":"bad"}',
        event: { repoId: 1, kind: "test.said" },
      },
    ]);
  });

  test("can be handed to it again once it is set aside, or be discarded", () => {
    const { broken, refuse } = failing("bad", "worse");
    const outbox = anOutbox(listener("a", refuse));
    say(outbox, "bad", 1);
    say(outbox, "worse", 2);
    passTries(outbox);
    const ids = outbox.setAside({ limit: 10, offset: 0 }).items.map(({ event }) => event.id);
    const [worse = 0, bad = 0] = ids;
    expect(() => outbox.retrySetAside("a", bad)).toThrow("cannot take bad");
    expect(heardBy("a")).toEqual([]);
    broken.clear();
    outbox.retrySetAside("a", bad);
    outbox.discardSetAside("a", worse);
    expect(heardBy("a")).toEqual(["bad"]);
    expect(outbox.setAside({ limit: 10, offset: 0 })).toEqual({ items: [], total: 0 });
    expect(() => outbox.retrySetAside("a", bad)).toThrow("events.not-set-aside");
    expect(() => outbox.discardSetAside("b", worse)).toThrow("events.not-set-aside");
  });

  test("waits, with all others, when it is the disk that cannot take it", () => {
    let isFull = false;
    const outbox = anOutbox(
      listener("a", () => {
        if (isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      }),
    );
    isFull = true;
    say(outbox, "one", 1);
    say(outbox, "two", 2);
    for (let at = 0; at < 20; at++) {
      now += 60_000;
      expect(() => outbox.dispatch()).toThrow("no space left");
    }
    isFull = false;
    outbox.dispatch();
    expect(heardBy("a")).toEqual(["one", "two"]);
    expect(outbox.setAside({ limit: 10, offset: 0 }).total).toBe(0);
  });
});

test("a payload of an older shape is brought to the present one before a consumer sees it", () => {
  const outbox = anOutbox(listener("a"));
  say(outbox, "old");
  db.query('UPDATE events SET payload = \'{"words":"old"}\' WHERE id = 2').run();
  outbox.declareVersion("test.said", 2, (payload) => ({ text: `upgraded ${JSON.stringify(payload)}` }));
  say(outbox, "new");
  outbox.dispatch();
  expect(heardBy("a")).toEqual(['upgraded {"words":"old"}', "new"]);
});

describe("pruning", () => {
  test("removes what all consumers have handled, some at a time, and keeps the rest", () => {
    const refuse = (text: string) => {
      if (text === "bad") throw new Error("no");
    };
    const outbox = anOutbox(listener("a", refuse), listener("b"));
    for (const text of ["1", "bad", "3"]) say(outbox, text, text === "bad" ? 2 : 1);
    passTries(outbox);
    say(outbox, "not handled yet", 1);
    const texts = () =>
      db
        .query<{ payload: string }>("SELECT payload FROM events ORDER BY id")
        .all()
        .map(({ payload }) => JSON.parse(payload).text);
    expect(outbox.prune(now - DAY_MS, 100)).toBe(0);
    expect(outbox.prune(now + DAY_MS, 2)).toBe(2);
    expect(outbox.prune(now + DAY_MS, 100)).toBe(1);
    expect(outbox.prune(now + DAY_MS, 100)).toBe(0);
    expect(texts()).toEqual(["bad", "not handled yet"]);
    outbox.dispatch();
    expect(outbox.prune(now + DAY_MS, 100)).toBe(1);
    // A consumer that comes when the table is empty starts at the present all the same.
    outbox.discardSetAside("a", 3);
    expect(outbox.prune(now + DAY_MS, 100)).toBe(1);
    outbox.add(listener("late"));
    say(outbox, "for all", 1);
    outbox.dispatch();
    expect(heardBy("late")).toEqual(["for all"]);
    expect(heardBy("b").at(-1)).toBe("for all");
  });
});
