import type { GraphRow } from "../../src/content/graph/lanes.ts";
import { Icon } from "../components/icon.tsx";
import { Pager } from "../components/navigation.tsx";
import { PageSheet } from "../components/page-module.tsx";
import { Badge } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, refHref, repoHref } from "../links.ts";
import type { CommitSummary } from "./commit-line.tsx";
import { contentWords } from "./words/index.ts";

export interface GraphItem {
  readonly row: GraphRow;
  readonly commit: CommitSummary;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** How many more branches and tags point there. */
  readonly unnamed: number;
}

export interface GraphProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly items: readonly GraphItem[];
  /** Number of lanes of the graph, including rows that are not loaded yet. */
  readonly lanes: number;
  /** Rows of this page that are loaded on demand. */
  readonly rest?: { readonly count: number; readonly href: string };
  /** The selected branches; empty: all. */
  readonly chosen: readonly string[];
  readonly branches: readonly string[];
  readonly monochrome: boolean;
  readonly newer?: string;
  readonly older?: string;
}

const LANE = 14;
const HEIGHT = 36;
/** Custom properties of the theme, one per lane. */
const COLOURS = ["accent", "ok", "merged", "warn", "danger", "hl-type", "hl-keyword", "hl-attr"] as const;
const colourOf = (lane: number) => COLOURS[lane % COLOURS.length] ?? COLOURS[0];

/** Number of lanes that some rows need. */
export function lanesOf(rows: readonly GraphRow[]): number {
  return Math.max(1, ...rows.map((row) => 1 + Math.max(row.lane, ...row.from, ...row.to, ...row.past)));
}

const x = (lane: number) => lane * LANE + 8;

/** `GET {W}/graph`: the commits of several branches, with the lines between them. */
export function GraphPage(props: GraphProps) {
  const { repo, items, branches, chosen, lanes, rest } = props;
  const t = useWords(contentWords);
  return (
    <RepoPage shell={props.shell} repo={repo} tab="commits" title={[t("graph")]} noIndex>
      <h1 class="hidden-text">{t("graph")}</h1>
      <PageSheet name="graph" />
      <form class="code-bar" method="get" action={repoHref(repo, "graph")}>
        <select name="branch" aria-label={t("branches")}>
          <option value="">{t("allBranches")}</option>
          {branches.map((name) => (
            <option value={name} selected={chosen.includes(name)}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="btn">
          {t("show")}
        </button>
      </form>
      <div class="card graph-box">
        <ol class="list graph">
          {items.map((item) => (
            <GraphLine repo={repo} item={item} lanes={lanes} monochrome={props.monochrome} />
          ))}
          {rest ? (
            <li class="graph-row" id="graph-rest">
              <a
                href={rest.href}
                hx-get={rest.href}
                hx-select=".graph > li"
                hx-target="#graph-rest"
                hx-swap="outerHTML"
                hx-trigger="click, intersect once"
              >
                {t("restOfCommits", { count: rest.count })}
              </a>
            </li>
          ) : null}
        </ol>
      </div>
      <Pager newer={props.newer} older={props.older} />
    </RepoPage>
  );
}

function GraphLine(props: { repo: RepoFrameProps; item: GraphItem; lanes: number; monochrome: boolean }) {
  const t = useWords(contentWords);
  const language = useLanguage();
  const { repo, item, lanes, monochrome } = props;
  const { commit, branches, tags, unnamed } = item;
  return (
    <li class="graph-row">
      <Lines row={item.row} lanes={lanes} monochrome={monochrome} />
      <a class="sha" href={commitHref(repo, commit.sha)}>
        {commit.sha.slice(0, 10)}
      </a>
      <span class="clip grow">
        {branches.map((name) => (
          <a class="badge badge-accent" href={refHref(repo, "src", { kind: "branch", name })}>
            <Icon name="git-branch" /> {name}
          </a>
        ))}
        {tags.map((name) => (
          <Badge icon="tag">{name}</Badge>
        ))}
        {unnamed > 0 ? <Badge>+{language.number(unnamed)}</Badge> : null}{" "}
        <a class="subject" href={commitHref(repo, commit.sha)}>
          {commit.subject || t("noMessage")}
        </a>
      </span>
      <span class="muted wide-only">{commit.author.name}</span>
      <span class="muted">
        <Time at={commit.at} />
      </span>
    </li>
  );
}

/** Decorative: the order of the list says the same to those who cannot see it. */
function Lines({ row, lanes, monochrome }: { row: GraphRow; lanes: number; monochrome: boolean }) {
  const shownIn = (lane: number) => `var(--${monochrome ? "muted" : colourOf(lane)})`;
  const middle = HEIGHT / 2;
  const own = x(row.lane);
  const straight = row.from.includes(row.lane) && row.to.includes(row.lane) ? [row.lane] : [];
  const bent = (lane: number) => !straight.includes(lane);
  // Lines of one colour are one path: a page has thousands of them.
  const paths = new Map<string, string>();
  const draw = (lane: number, d: string) => paths.set(shownIn(lane), (paths.get(shownIn(lane)) ?? "") + d);
  for (const lane of [...row.past, ...straight]) draw(lane, `M${x(lane)} 0V${HEIGHT}`);
  for (const lane of row.from.filter(bent)) draw(lane, curve(x(lane), 0, own, middle));
  for (const lane of row.to.filter(bent)) draw(lane, curve(own, middle, x(lane), HEIGHT));
  return (
    <svg class="graph-lines" width={lanes * LANE + 4} height={HEIGHT} aria-hidden="true">
      {[...paths].map(([colour, d]) => (
        <path stroke={colour} d={d} />
      ))}
      <circle fill={shownIn(row.lane)} cx={own} cy={middle} r={4} />
    </svg>
  );
}

function curve(fromX: number, fromY: number, toX: number, toY: number): string {
  if (fromX === toX) return `M${fromX} ${fromY}V${toY}`;
  const half = (fromY + toY) / 2;
  return `M${fromX} ${fromY}C${fromX} ${half} ${toX} ${half} ${toX} ${toY}`;
}
