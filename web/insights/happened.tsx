import type { ItemFilter } from "../../src/issues/list/types.ts";
import { segments } from "../../src/kernel/url-path.ts";
import type { Release } from "../../src/releases/types.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { LinkButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { type ItemRow, itemRows } from "../issue-lists/items.ts";
import { ItemRows } from "../issue-lists/rows.tsx";
import { useWords } from "../language.ts";
import { type RepoName, repoHref, withQuery } from "../links.ts";
import { insightsWords } from "./words/index.ts";

const SHOWN = 10;
const DAY_MS = 86_400_000;

/** The groups of items, and the list query that matches each. */
const GROUPS = {
  mergedPulls: { list: "pulls", query: "is:closed is:merged closed:>=" },
  openedPulls: { list: "pulls", query: "is:all created:>=" },
  closedIssues: { list: "issues", query: "is:closed closed:>=" },
  openedIssues: { list: "issues", query: "is:all created:>=" },
} as const;
type GroupName = keyof typeof GROUPS;

export interface Happened {
  /** The first day, `2026-01-31`. */
  readonly since: string;
  readonly groups: readonly {
    readonly name: GroupName;
    readonly total: number;
    readonly rows: readonly ItemRow[];
  }[];
  readonly releases: readonly Release[];
}

/** What happened to issues, pull requests and releases in the last days, as far as the viewer may read them. */
export async function happened(services: WebServices, seen: SeenRepo, days: number): Promise<Happened> {
  const start = Math.floor(services.clock() / DAY_MS - days) * DAY_MS;
  const readable = services.itemLists.counts(seen);
  const list = async (name: GroupName, filter: ItemFilter) => {
    const isPull = GROUPS[name].list === "pulls";
    if (!readable[isPull ? "pulls" : "issues"]) return [];
    const { items, total } = await services.itemLists.list(seen, { ...filter, isPull }, { limit: SHOWN, offset: 0 });
    return total === 0 ? [] : [{ name, total, rows: itemRows(services, items) }];
  };
  const closed: ItemFilter = { state: "closed", closedSince: start, order: "recentclose" };
  const opened: ItemFilter = { state: "all", createdSince: start, order: "latest" };
  const groups = await Promise.all([
    list("mergedPulls", { ...closed, contributed: [{ name: "merged", value: 1 }] }),
    list("openedPulls", opened),
    list("closedIssues", closed),
    list("openedIssues", opened),
  ]);
  return {
    since: new Date(start).toISOString().slice(0, 10),
    groups: groups.flat(),
    releases: releasesOf(services, seen, start),
  };
}

function releasesOf({ releases }: WebServices, seen: SeenRepo, start: number): readonly Release[] {
  if (seen.access.on("releases") === "none") return [];
  const { items } = releases.list(seen, { isDraft: false }, { limit: SHOWN, offset: 0 });
  return items.filter(({ createdAt }) => createdAt >= start);
}

/** A card for each kind of event. */
export function HappenedCards({ repo, groups, releases, since }: Happened & { readonly repo: RepoName }) {
  const t = useWords(insightsWords);
  if (groups.length === 0 && releases.length === 0) return <p class="muted">{t("nothingHappened")}</p>;
  return (
    <>
      {releases.length === 0 ? null : (
        <Card title={t("publishedReleases", { count: releases.length })} flush>
          <ul class="list">
            {releases.map(({ createdAt, tag, title }) => (
              <li class="row">
                <a href={repoHref(repo, `releases/tag/${segments(tag)}`)}>{title || tag}</a>
                <span class="muted">
                  <Time at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {groups.map(({ name, rows, total }) => (
        <Card
          title={t(name, { count: total })}
          actions={
            total > rows.length ? (
              <LinkButton small href={listHref(repo, name, since)}>
                {t("showAll")}
              </LinkButton>
            ) : null
          }
          flush
        >
          <ItemRows rows={rows} />
        </Card>
      ))}
    </>
  );
}

function listHref(repo: RepoName, name: GroupName, since: string): string {
  const { list, query } = GROUPS[name];
  return withQuery(repoHref(repo, list), { q: query + since });
}
