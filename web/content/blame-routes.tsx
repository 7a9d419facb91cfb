import { readCode } from "../../src/content/access.ts";
import { IGNORED_REVISIONS_FILE } from "../../src/content/blame/service.ts";
import { isBinary } from "../../src/content/texts.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound, TooLarge } from "../../src/kernel/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { wordsFor } from "../language.ts";
import { type RefKind, refHref, withQuery } from "../links.ts";
import { personOf } from "../people.ts";
import { shellOf, show } from "../visit.ts";
import { within } from "../within.ts";
import { BlamePage } from "./blame.tsx";
import type { BlameBlock } from "./blame-view.ts";
import { LARGEST_SHOWN_BYTES } from "./file-body.ts";
import { type Place, placeOf } from "./place.ts";
import { shownSignatures, signatureText } from "./signature.tsx";
import type { Sources } from "./sources.ts";
import { contentWords } from "./words/index.ts";

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];
/** How long a page waits; after that it announces the result and reloads. */
const WAIT_MS = 1_500;
const RELOAD_SECONDS = 2;
/** With more commits than this, signatures are only shown on the commits' pages. */
const MAX_VERIFIED = 200;

/** Blame: the commit that last changed each line of a file. */
export function blamePages(sources: Sources): Route[] {
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/blame/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => blame(sources, call, kind),
  }));
}

async function blame(sources: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { services } = sources;
  const place = placeOf(services, call, "blame", kind);
  const { seen, at, ref, path } = place;
  const file = services.files.entry(seen, at.commit, path);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const src = refHref(repo, "src", ref, path);
  if (file.kind === "dir" || file.kind === "submodule") throw new NotFound();
  const bytes = services.files.bytes(seen, file.oid, LARGEST_SHOWN_BYTES);
  // Files without lines to show have a page that explains so.
  if (file.kind === "symlink" || !bytes || bytes.length === 0 || isBinary(bytes)) return redirect(src);
  const bypass = /^(1|t|true|on)$/i.test(call.query.get("bypass-blame-ignore") ?? "");
  const ignored = services.blame.ignoredRevisions(seen, at.commit);
  const request = { commit: at.commit, path, ignored: bypass ? [] : (ignored ?? []) };
  const work = services.blame.of(seen, request).then(
    (found) => ({ found, isTooLarge: false }),
    (error) => {
      if (error instanceof TooLarge) return { found: undefined, isTooLarge: true };
      throw error;
    },
  );
  // A failure after the page was sent has no handler.
  work.catch(() => {});
  const [frame, refs, code, result, tree] = await Promise.all([
    sources.frame(seen),
    sources.facts.choices(seen),
    sources.rendered.code(seen, file),
    within(work, WAIT_MS),
    sources.tree(call, place),
  ]);
  if (!result) call.header("refresh", String(RELOAD_SECONDS));
  return show(
    call,
    <BlamePage
      shell={shellOf(services, call)}
      repo={frame}
      at={ref}
      commitSha={at.commit}
      path={path}
      refs={refs}
      tree={tree}
      sizeBytes={file.sizeBytes}
      code={code}
      state={result ? (result.isTooLarge ? "too-large" : "ready") : "running"}
      blocks={result?.found ? await blocksOf(sources, call, place, result.found) : []}
      {...(ignored === undefined || ignored.length === 0
        ? {}
        : {
            ignoring: {
              file: IGNORED_REVISIONS_FILE,
              count: ignored.length,
              isBypassed: bypass,
              otherHref: withQuery(refHref(repo, "blame", ref, path), {
                "bypass-blame-ignore": bypass ? undefined : "true",
              }),
            },
          })}
    />,
  );
}

type Found = Awaited<ReturnType<Sources["services"]["blame"]["of"]>>;

/** Groups adjacent lines of one commit into blocks, with its author and a link to the blame before it. */
async function blocksOf(
  { services }: Sources,
  call: Call,
  { seen }: Place,
  { ranges, commits }: Found,
): Promise<BlameBlock[]> {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const signatures = commits.size > MAX_VERIFIED ? undefined : await signaturesOf(services, seen, [...commits.keys()]);
  const t = wordsFor(call, contentWords);
  const emails = new Set([...commits.values()].map(({ author }) => author.email.toLowerCase()));
  const people = services.commits.peopleBehind(seen.principal, [...emails]);
  const blocks: BlameBlock[] = [];
  for (const { line, count, file, originLine, ignored, unblamable } of ranges) {
    const last = blocks.at(-1);
    const previous = file.previous;
    const isTouched = ignored || unblamable;
    if (last?.sha === file.commit && last.previous?.commit === previous?.commit && last.isTouched === isTouched) {
      last.count += count;
      continue;
    }
    const commit = commits.get(file.commit);
    const signature = signatures?.get(file.commit);
    const user = people.get(commit?.author.email.toLowerCase() ?? "");
    blocks.push({
      line,
      count,
      sha: file.commit,
      subject: commit?.subject ?? "",
      author: user ? personOf(user) : { name: commit?.author.name || commit?.author.email || "unknown" },
      at: (commit?.committedAt ?? 0) * 1000,
      signature: signature && { text: signatureText(t, signature), isTrusted: signature.by?.trust === "trusted" },
      isTouched,
      previous: previous && {
        commit: previous.commit,
        href: `${refHref(repo, "blame", { kind: "commit", name: previous.commit }, previous.path)}#L${originLine + 1}`,
      },
    });
  }
  return blocks;
}

async function signaturesOf(services: Sources["services"], seen: SeenRepo, oids: readonly Oid[]) {
  const read = services.commits.readAll(seen, oids).filter(({ signed }) => signed !== undefined);
  return shownSignatures(services, seen, read, services.commits.peopleOf(seen.principal, read));
}
