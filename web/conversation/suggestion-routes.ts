import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { showsItems } from "./access.ts";
import { homeOfItem } from "./entries.ts";
import type { Conversations } from "./routes.tsx";

const MAX_ITEMS = 8;
const MAX_PEOPLE = 8;
const MAX_TEAMS = 4;
const MAX_EMOJI = 8;

/** Autocompletion of texts: items after `#`, people after `@`, emoji after `:`. */
export function suggestionPages(of: Conversations): Route[] {
  const page = { surface: "page", method: "GET", access: showsItems } as const;
  return [{ ...page, path: "/:owner/:repo/issues/suggestions", handle: (call) => suggestions(of, call) }];
}

async function suggestions({ services }: Conversations, call: Call): Promise<Response> {
  const { assignees, identity, issues, itemSuggestions } = services;
  const seen = seenRepo(call);
  issues.requireReadable(seen);
  const words = (call.query.get("q") ?? "").slice(0, 100);
  if (call.query.get("kind") === "emoji") return json(await emojiLike(words.toLowerCase()));
  if (call.query.get("kind") === "people") {
    const start = words.toLowerCase();
    const near = seen.principal.user ? assignees.candidates(seen) : [];
    const slice = { page: 1, limit: MAX_PEOPLE, offset: 0 };
    const others = start === "" ? [] : identity.search(seen.principal, words, slice).items;
    const found = new Map([...near, ...others].map((user) => [user.id, user]));
    const people = [...found.values()].filter(({ login }) => login.toLowerCase().includes(start)).slice(0, MAX_PEOPLE);
    return json([
      ...people.map(({ fullName, login }) => ({ value: `@${login}`, text: fullName })),
      ...teamsLike(services, seen, start),
    ]);
  }
  const items = itemSuggestions.find(seen, words, MAX_ITEMS);
  return json(
    items.map((item) => ({
      value: `#${item.issue.number}`,
      text: item.issue.title,
      number: item.issue.number,
      title: item.issue.title,
      state: item.issue.isClosed ? "closed" : "open",
      pull_request: item.issue.isPull,
      href: homeOfItem(item, `${item.issue.isPull ? "pulls" : "issues"}/${item.issue.number}`),
    })),
  );
}

/** Teams of the repository's organization that the writer may see. */
function teamsLike({ organizations, teams }: WebServices, { owner, principal }: SeenRepo, start: string) {
  if (owner.kind !== "organization" || !principal.user) return [];
  const slice = { page: 1, limit: MAX_TEAMS, offset: 0 };
  const name = start.startsWith(`${owner.login.toLowerCase()}/`) ? start.slice(owner.login.length + 1) : start;
  const { items } = teams.list(organizations.standingIn(principal, owner), slice, name, false);
  return items.map((team) => ({ value: `@${owner.login}/${team.name}`, text: team.description }));
}

/** Emoji whose short name starts with the input come before those that only contain it. */
async function emojiLike(words: string): Promise<{ value: string; text: string }[]> {
  const { default: names } = await import("markdown-it-emoji/lib/data/full.mjs");
  const found = Object.entries(names).filter(([name]) => name.includes(words));
  found.sort(([a], [b]) => Number(b.startsWith(words)) - Number(a.startsWith(words)) || a.length - b.length);
  return found.slice(0, MAX_EMOJI).map(([name, face]) => ({ value: `:${name}:`, text: face }));
}
