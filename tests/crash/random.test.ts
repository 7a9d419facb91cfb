import { expect, test } from "bun:test";
import { git } from "../executable/process.ts";
import { newSeed } from "../random.ts";
import { call } from "./calls.ts";
import { apiProblems, folderOf, problemsOf } from "./check.ts";
import { Client, ObjectLinks } from "./clients.ts";
import { RandomSource } from "./random-source.ts";
import { type Server, serve, settled, withDatabase } from "./server.ts";
import { aWorld } from "./world.ts";

/**
 * kill -9 at a random moment, again and again, while four clients push, edit, make and remove. After each start every
 * acknowledged change is there, every unanswered one wholly or not at all, and all who look agree.
 * HEARTH_CRASHES: how often (12); HEARTH_SEED repeats a run as far as chance allows it.
 */
const crashes = Number(process.env["HEARTH_CRASHES"] ?? "12");
const seed = newSeed();
const CLIENTS = 4;
/** A life lasts so many steps of all clients together, at most, and then a moment more. */
const MAX_LIFE_STEPS = 24;
const MOMENT_MS = 60;

test(`nothing acknowledged is lost in ${crashes} random kills`, async () => {
  const random = new RandomSource(seed);
  const world = await aWorld();
  const objectLinks = new ObjectLinks();
  const clients = Array.from(
    { length: CLIENTS },
    (_, number) => new Client(world.folder, number, new RandomSource(seed + number + 1), objectLinks),
  );
  for (const client of clients) await client.prepare();
  let server = await serve(world.dataDir);
  await call({ url: server.url, token: world.token }, "POST", "/user/repos", {
    name: "shared",
    auto_init: true,
    readme: "Default",
  });
  for (let number = 0; number < CLIENTS; number++)
    await call({ url: server.url, token: world.token }, "POST", "/repos/root1/shared/branches", {
      new_branch_name: `edits${number}`,
    });
  let dearestMs = 0;
  for (let crash = 1; crash <= crashes; crash++) {
    const dying = server;
    const working = Promise.all(clients.map((client) => client.work(dying, world.token)));
    void killAfter(dying, objectLinks, objectLinks.steps + random.below(MAX_LIFE_STEPS), random.below(MOMENT_MS));
    await working;
    await dying.exited;
    const complaints = dying.output().match(/^\S+ (warn|error) .*/gm) ?? [];
    server = await serve(world.dataDir);
    dearestMs = Math.max(dearestMs, server.startCpuMs);
    await settled(world.dataDir);
    const problems = [
      ...objectLinks.compare(await contentOf(world.dataDir)),
      ...(await apiProblems(world.dataDir, { url: server.url, token: world.token })),
      ...(await problemsOf(world.dataDir)),
      ...complaints,
    ];
    if (problems.length > 0) console.log(`crash ${crash} of seed ${seed}, kept in ${world.dataDir}`, dying.output());
    expect(problems).toEqual([]);
  }
  console.log(
    `${crashes} crashes, ${objectLinks.acknowledged} acknowledged, ${objectLinks.unanswered} unanswered, dearest start ${Math.round(dearestMs)} ms of computing`,
  );
  expect(await server.end("SIGTERM")).toBe(0);
  world.remove();
}, 3_600_000);

async function killAfter(server: Server, objectLinks: ObjectLinks, steps: number, moreMs: number): Promise<void> {
  while (objectLinks.steps < steps) await new Promise((resolve) => setTimeout(resolve, 2));
  await new Promise((resolve) => setTimeout(resolve, moreMs));
  await server.end("SIGKILL");
}

/** What the clients' things are, told by real git and the list of repositories. */
async function contentOf(dataDir: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const repos = withDatabase(dataDir, (db) =>
    db
      .query<{ id: number; name: string }, []>(
        "SELECT id, name FROM repositories WHERE name = 'shared' OR name LIKE 'own%'",
      )
      .all(),
  );
  for (const { id, name } of repos) {
    if (name !== "shared") found.set(`repo ${name}`, "there");
    const refs = await git(folderOf(dataDir, id), "for-each-ref", "--format=%(refname) %(objectname)");
    for (const [ref = "", oid = ""] of refs.split("\n").map((line) => line.split(" ")))
      if (/^refs\/(heads\/(b|api)|tags)/.test(ref)) found.set(`${name} ${ref}`, oid);
    for (let number = 0; name === "shared" && number < CLIENTS; number++) {
      const content = await git(folderOf(dataDir, id), "show", `edits${number}:of${number}.txt`).catch(() => undefined);
      if (content !== undefined) found.set(`shared file of${number}.txt`, content);
    }
  }
  return found;
}
