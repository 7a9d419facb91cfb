import { readCode } from "../../src/content/access.ts";
import type { ReadCommit } from "../../src/content/commits/service.ts";
import { patchAnswer } from "../../src/content/history/patch.ts";
import { jsonSlices, listSlices } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";
import { markText } from "../../src/references/marks.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { subjectOf } from "../home/pushed-commits.ts";
import { commitHref, refHref } from "../links.ts";
import { shownChecks } from "../merging/checks.tsx";
import { shellOf, show } from "../visit.ts";
import { askedDiff } from "./asked-diff.tsx";
import { CommitPage, type CommitPageProps } from "./commit.tsx";
import { bodyOf, isSameSignature, personOfSignature } from "./commit-items.ts";
import { shownSignatures } from "./signature.tsx";
import type { Sources } from "./sources.ts";

const MAX_NAMES = 20;

/** A single commit: its message and changes. */
export function commitPages(sources: Sources): Route[] {
  const page = { method: "GET", surface: "page", access: readCode } as const;
  return [
    { ...page, path: "/:owner/:repo/commit/:sha", handle: (call) => commit(sources, call) },
    {
      ...page,
      path: "/:owner/:repo/commit/:sha/load-branches-and-tags",
      handle: (call) => refsHolding(sources, call),
    },
  ];
}

async function commit(sources: Sources, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const [, id = "", ending] = /^([0-9a-f]+)(\.diff|\.patch)?$/i.exec(param(call, "sha")) ?? [];
  const read = readCommit(sources, seen, id);
  if (ending === ".diff") return patchAnswer(sources.services, seen.repo, { kind: "diff", to: read.oid });
  if (ending === ".patch") return patchAnswer(sources.services, seen.repo, { kind: "mail", commit: read.oid });
  return commitPage(sources, call, seen, read);
}

function readCommit({ services }: Sources, seen: SeenRepo, id: string): ReadCommit {
  const oid = services.revisions.byDigits(seen, id);
  const read = oid === undefined ? undefined : services.commits.read(seen, oid);
  if (!read) throw new NotFound();
  return read;
}

async function commitPage(sources: Sources, call: Call, seen: SeenRepo, read: ReadCommit): Promise<Response> {
  const { services } = sources;
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const [frame, shown, diff] = await Promise.all([
    sources.frame(seen),
    shownCommit(sources, call, seen, read),
    askedDiff(services, call, commitHref(repo, read.oid), (request) =>
      services.history.fileDiffs(seen, { to: read.oid, from: read.commit.parents[0], ...request }),
    ),
  ]);
  if (diff instanceof Response) return diff;
  const view = (
    <CommitPage
      shell={shellOf(services, call)}
      repo={frame}
      commit={shown}
      checks={shownChecks(services.statuses.latest(seen, read.oid))}
      diff={diff}
    />
  );
  return show(call, view);
}

async function shownCommit(
  { services }: Sources,
  call: Call,
  seen: SeenRepo,
  read: ReadCommit,
): Promise<CommitPageProps["commit"]> {
  const { commit: made, oid } = read;
  const trailers = coAuthors(made.message);
  const people = new Map([
    ...services.commits.peopleOf(call.principal, [read]),
    ...services.commits.peopleBehind(
      call.principal,
      trailers.map((person) => person.email.toLowerCase()),
    ),
  ]);
  const signature = (await shownSignatures(services, seen, [read], people)).get(oid);
  // A walk over all branches is fast only in a short history; otherwise the page requests it later.
  const holding = services.history.isSmall(seen) ? await services.refLists.holding(seen, oid) : undefined;
  return {
    sha: oid,
    subject: subjectOf(made.message),
    body: { html: messageBody(services, call, seen, made.message) },
    author: personOfSignature(made.author, people),
    authoredAt: made.author.timestamp * 1000,
    committedAt: made.committer.timestamp * 1000,
    coAuthors: trailers.map((person) => personOfSignature(person, people)),
    parents: made.parents,
    ...(isSameSignature(made.author, made.committer) ? {} : { committer: personOfSignature(made.committer, people) }),
    ...(signature ? { signature } : {}),
    ...(holding ? { branches: holding.branches.slice(0, MAX_NAMES), tags: holding.tags.slice(0, MAX_NAMES) } : {}),
  };
}

function messageBody({ references }: Sources["services"], call: Call, seen: SeenRepo, message: string): SafeHtml {
  const [html] = references.resolve({ principal: call.principal, repo: seen }, markText(bodyOf(message)));
  return html ?? trustHtml("");
}

const CO_AUTHORED_BY = "co-authored-by:";
/** Characters at the end of a message that are searched for trailers. */
const MAX_TRAILERS = 16_384;

/** People named by `Co-authored-by: Name <address>` at the end of a message. */
function coAuthors(message: string) {
  const found = new Map<string, { name: string; email: string; timestamp: number; offsetMinutes: number }>();
  // Trailers are at the end, and a message may be as long as a push.
  for (const line of message.slice(-MAX_TRAILERS).split("\n")) {
    if (!/^co-authored-by:/i.test(line)) continue;
    const open = line.indexOf("<");
    const close = line.indexOf(">", open);
    const name = line.slice(CO_AUTHORED_BY.length, open).trim();
    const email = line.slice(open + 1, close);
    const isWhole = open > 0 && close > open + 1 && name !== "" && name.length <= 200 && email.length <= 254;
    if (isWhole && found.size < 20) found.set(email.toLowerCase(), { name, email, timestamp: 0, offsetMinutes: 0 });
  }
  return [...found.values()];
}

async function refsHolding(sources: Sources, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const { oid } = readCommit(sources, seen, param(call, "sha"));
  const { branches, tags } = await sources.services.refLists.holding(seen, oid);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const link = (kind: "branch" | "tag") => (name: string) => ({
    name,
    web_link: refHref(repo, "src", { kind, name }),
  });
  function* answer() {
    yield '{"branches":';
    yield* listSlices(branches, link("branch"));
    yield ',"tags":';
    yield* listSlices(tags, link("tag"));
    yield `,"default_branch":${JSON.stringify(seen.repo.defaultBranch)}}`;
  }
  return jsonSlices(answer());
}
