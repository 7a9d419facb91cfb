import { type StatusName, statusName } from "../../src/actions/runs/statuses.ts";
import { languageNamed } from "../../src/git/languages/table.ts";
import { BRANCHES } from "../../src/git/refs/names.ts";
import { type Access, type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { combinedState } from "../../src/statuses/types.ts";
import type { WebServices } from "../area.ts";
import { anyone } from "../visit.ts";
import { type BadgeText, badgeSvg } from "./svg.ts";

const BLUE = "#1b5cbd";
const GREY = "#7f8794";
const GREEN = "#1a7a3a";
const AMBER = "#8a6100";
const RED = "#b3261e";

type Said = Omit<BadgeText, "label">;

/** Embedded in READMEs on other sites, so a token in the URL is accepted too. */
const readsRepo: Access = {
  ...anyone,
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  sudo: false,
};

const readsRuns: Access = {
  ...readsRepo,
  subject: { kind: "repository", level: "read", unit: "actions", unreadable: "missing" },
};

/** The number of items of a kind, for readers of the unit. */
function itemCount(isPull: boolean, state: "open" | "closed") {
  return ({ itemLists }: WebServices, seen: SeenRepo): Said => {
    const counts = itemLists.counts(seen)[isPull ? "pulls" : "issues"];
    return counts ? { value: `${counts[state]} ${state}`, colour: BLUE } : { value: "none", colour: GREY };
  };
}

/** The combined status of a commit's checks. @param ref a branch, tag or id; empty: the default branch */
async function status({ statuses }: WebServices, seen: SeenRepo, ref: string): Promise<Said> {
  const none = { value: "none", colour: GREY };
  if (seen.access.on("code") === "none" || seen.repo.isEmpty) return none;
  const latest = statuses.latest(seen, await statuses.commitOf(seen, ref || seen.repo.defaultBranch));
  if (latest.length === 0) return none;
  const value = combinedState(latest.map(({ state }) => state));
  return { value, colour: { success: GREEN, pending: AMBER, failure: RED }[value] };
}

/** The content of a badge by name; the first part of the name is its label. `ref` comes from the URL. */
const BADGES: Readonly<Record<string, (services: WebServices, seen: SeenRepo, ref: string) => Said | Promise<Said>>> = {
  status,
  release: ({ releases }, seen) => {
    const latest = seen.access.on("releases") === "none" ? undefined : releases.findLatest(seen);
    return latest ? { value: latest.tag, colour: BLUE } : { value: "none", colour: GREY };
  },
  stars: ({ stars }, seen) => ({ value: String(stars.count(seen)), colour: BLUE }),
  forks: ({ forks }, seen) => ({ value: String(forks.count(seen)), colour: BLUE }),
  issues: itemCount(false, "open"),
  "issues/open": itemCount(false, "open"),
  "issues/closed": itemCount(false, "closed"),
  pulls: itemCount(true, "open"),
  "pulls/open": itemCount(true, "open"),
  "pulls/closed": itemCount(true, "closed"),
  language: (_services, { repo, access }) => {
    const name = access.on("code") === "none" ? "" : repo.primaryLanguage;
    const colour = languageNamed(name)?.colour ?? GREY;
    return { value: name || "none", colour: isDark(colour) ? colour : GREY };
  },
  license: (_services, { repo, access }) => {
    const licenses = access.on("code") === "none" ? [] : repo.licenses;
    return { value: licenses.join(", ") || "none", colour: licenses.length > 0 ? BLUE : GREY };
  },
};

/** Small SVG images about a repository (contract web.md 1.6). */
export function badgePages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/:repo/badges/*",
      surface: "bytes",
      access: readsRepo,
      handle: (call) => badge(services, call),
    },
    // The URLs of both forges whose READMEs use them.
    ...["actions", "badges"].map(
      (place): Route => ({
        method: "GET",
        path: `/:owner/:repo/${place}/workflows/:workflow/badge.svg`,
        surface: "bytes",
        access: readsRuns,
        handle: (call) => workflowBadge(services, call),
      }),
    ),
  ];
}

/** The colours of other forges' badges, so that READMEs look unchanged (contract actions.md 8.10). */
const STATUS_COLOURS: Readonly<Partial<Record<StatusName, string>>> = {
  success: "#4c1",
  failure: "#e05d44",
  cancelled: "#fe7d37",
  cancelling: "#fe7d37",
  skipped: "#dfb317",
  waiting: "#dfb317",
  running: "#dfb317",
  blocked: "#dfb317",
};

/** The result of the newest run of a workflow on a branch. */
function workflowBadge({ actionsRunLists, config }: WebServices, call: Call): Response {
  if (!config["actions.enabled"]) throw new NotFound();
  const seen = seenRepo(call);
  const { query } = call;
  const workflow = param(call, "workflow");
  const ref = BRANCHES + (query.get("branch") || seen.repo.defaultBranch);
  const run = actionsRunLists.newest(seen, workflow, ref, query.get("event") ?? "");
  const status = run && statusName(run.status);
  return picture({
    label: workflow.replace(/\.ya?ml$/, ""),
    value: status ?? "no status",
    colour: (status && STATUS_COLOURS[status]) ?? "#9f9f9f",
    isSquare: query.get("style") === "flat-square",
  });
}

async function badge(services: WebServices, call: Call): Promise<Response> {
  const name = /^([a-z/]+)\.svg$/.exec(param(call, "*"))?.[1] ?? "";
  const textOf = Object.hasOwn(BADGES, name) ? BADGES[name] : undefined;
  if (!textOf) throw new NotFound();
  const said = await textOf(services, seenRepo(call), call.query.get("ref") ?? "");
  return picture({ label: name.split("/")[0] ?? "", ...said });
}

function picture(said: BadgeText): Response {
  return new Response(badgeSvg(said), {
    headers: {
      "content-type": "image/svg+xml",
      // An image, which must never act as a page of ours.
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=300",
    },
  });
}

/** Whether white text is readable on it. */
function isDark(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 < 150;
}
