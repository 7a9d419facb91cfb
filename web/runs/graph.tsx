import { isDone, Status, statusOfAll } from "../../src/actions/runs/statuses.ts";
import { useWords } from "../language.ts";
import { statusWord } from "./look.tsx";
import { runsWords } from "./words/index.ts";

/** A job of a run, as the graph needs it. */
export interface GraphJob {
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
  readonly status: Status;
  readonly href: string;
}

/** All jobs of a matrix are one box. */
interface Box {
  readonly key: string;
  readonly label: string;
  readonly needs: readonly string[];
  readonly status: Status;
  readonly href: string;
  readonly column: number;
  readonly row: number;
}

const WIDTH = 190;
const HEIGHT = 34;
const GAP_X = 56;
const GAP_Y = 14;
const MAX_LETTERS = 22;
/** A larger graph would be unreadable. */
const MAX_BOXES = 100;

/** The dependencies between jobs, in columns from left to right. Nothing is shown when no job depends on another. */
export function JobGraph({ jobs }: { jobs: readonly GraphJob[] }) {
  const t = useWords(runsWords);
  const boxes = boxesOf(jobs);
  if (boxes.length > MAX_BOXES || boxes.every(({ needs }) => needs.length === 0)) return null;
  const columns = Math.max(...boxes.map(({ column }) => column)) + 1;
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const width = columns * WIDTH + (columns - 1) * GAP_X + 2;
  const height = rows * HEIGHT + (rows - 1) * GAP_Y + 2;
  const byKey = new Map(boxes.map((box) => [box.key, box]));
  return (
    <section class="job-graph" aria-label={t("jobGraph")} tabindex={0}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: its section has the name; a title would hang over every box */}
      <svg width={width} height={height} viewBox={`-1 -1 ${width} ${height}`}>
        {boxes.flatMap((box) =>
          box.needs.map((need) => {
            const from = byKey.get(need);
            return from ? <path class="job-line" d={lineOf(from, box)} /> : null;
          }),
        )}
        {boxes.map((box) => (
          <a href={box.href} aria-label={`${box.label}: ${t(statusWord(box.status))}`}>
            <rect class={`job-box job-${toneOf(box.status)}`} {...at(box)} width={WIDTH} height={HEIGHT} rx={6} />
            <text x={at(box).x + 12} y={at(box).y + 22}>
              {shortened(box.label)}
            </text>
          </a>
        ))}
      </svg>
    </section>
  );
}

const at = ({ column, row }: Pick<Box, "column" | "row">) => ({
  x: column * (WIDTH + GAP_X),
  y: row * (HEIGHT + GAP_Y),
});

function lineOf(from: Box, to: Box): string {
  const start = at(from);
  const end = at(to);
  const y1 = start.y + HEIGHT / 2;
  const y2 = end.y + HEIGHT / 2;
  const x1 = start.x + WIDTH;
  const middle = end.x - GAP_X / 2;
  return `M${x1} ${y1}H${middle - GAP_X / 4}C${middle} ${y1} ${middle} ${y2} ${end.x} ${y2}`;
}

const shortened = (text: string) => (text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text);

const toneOf = (status: Status): string => {
  if (status === Status.success) return "ok";
  if (status === Status.failure) return "danger";
  return isDone(status) ? "plain" : status === Status.running ? "warn" : "open";
};

function boxesOf(jobs: readonly GraphJob[]): Box[] {
  const cells = Map.groupBy(jobs, ({ key }) => key);
  const columns = new Map<string, number>();
  const columnOf = (key: string, path: readonly string[] = []): number => {
    const known = columns.get(key);
    if (known !== undefined) return known;
    const needs = cells.get(key)?.[0]?.needs ?? [];
    const before = needs.filter((need) => cells.has(need) && !path.includes(need));
    const column = before.length === 0 ? 0 : Math.max(...before.map((need) => columnOf(need, [...path, key]))) + 1;
    columns.set(key, column);
    return column;
  };
  const filled = new Map<number, number>();
  return [...cells].flatMap(([key, some]) => {
    const [first] = some;
    if (!first) return [];
    const column = columnOf(key);
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    const label = some.length === 1 ? first.name : `${key} (${some.length})`;
    return [
      {
        key,
        label,
        needs: first.needs,
        status: statusOfAll(some.map(({ status }) => ({ status, continuesOnError: false }))),
        href: first.href,
        column,
        row,
      },
    ];
  });
}
