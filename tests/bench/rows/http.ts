import { gitLines, makeHistory } from "../../git/hosts/real-git.ts";
import { startLoad } from "../load.ts";
import type { Metric } from "../metric.ts";
import { cpuMsOfTree } from "../process.ts";
import type { History, World } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const SECONDS = 2;
/** So many that the code of a page has been compiled for good. */
const WARM_REQUESTS = 500;

/** The address's CPU per request and its rate; nothing when it does not answer 200. */
async function measure(world: World, path: string, connections: number): Promise<{ cpuMs: number; rate: number }> {
  const { origin, pid } = world.hearth;
  const url = `${origin}${path}`;
  const probe = await fetch(url);
  await probe.arrayBuffer();
  if (probe.status !== 200) throw new Error(`GET /${path} answers ${probe.status}`);
  await startLoad({ url, connections, seconds: 0.5, atLeast: WARM_REQUESTS }).result;
  const before = cpuMsOfTree(pid);
  const { requests, seconds, odd } = await startLoad({ url, connections, seconds: SECONDS, atLeast: WARM_REQUESTS })
    .result;
  if (odd > 0) throw new Error(`GET /${path}: ${odd} of ${requests} answers had another status than the first`);
  return { cpuMs: (cpuMsOfTree(pid) - before) / requests, rate: requests / seconds };
}

/** What the first answer after a start takes. */
async function firstAnswer(world: World, path: string): Promise<{ wallMs: number; cpuMs: number }> {
  await world.restartHearth();
  return world.costOfHearth(async () => {
    const answer = await fetch(`${world.hearth.origin}${path}`);
    await answer.arrayBuffer();
  });
}

/** A line that could not be measured stands in the table with the reason. */
function unmeasured(report: (metric: Metric) => void, row: string, error: unknown): void {
  report(metric(`${row} (${error instanceof Error ? error.message : error})`, "ms", Number.NaN));
}

export const apiRows: RowGroup = {
  name: "api",
  doc: "requests of the API: CPU per request, rate at 4 connections",
  run: async (world, report) => {
    const history = world.largest;
    await world.pushed(history);
    const { file } = await namesOf(history);
    const repo = `${world.hearth.login}/${history.name}`;
    for (const [row, path] of [
      ["GET version", "api/v1/version"],
      ["GET repository", `api/v1/repos/${repo}`],
      ["GET contents of a file", `api/v1/repos/${repo}/contents/${file}`],
      ["raw file", `${repo}/raw/branch/${history.branch}/${file}`],
    ] as const) {
      try {
        const { cpuMs, rate } = await measure(world, path, 4);
        report(metric(`${row}: CPU`, "ms", cpuMs));
        report(metric(`${row}: rate`, "/s", rate));
      } catch (error) {
        unmeasured(report, row, error);
      }
    }
  },
};

export const pageRows: RowGroup = {
  name: "pages",
  doc: "pages: first answer after a start, then CPU per request",
  run: async (world, report) => {
    const large = world.largest;
    const small: History = { name: "small", dir: `${world.folder}/small.git`, branch: "main" };
    await makeHistory(small.dir, 40, 2);
    await world.pushed(small);
    await world.pushed(large);
    const { folder, source } = await namesOf(large);
    const [smallHome, home] = [`${world.hearth.login}/small`, `${world.hearth.login}/${large.name}`];
    for (const [row, path] of [
      ["home page, small", smallHome],
      ["home page, large", home],
      ["folder page", `${home}/src/branch/${large.branch}/${folder}`],
      ["file page", `${home}/src/branch/${large.branch}/${source}`],
      ["commits page", `${home}/commits/branch/${large.branch}`],
    ] as const) {
      try {
        const first = await firstAnswer(world, path);
        const { cpuMs, rate } = await measure(world, path, 2);
        report(metric(`${row}: first answer`, "ms", first.wallMs));
        report(metric(`${row}: first answer's CPU`, "ms", first.cpuMs));
        report(metric(`${row}: CPU`, "ms", cpuMs));
        report(metric(`${row}: rate`, "/s", rate));
      } catch (error) {
        unmeasured(report, row, error);
      }
    }
  },
};

/** Of the default branch: a small file at the top, the folder with the most entries, and a long source file. */
async function namesOf(history: History): Promise<{ file: string; folder: string; source: string }> {
  const lines = await gitLines(["-C", history.dir, "ls-tree", "-r", "-l", history.branch]);
  const files = lines.map((line) => {
    const [meta = "", path = ""] = line.split("\t");
    return { path, size: Number(meta.split(/ +/)[3]) };
  });
  const entries = new Map<string, number>();
  for (const { path } of files) {
    const [top = "", ...rest] = path.split("/");
    if (rest.length === 1) entries.set(top, (entries.get(top) ?? 0) + 1);
  }
  const [folder = ""] = [...entries].sort((a, b) => b[1] - a[1])[0] ?? [];
  const readable = files.filter(({ path, size }) => /\.(c|txt|ts)$/.test(path) && size < 400_000);
  const source = files.find(({ path }) => path === "diff.c") ?? readable.sort((a, b) => b.size - a.size)[0];
  const file = files.find(({ path }) => /^README/.test(path)) ?? files[0];
  return { file: file?.path ?? "", folder, source: source?.path ?? "" };
}
