import { atLeast } from "../../src/access/levels.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import type { Call } from "../../src/http/route.ts";
import { NotFound, ValidationFailed } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { releasesWords } from "./words/index.ts";

/** The range of the notes. Empty values use the defaults. */
export interface NotesRequest {
  readonly tag: string;
  readonly target: string;
  readonly previous: string;
}

/** Maximum commits listed when nothing was merged. */
const MAX_COMMITS = 100;

/**
 * Release notes as Markdown: the pull requests between the previous tag and this one, or the commits if there are none,
 * first-time contributors, and a link to all changes.
 * @throws ValidationFailed when a tag or the target does not exist
 */
export async function generatedNotes(services: WebServices, call: Call, request: NotesRequest): Promise<string> {
  const seen = seenRepo(call);
  const t = wordsFor(call, releasesWords);
  const { from, to } = await endsOf(services, seen, request);
  const readsPulls = atLeast(seen.access.on("pulls"), "read") && atLeast(seen.access.on("code"), "read");
  const merged = readsPulls ? await services.mergedBetween.of(seen, from?.commit, to) : { pulls: [], firsts: [] };
  const address = (path: string) => new URL(homeOf(seen, path), services.links.rootUrl).href;
  const about = ({ issue }: SeenPull) => {
    const poster = issue.posterId === undefined ? undefined : services.identity.byId(issue.posterId);
    const name = poster ? `@${poster.login}` : t("noOne");
    return { title: issue.title, name, href: address(`pulls/${issue.number}`) };
  };
  const lines = merged.pulls.map((item) => `* ${t("notesPull", about(item))}`);
  if (lines.length === 0) lines.push(...(await commitLines(services, seen, from?.commit, to)));
  const firsts = merged.firsts.map((item) => {
    const { href, name } = about(item);
    return `* ${t("notesFirst", { href, name })}`;
  });
  const parts = [
    `## ${t("notesChanges")}`,
    lines.join("\n") || t("notesNothing"),
    ...(firsts.length > 0 ? [`## ${t("notesNewcomers")}`, firsts.join("\n")] : []),
  ];
  const until = request.tag || to;
  const all = from ? `compare/${segments(`${from.name}...${until}`)}` : `commits/tag/${segments(until)}`;
  if (from || request.tag !== "") parts.push(`**${t("notesAll")}**: ${address(all)}`);
  return `${parts.join("\n\n")}\n`;
}

/** The start of the notes, if any, and their end. */
async function endsOf({ releases, revisions, tags }: WebServices, seen: SeenRepo, request: NotesRequest) {
  const present = request.tag === "" ? undefined : revisions.tag(seen, request.tag);
  const to =
    present ?? (await revisions.settled(() => missing(() => revisions.strict(seen, request.target), "target")));
  if (request.previous !== "") {
    const from = revisions.tag(seen, request.previous);
    if (!from)
      throw new ValidationFailed("release.no-such-tag", { field: "previous", params: { tag: request.previous } });
    return { from, to: to.commit };
  }
  const { items } = releases.list(seen, { isDraft: false }, { limit: 2, offset: 0 });
  const names = items.length > 0 ? items.map(({ tag }) => tag) : await tags.newestNames(seen, "", 2);
  const before = names.find((name) => name !== request.tag);
  return { from: before === undefined ? undefined : revisions.tag(seen, before), to: to.commit };
}

async function commitLines({ commits, history }: WebServices, seen: SeenRepo, from: Oid | undefined, to: Oid) {
  const range = { tips: [to], not: from === undefined ? [] : [from], maxParents: 1, skip: 0, limit: MAX_COMMITS };
  const { oids } = await history.page(seen, { ...range, count: false });
  return commits
    .readAll(seen, oids)
    .map(({ commit, oid }) => `* ${commit.message.split("\n")[0]?.trim()} (${oid.slice(0, 10)})`);
}

function missing<T>(find: () => T, field: string): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof NotFound) throw new ValidationFailed("release.target-missing", { field });
    throw error;
  }
}
