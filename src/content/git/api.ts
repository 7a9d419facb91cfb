import { Type } from "@sinclair/typebox";
import { parseLfsPointer } from "../../git/lfs/pointer.ts";
import { isOid } from "../../git/objects/types.ts";
import { isRefName } from "../../git/refs/names.ts";
import { asks, flagParam, type ListCall, lists } from "../../http/query.ts";
import { JSON_TYPE, json } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { rfc3339In } from "../../kernel/clock.ts";
import { BadRequest, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { verificationResource } from "../../keys/verification/resource.ts";
import { repoAddress } from "../../repos/addresses.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { commitParts, describeCommits, partsBesideStat, type WantedParts } from "../commits/describe.ts";
import { CommitResource } from "../commits/resource.ts";
import { signedTag } from "../commits/signed.ts";
import { patchAnswer } from "../history/patch.ts";
import { referenceResource } from "./reference.ts";
import { AnnotatedTagResource, BlobResource, NoteResource, ReferenceResource, TreeResource } from "./resource.ts";

const path = "/api/v1/repos/:owner/:repo/git";
/** Trees have larger pages than other lists, and a different parameter name for their size. */
const treePages = { sizes: { standard: 1000, largest: 1000 }, sizeName: "per_page" };

/** Git data: trees, refs, notes and the like (contract git-content.md 6). */
export function gitDataRoutes(services: Services): Route[] {
  const { commits, files, gitData, links, revisions } = services;
  const api = (call: Call) => repoAddress(seenRepo(call), links);
  const sha = (description: string) => ({ sha: description });

  const blob = (call: Call) => {
    const seen = seenRepo(call);
    const oid = param(call, "sha");
    const header = isOid(oid) && revisions.mayShow(seen, oid) ? files.header(seen, oid) : undefined;
    if (!header) throw new BadRequest("object.missing", { params: { id: oid } });
    const data = files.bytes(seen, oid);
    const lfs = data && parseLfsPointer(data);
    return json({
      content: data ? Buffer.from(data).toString("base64") : null,
      encoding: data ? "base64" : null,
      url: `${api(call)}/git/blobs/${oid}`,
      sha: oid,
      size: header.sizeBytes,
      ...(lfs ? { lfs_oid: lfs.oid, lfs_size: lfs.sizeBytes } : {}),
    });
  };

  const tree = async (call: ListCall, recursive: boolean) => {
    const seen = seenRepo(call);
    const name = param(call, "sha");
    const found = revisions.object(seen, name);
    const { page, limit, offset } = call.paging;
    const request = { recursive, skip: offset, limit };
    const listed = found && (await gitData.tree(seen, found.oid, request));
    if (!found || !listed) throw new BadRequest("tree.missing", { params: { name } });
    const address = api(call);
    const headers = {
      "x-total-count": String(listed.total),
      "access-control-expose-headers": "X-Total-Count",
    };
    return json(
      {
        sha: found.oid,
        url: `${address}/git/trees/${found.oid}`,
        tree: listed.entries.map((entry) => treeEntry(address, entry)),
        truncated: request.skip + listed.entries.length < listed.total,
        page,
        total_count: listed.total,
      },
      200,
      headers,
    );
  };

  const refs = (call: Call, prefix: string) => {
    const address = api(call);
    const found = gitData.refsBelow(seenRepo(call), prefix, address);
    if (!found) throw new NotFound();
    if (found instanceof ReadableStream) return new Response(found, { headers: { "content-type": JSON_TYPE } });
    return json(found.map((ref) => referenceResource(address, ref)));
  };

  /** @throws ValidationFailed if it cannot be a revision; NotFound if it is not one */
  const commitNamed = (call: Call, name: string): string => {
    if (!isRefName(name, { allowOneLevel: true })) throw new ValidationFailed("ref.malformed", { params: { name } });
    const found = revisions.named(seenRepo(call), name);
    if (!found) throw new NotFound("commit.missing", { params: { name } });
    return found.commit;
  };

  const commit = async (call: Call, wanted: WantedParts) => {
    const seen = seenRepo(call);
    const given = param(call, "sha");
    const form = /^(.+)\.(diff|patch)$/.exec(given);
    // A branch may be named `x.diff`; unlike in the reference implementation, it takes precedence.
    if (form?.[1] && form[2] && !revisions.branch(seen, given)) {
      const oid = commitNamed(call, form[1]);
      const what = form[2] === "diff" ? ({ kind: "diff", to: oid } as const) : ({ kind: "mail", commit: oid } as const);
      return patchAnswer(services, seen.repo, what);
    }
    const read = commits.read(seen, commitNamed(call, given));
    if (!read) throw new NotFound("commit.missing", { params: { name: given } });
    const [shown] = await describeCommits(services, seen, [read], wanted);
    return json(shown);
  };

  const annotatedTag = async (call: Call) => {
    const oid = param(call, "sha");
    const seen = seenRepo(call);
    const found = isOid(oid) && revisions.mayShow(seen, oid) ? commits.readTag(seen, oid) : undefined;
    if (!found) throw new BadRequest("object.missing", { params: { id: oid } });
    const { tag, signed } = found;
    const commit = revisions.commit(seen, oid)?.oid;
    const tagged = commit === undefined ? { type: tag.type, sha: tag.object } : { type: "commit", sha: commit };
    const tagger = tag.tagger ?? { name: "", email: "", timestamp: 0, offsetMinutes: 0 };
    const verification = (await services.signatures.verify(seen.principal, [signedTag(found)])).get(oid);
    return json({
      tag: tag.name,
      sha: oid,
      url: `${api(call)}/git/tags/${oid}`,
      message: tag.message,
      tagger: { name: tagger.name, email: tagger.email, date: rfc3339In(tagger.timestamp, tagger.offsetMinutes) },
      object: { type: tagged.type, url: `${api(call)}/git/${tagged.type}s/${tagged.sha}`, sha: tagged.sha },
      verification: verificationResource(verification, tag.signature, signed),
    });
  };

  const note = async (call: Call, wanted: WantedParts) => {
    const seen = seenRepo(call);
    const { message, writtenBy } = await gitData.note(seen, commitNamed(call, param(call, "sha")));
    const read = commits.readAll(seen, [writtenBy]);
    const [shown] = await describeCommits(services, seen, read, wanted);
    return json({ message, commit: shown });
  };

  return [
    {
      method: "GET",
      path: `${path}/blobs/:sha`,
      surface: "api",
      access: readCode,
      doc: {
        id: "GetBlob",
        tag: "repository",
        summary: "Get a blob",
        params: sha("Id of the blob."),
        answers: {
          200: { description: "The content.", schema: BlobResource },
          400: { description: "There is no object with that id." },
        },
      },
      handle: blob,
    },
    {
      method: "GET",
      path: `${path}/trees/:sha`,
      surface: "api",
      access: readCode,
      doc: {
        id: "GetTree",
        tag: "repository",
        summary: "Get a tree",
        params: sha("Branch, tag, commit or tree."),
        answers: {
          200: { description: "The entries.", schema: TreeResource },
          400: { description: "There is no such tree." },
        },
      },
      ...lists(
        { recursive: flagParam("Also list the contents of directories.", false) },
        (call, { recursive }) => tree(call, recursive),
        treePages,
      ),
    },
    {
      method: "GET",
      path: `${path}/refs`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoListAllGitRefs",
        tag: "repository",
        summary: "List all refs",
        answers: {
          200: { description: "The refs.", schema: Type.Array(ReferenceResource) },
          404: { description: "There are none." },
        },
      },
      handle: (call) => refs(call, ""),
    },
    {
      method: "GET",
      path: `${path}/refs/*`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoListGitRefs",
        tag: "repository",
        summary: "List refs by prefix",
        params: { path: "Prefix of the name, after refs/." },
        answers: {
          200: { description: "The refs, always as a list.", schema: Type.Array(ReferenceResource) },
          404: { description: "There are none." },
        },
      },
      handle: (call) => refs(call, call.params["*"] ?? ""),
    },
    {
      method: "GET",
      path: `${path}/tags/:sha`,
      surface: "api",
      access: readCode,
      doc: {
        id: "GetAnnotatedTag",
        tag: "repository",
        summary: "Get an annotated tag object",
        params: sha("Id of the tag object."),
        answers: {
          200: { description: "The tag.", schema: AnnotatedTagResource },
          400: { description: "The id is not that of a tag object." },
        },
      },
      handle: annotatedTag,
    },
    {
      method: "GET",
      path: `${path}/notes/:sha`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetNote",
        tag: "repository",
        summary: "Get the note attached to a commit",
        params: sha("Branch, tag or commit."),
        answers: {
          200: { description: "The note.", schema: NoteResource },
          404: { description: "There is no such commit, or no note on it." },
          422: { description: "The revision is malformed." },
        },
      },
      ...asks(partsBesideStat, (call, wanted) => note(call, { ...wanted, stat: true })),
    },
    {
      method: "GET",
      path: `${path}/commits/:sha`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetSingleCommit",
        tag: "repository",
        summary: "Get a commit; with .diff or .patch appended, the change as text",
        params: sha("Branch, tag, or full or abbreviated commit id."),
        answers: {
          200: { description: "The commit.", schema: CommitResource },
          404: { description: "There is no such commit." },
          422: { description: "The revision is malformed." },
        },
      },
      ...asks(commitParts, commit),
    },
  ];
}

function treeEntry(
  api: string,
  { path: name, mode, oid, sizeBytes }: { path: string; mode: number; oid: string; sizeBytes?: number },
) {
  const octal = mode.toString(8).padStart(6, "0");
  const type = octal.startsWith("04") ? "tree" : octal === "160000" ? "commit" : "blob";
  return {
    path: name,
    mode: octal,
    type,
    size: sizeBytes ?? 0,
    sha: oid,
    url: type === "commit" ? "" : `${api}/git/${type}s/${oid}`,
  };
}
