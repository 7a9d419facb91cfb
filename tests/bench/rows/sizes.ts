import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtExecutable, type HearthProcess, startHearth } from "../../git/hosts/hearth.ts";
import type { Metric } from "../metric.ts";
import { cpuMsOfTree } from "../process.ts";
import { metric } from "./row.ts";

const WARM_REQUESTS = 50;
const REQUESTS = 300;
/** What takes long is asked less often. */
const MIN_REQUESTS = 20;
const MAX_MS = 3_000;

type Headers = Readonly<Record<string, string>>;

interface Sizes {
  readonly folder: string;
  readonly what: string;
  /** After the origin. `{n}` is another number in each request: what was asked for before is remembered. */
  readonly paths: readonly string[];
  large(hearth: HearthProcess): void | Promise<void>;
  small(hearth: HearthProcess): void | Promise<void>;
  /** Whoever asks. */
  headersOf(hearth: HearthProcess): Headers | Promise<Headers>;
  report(metric: Metric): void;
}

/** The same requests in a large and in a small world, which stands where real git's value stands in other rows. */
export async function compareSizes(sizes: Sizes): Promise<void> {
  const large = await costsIn(sizes, sizes.large);
  const small = await costsIn(sizes, sizes.small);
  for (const path of sizes.paths)
    sizes.report(
      metric(
        `${sizes.what}, GET ${path.replace(/^api\/v1\//, "")}: CPU`,
        "ms",
        large.get(path) ?? Number.NaN,
        small.get(path),
      ),
    );
}

async function costsIn({ folder, headersOf, paths }: Sizes, fill: Sizes["large"]): Promise<Map<string, number>> {
  const dataDir = mkdtempSync(join(folder, "sizes-"));
  const hearth = await startHearth({ command: builtExecutable(), dataDir });
  try {
    await fill(hearth);
    const headers = await headersOf(hearth);
    const costs = new Map<string, number>();
    for (const path of paths) costs.set(path, await cpuOf(hearth, path, headers));
    return costs;
  } finally {
    await hearth.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The server's CPU per request, in milliseconds. */
async function cpuOf(hearth: HearthProcess, path: string, headers: Headers): Promise<number> {
  let asked = 0;
  // A server with people on it writes all the time: what is remembered until then must not count. It writes by itself,
  // as another process would empty its cache of the file.
  const write = async () => {
    await answered(`${hearth.origin}api/v1/user/settings`, {
      method: "PATCH",
      headers: { authorization: `token ${hearth.token}`, "content-type": "application/json" },
      body: JSON.stringify({ description: String(++asked) }),
    });
  };
  const read = () => answered(`${hearth.origin}${path.replace("{n}", String(asked))}`, { headers });
  const both = await cpuPer(hearth.pid, async () => {
    await write();
    await read();
  });
  return both - (await cpuPer(hearth.pid, write));
}

async function answered(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
}

async function cpuPer(pid: number, ask: () => Promise<void>): Promise<number> {
  for (let i = 0; i < WARM_REQUESTS; i++) await ask();
  const before = cpuMsOfTree(pid);
  const began = performance.now();
  let requests = 0;
  while (requests < REQUESTS && (requests < MIN_REQUESTS || performance.now() - began < MAX_MS)) {
    await ask();
    requests++;
  }
  return (cpuMsOfTree(pid) - before) / requests;
}
