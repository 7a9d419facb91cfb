import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { showsItems } from "./access.ts";
import { homeOfItem } from "./entries.ts";
import type { Conversations } from "./routes.tsx";

const MAX_ITEMS = 8;
const MAX_PEOPLE = 8;
const MAX_EMOJI = 8;

/** What a text may go on with: items after `#`, people after `@`, emoji after `:`. */
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
    return json(people.map(({ fullName, login }) => ({ value: `@${login}`, text: fullName })));
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

/** Those whose short name begins so come before those that only have it in them. */
async function emojiLike(words: string): Promise<{ value: string; text: string }[]> {
  const { default: names } = await import("markdown-it-emoji/lib/data/full.mjs");
  const found = Object.entries(names).filter(([name]) => name.includes(words));
  found.sort(([a], [b]) => Number(b.startsWith(words)) - Number(a.startsWith(words)) || a.length - b.length);
  return found.slice(0, MAX_EMOJI).map(([name, face]) => ({ value: `:${name}:`, text: face }));
}
