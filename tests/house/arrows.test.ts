import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

/**
 * The house's arrows point one way (docs/architecture.md): `cli`, `web`, `api.ts` -> `service.ts` -> `store.ts` -> `db`;
 * everyone -> `git`, `kernel`; never back, and into another area only through its service, types or resource.
 */

const root = join(import.meta.dir, "../..");

interface Arrow {
  from: string;
  to: string;
}

async function arrows(): Promise<Arrow[]> {
  const found: Arrow[] = [];
  for (const folder of ["src", "web", "cli"]) {
    for await (const file of new Bun.Glob("**/*.{ts,tsx}").scan(join(root, folder))) {
      const from = `${folder}/${file}`;
      const text = await Bun.file(join(root, from)).text();
      // Types count too: a type-only import is still knowledge of the other.
      for (const match of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)) {
        found.push({ from, to: relative(root, join(root, dirname(from), match[1] ?? "")) });
      }
    }
  }
  return found;
}

const foundations = [
  "kernel",
  "access",
  "git",
  "db",
  "config",
  "workers",
  "events",
  "jobs",
  "http",
  "language",
  "live",
  "outbound",
  "blobs",
  "secrets",
];
/** The composition root: the only files that know every area. */
const composition = new Set(["src/areas.ts", "src/core.ts", "src/services.ts", "src/server.ts", "src/routes.ts"]);
/** An area's own wiring, and what the wiring is made of. */
const isWiring = (path: string) =>
  composition.has(path) || path === "src/area.ts" || /^src\/[^/]+\/area\.ts$/.test(path);

const area = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];
const isStore = (path: string) => !path.startsWith("src/git/") && /(^|[/-])store\.ts$/.test(path);
const isApi = (path: string) => /^src\/.*(^|[/-])api[^/]*\.ts$/.test(path) || /^src\/[^/]+\/(?:.*\/)?api\//.test(path);
const isEdge = (path: string) => path.startsWith("cli/") || path.startsWith("web/") || isApi(path);

const rules: { name: string; breaks(arrow: Arrow): boolean }[] = [
  {
    name: "the git engine knows only itself, and how jobs look",
    breaks: ({ from, to }) =>
      from.startsWith("src/git/") &&
      !to.startsWith("src/git/") &&
      !to.startsWith("src/workers/") &&
      to !== "package.json",
  },
  {
    name: "the kernel knows no one",
    breaks: ({ from, to }) => from.startsWith("src/kernel/") && !to.startsWith("src/kernel/"),
  },
  {
    name: "nothing in src knows the terminal, and only the composition root knows the pages",
    breaks: ({ from, to }) =>
      from.startsWith("src/") && (to.startsWith("cli/") || (to.startsWith("web/") && !composition.has(from))),
  },
  {
    name: "a store is used by its own area only",
    breaks: ({ from, to }) => isStore(to) && area(from) !== area(to),
  },
  {
    name: "services and stores know nothing of HTTP",
    breaks: ({ from, to }) => /(service|store)\.ts$/.test(from) && (to.startsWith("src/http/") || isApi(to)),
  },
  {
    name: "only edges and the composition root know an area's routes",
    breaks: ({ from, to }) => isApi(to) && !isEdge(from) && !isWiring(from) && area(from) !== area(to),
  },
  {
    name: "foundations know no area",
    breaks: ({ from, to }) => {
      const [own, other] = [area(from), area(to)];
      if (!own || !foundations.includes(own) || from === "src/workers/jobs.ts") return false;
      return other !== undefined && !foundations.includes(other);
    },
  },
];

const all = await arrows();

for (const rule of rules) {
  test(rule.name, () => {
    expect(all.filter((arrow) => rule.breaks(arrow)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
}

/**
 * A room of the engine: a folder, or a file beside the folders. Jobs are doors of theirs and may know more. A folder and
 * the language that names what is in it are one.
 */
function roomOf(path: string): string | undefined {
  const room = /^src\/git\/([^/]+)/.exec(path)?.[1];
  if (!room || path.endsWith(".job.ts")) return undefined;
  return room === "revision-language.ts" ? "folder.ts" : room;
}

test("no room of the engine leads back to itself", () => {
  const knows = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (!room || !other || room === other) continue;
    knows.set(room, (knows.get(room) ?? new Set()).add(other));
  }
  expect(knows.size).toBeGreaterThan(20);
  // What knows only rooms that are done is done; what stays leads in a circle.
  for (let before = -1; before !== knows.size; ) {
    before = knows.size;
    for (const [room, others] of knows) if (![...others].some((other) => knows.has(other))) knows.delete(room);
  }
  expect([...knows.keys()]).toEqual([]);
});

test("lucia is known by one module", async () => {
  const users: string[] = [];
  for await (const file of new Bun.Glob("{src,web,cli}/**/*.{ts,tsx}").scan(root)) {
    if (/from ["'](lucia|@lucia-auth)/.test(await Bun.file(join(root, file)).text())) users.push(file);
  }
  expect(users).toEqual(["src/identity/sessions/lucia.ts"]);
});

test("no transaction is given an async function, which would commit at the first await", async () => {
  const found: string[] = [];
  for await (const file of new Bun.Glob("src/**/*.ts").scan(root)) {
    if (/transaction\(\s*async/.test(await Bun.file(join(root, file)).text())) found.push(file);
  }
  expect(found).toEqual([]);
});

test("the product starts no child process", async () => {
  const found: string[] = [];
  for await (const file of new Bun.Glob("{src,web,cli}/**/*.{ts,tsx}").scan(root)) {
    // What the bundler runs is no part of the product.
    if (file.endsWith(".macro.ts")) continue;
    if (/Bun\.spawn|child_process|Bun\.\$|from ["']bun["'].*\$/.test(await Bun.file(join(root, file)).text()))
      found.push(file);
  }
  expect(found).toEqual([]);
});
