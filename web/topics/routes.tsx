import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { ValidationFailed } from "../../src/kernel/errors.ts";
import { administersRepo, searchesRepos } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { invalidTopics } from "../../src/topics/api.ts";
import { topicResource } from "../../src/topics/resource.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { TopicSettingsPage } from "./settings.tsx";
import { topicsWords } from "./words/index.ts";

const PAGE = "settings/topics";
/** Maximum suggestions while the user types. */
const SUGGESTED = 30;
const MAX_CHARACTERS = 2_000;

/** A repository's topics (contract web.md 1.3 and 1.10). */
export function topicPages(services: WebServices): Route[] {
  const ofRepo = { surface: "page", access: administersRepo } as const;
  return [
    { ...ofRepo, method: "GET", path: `/:owner/:repo/${PAGE}`, handle: (call) => settings(services, call, undefined) },
    { ...ofRepo, method: "POST", path: `/:owner/:repo/${PAGE}`, handle: (call) => save(services, call) },
    { ...ofRepo, method: "POST", path: "/:owner/:repo/topics", handle: (call) => saveForScript(services, call) },
    {
      method: "GET",
      surface: "page",
      access: searchesRepos,
      path: "/explore/topics/search",
      handle: (call) => {
        const slice = { limit: SUGGESTED, offset: 0 };
        const { items } = services.topics.search(call.principal, call.query.get("q") ?? "", slice);
        return json({ topics: items.map(topicResource) });
      },
    },
  ];
}

async function settings(
  services: WebServices,
  call: Call,
  refused: { readonly value: string; readonly error: string } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const view = (
    <TopicSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      value={refused?.value ?? services.topics.of(seen).join(", ")}
      {...(refused ? { error: refused.error } : {})}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const value = (await readForm(call)).text("topics").slice(0, MAX_CHARACTERS);
  try {
    services.topics.replace(seen, value.split(/[\s,]+/));
  } catch (error) {
    return settings(services, call, { value, error: refusalOf(call, error) });
  }
  const text = wordsFor(call, topicsWords)("saved");
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

async function saveForScript(services: WebServices, call: Call): Promise<Response> {
  const value = (await readForm(call)).text("topics").slice(0, MAX_CHARACTERS);
  try {
    services.topics.replace(seenRepo(call), value.split(","));
    return json({ status: "ok" });
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return json(invalidTopics(error), 422);
  }
}
