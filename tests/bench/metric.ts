export type Unit = "s" | "ms" | "MiB" | "/s" | "x";

/** One line of the table. */
export interface Metric {
  readonly row: string;
  readonly unit: Unit;
  readonly hearth: number;
  /** Real git doing the same in the same run. */
  readonly git?: number;
  /** What Hearth is to cost: at most, or for a rate (`/s`) at least. See targets.ts. */
  readonly target?: number;
  /** What it is to cost against git: at most this many times as much. See targets.ts. */
  readonly ratioTarget?: number;
}

export function isMet(metric: Metric): boolean | undefined {
  const { hearth, target, ratioTarget, unit } = metric;
  if (ratioTarget !== undefined) return (ratioOf(metric) ?? Number.NaN) <= ratioTarget;
  return target === undefined ? undefined : unit === "/s" ? hearth >= target : hearth <= target;
}

export const ratioOf = ({ hearth, git }: Metric): number | undefined => (git ? hearth / git : undefined);

export const MIB = 2 ** 20;

export function formatNumber(value: number | undefined): string {
  if (value === undefined) return "-";
  if (Number.isNaN(value)) return "?";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value < 1 ? 3 : 2);
}

const columns = ["row", "Hearth", "git", "ratio", "target", "met"] as const;
const widths = [48, 11, 11, 7, 10, 4] as const;

function cells(values: readonly string[]): string {
  return values.map((value, at) => (at === 0 ? value.padEnd(widths[0]) : value.padStart(widths[at] ?? 8))).join(" ");
}

export function tableHead(): string {
  return `${cells(columns)}\n${"-".repeat(widths.reduce((sum: number, width) => sum + width + 1, 0))}`;
}

export function tableLine(metric: Metric): string {
  const { row, unit, hearth, git } = metric;
  const met = isMet(metric);
  return cells([
    row,
    `${formatNumber(hearth)} ${unit}`,
    git === undefined ? "-" : `${formatNumber(git)} ${unit}`,
    formatNumber(ratioOf(metric)),
    limitOf(metric),
    met === undefined ? "" : met ? "yes" : "NO",
  ]);
}

function limitOf({ target, ratioTarget, unit }: Metric): string {
  if (ratioTarget !== undefined) return `<= ${formatNumber(ratioTarget)}x`;
  return target === undefined ? "-" : `${unit === "/s" ? ">=" : "<="} ${formatNumber(target)}`;
}
