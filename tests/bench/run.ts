import { cpus, loadavg } from "node:os";
import { acceptRun, driftLines } from "./baseline.ts";
import { isMet, type Metric, tableHead, tableLine } from "./metric.ts";
import { archiveRows } from "./rows/engine-archive.ts";
import { blameRows } from "./rows/engine-blame.ts";
import { diffRows } from "./rows/engine-diff.ts";
import { engineGraphRows } from "./rows/engine-graph.ts";
import { receivedPackRows } from "./rows/engine-index.ts";
import { engineMaintenanceRows, engineTransportRows } from "./rows/engine-maintenance.ts";
import { mergeRows } from "./rows/engine-merge.ts";
import { cloneRows, fetchRows, pushRows } from "./rows/git.ts";
import { bigRows, diskRows, latencyRows } from "./rows/heavy.ts";
import { apiRows, pageRows } from "./rows/http.ts";
import { issueRows } from "./rows/issues.ts";
import { organizationRows } from "./rows/organizations.ts";
import { pullRows } from "./rows/pulls.ts";
import { repositoryRows } from "./rows/repositories.ts";
import type { RowGroup } from "./rows/row.ts";
import { startRows } from "./rows/start.ts";
import { World } from "./world.ts";

/**
 * Measures the compiled executable against real git in the same run: `bun run bench [GROUP…] [--compare] [--accept]`.
 * HEARTH_BENCH_HISTORIES names a folder of bare repositories to push and clone, HEARTH_BENCH_ONLY some of them
 * (`redis,git`); without, a history of 4,000 commits is made. Nothing here runs in `bun test`.
 */

const groups: readonly RowGroup[] = [
  startRows,
  pushRows,
  cloneRows,
  fetchRows,
  pullRows,
  apiRows,
  pageRows,
  organizationRows,
  repositoryRows,
  issueRows,
  diskRows,
  latencyRows,
  bigRows,
  archiveRows,
  blameRows,
  diffRows,
  engineGraphRows,
  receivedPackRows,
  mergeRows,
  engineTransportRows,
  engineMaintenanceRows,
];

function usage(): never {
  console.error("usage: bun run bench [GROUP…] [--compare] [--accept]");
  for (const { name, doc } of groups) console.error(`  ${name.padEnd(9)} ${doc}`);
  process.exit(2);
}

async function main(words: readonly string[]): Promise<void> {
  const names = words.filter((word) => !word.startsWith("--"));
  if (words.some((word) => word.startsWith("--") && word !== "--compare" && word !== "--accept")) usage();
  if (names.some((name) => !groups.some((group) => group.name === name))) usage();
  const metrics: Metric[] = [];
  const report = (metric: Metric) => {
    metrics.push(metric);
    console.log(tableLine(metric));
  };
  const [load = 0] = loadavg();
  const isBusy = load > 0.5 * cpus().length;
  const world = await World.open();
  try {
    const busy = isBusy ? ": others are at work, walls are not to be trusted" : "";
    console.log(`load average ${load.toFixed(1)} on ${cpus().length} cores${busy}`);
    console.log(`histories: ${world.histories.map(({ name }) => name).join(", ")}\n\n${tableHead()}`);
    for (const group of groups) {
      if (names.length > 0 && !names.includes(group.name)) continue;
      try {
        await group.run(world, report);
      } catch (error) {
        console.log(`${group.name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    await world.close();
  }
  const judged = metrics.map(isMet).filter((met) => met !== undefined);
  console.log(`\n${judged.filter(Boolean).length} of ${judged.length} targets met`);
  if (words.includes("--compare")) console.log(`\n${(await driftLines(metrics)).join("\n")}`);
  if (words.includes("--accept")) await acceptRun(metrics, isBusy);
}

await main(process.argv.slice(2));
