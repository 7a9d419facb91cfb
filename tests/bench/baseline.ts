import { existsSync } from "node:fs";
import { join } from "node:path";
import { formatNumber, type Metric, ratioOf } from "./metric.ts";

/** The last accepted run: ratios against real git where there is one, else plain numbers of the machine it ran on. */
interface Accepted {
  readonly date: string;
  readonly rows: Readonly<Record<string, { readonly ratio?: number; readonly value: number }>>;
}

const path = join(import.meta.dir, "baseline.json");
const rounded = (value: number) => Number(value.toPrecision(3));

async function read(): Promise<Accepted> {
  return existsSync(path) ? ((await Bun.file(path).json()) as Accepted) : { date: "", rows: {} };
}

/** Whether the number means something on a machine that others use too. */
const holdsWhenBusy = ({ row, git }: Metric) => git !== undefined || /CPU|memory|data folder/.test(row);

/** Stores this run's numbers over those of the same rows; of a busy machine only those that hold there. */
export async function acceptRun(metrics: readonly Metric[], isBusy: boolean): Promise<void> {
  const { rows } = await read();
  const fresh = metrics
    .filter((metric) => !Number.isNaN(metric.hearth) && (!isBusy || holdsWhenBusy(metric)))
    .map((metric) => {
      const ratio = ratioOf(metric);
      const value = rounded(metric.hearth);
      return [metric.row, ratio === undefined ? { value } : { ratio: rounded(ratio), value }] as const;
    });
  const sorted = Object.entries({ ...rows, ...Object.fromEntries(fresh) }).sort(([a], [b]) => a.localeCompare(b));
  const accepted: Accepted = { date: new Date().toISOString().slice(0, 10), rows: Object.fromEntries(sorted) };
  await Bun.write(path, `${JSON.stringify(accepted, null, 2)}\n`);
}

const NOTABLE = 1.2;

/** Lines that tell how far each row has moved since the accepted run; those that moved by a fifth are marked. */
export async function driftLines(metrics: readonly Metric[]): Promise<string[]> {
  const { date, rows } = await read();
  if (!date) return ["no run has been accepted yet (--accept)"];
  const lines = [`against the run accepted on ${date}:`];
  for (const metric of metrics) {
    const before = rows[metric.row];
    if (!before) continue;
    const [then, now] = before.ratio === undefined ? [before.value, metric.hearth] : [before.ratio, ratioOf(metric)];
    if (now === undefined || Number.isNaN(now)) continue;
    const drift = metric.unit === "/s" ? then / now : now / then;
    const mark = drift > NOTABLE ? "worse" : drift < 1 / NOTABLE ? "better" : "";
    lines.push(
      `${metric.row.padEnd(52)} ${formatNumber(then).padStart(8)} -> ${formatNumber(now).padStart(8)}  ${mark}`,
    );
  }
  return lines;
}
