import { type Static, Type } from "@sinclair/typebox";
import type { Signature } from "../../git/objects/signature.ts";
import type { Oid } from "../../git/objects/types.ts";
import { text, time, whole } from "../../http/fields.ts";
import { UserResource } from "../../identity/resource.ts";
import { rfc3339, rfc3339In, ZERO_TIME } from "../../kernel/clock.ts";
import type { Links } from "../../kernel/links.ts";
import { VerificationResource, verificationResource } from "../../keys/verification/resource.ts";
import type { Verification } from "../../keys/verification/service.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { CommitChanges } from "../history/changes.ts";
import type { People, ReadCommit } from "./service.ts";

export const SignatureResource = Type.Object(
  {
    name: text("Name."),
    email: text("Address."),
    date: time("When, in the zone it was written in."),
  },
  { $id: "CommitUser", description: "The author or committer recorded in a commit." },
);

export const CommitMetaResource = Type.Object(
  { url: text("API address."), sha: text("Id."), created: time("When it was created.") },
  { $id: "CommitMeta", description: "A commit or tree that something refers to." },
);

export const CommitResource = Type.Object(
  {
    url: text("API address of the commit."),
    sha: text("Id of the commit."),
    created: time("When it was committed."),
    html_url: text("The commit's page."),
    commit: Type.Object(
      {
        url: text("API address of the commit."),
        author: SignatureResource,
        committer: SignatureResource,
        message: text("The message."),
        tree: CommitMetaResource,
        verification: Type.Union([VerificationResource, Type.Null()], {
          description: "The verification of its signature.",
        }),
      },
      { description: "The contents of the commit object." },
    ),
    author: Type.Union([UserResource, Type.Null()], { description: "The author's account, if there is one." }),
    committer: Type.Union([UserResource, Type.Null()], { description: "The committer's account, if there is one." }),
    parents: Type.Array(CommitMetaResource, { description: "Its parent commits." }),
    files: Type.Union(
      [
        Type.Array(Type.Object({ filename: text("Path of the file."), status: text("added, removed or modified.") })),
        Type.Null(),
      ],
      { description: "Files that differ from its first parent." },
    ),
    stats: Type.Union(
      [
        Type.Object({
          total: whole("Lines added and deleted."),
          additions: whole("Lines added."),
          deletions: whole("Lines deleted."),
        }),
        Type.Null(),
      ],
      { description: "Size of the change from its first parent." },
    ),
  },
  { $id: "Commit", description: "A commit." },
);
export type CommitResource = Static<typeof CommitResource>;

export const FileCommitResource = Type.Object(
  {
    url: text("API address of the commit."),
    sha: text("Id of the commit."),
    created: time("Always the year 1 here."),
    html_url: text("The commit's page."),
    author: SignatureResource,
    committer: SignatureResource,
    parents: Type.Array(CommitMetaResource, { description: "Its parent commits." }),
    message: text("The message."),
    tree: CommitMetaResource,
  },
  { $id: "FileCommitResponse", description: "The commit an edit made." },
);

export const PayloadCommitResource = Type.Object(
  {
    id: text("Id of the commit."),
    message: text("The message."),
    url: text("The commit's page."),
    author: Type.Object(
      {
        name: text("Name of the author."),
        email: text("Address of the author."),
        username: text("Account of the author; empty if there is none."),
      },
      { description: "Who wrote it." },
    ),
    committer: Type.Object(
      {
        name: text("Name of the committer."),
        email: text("Address of the committer."),
        username: text("Account of the committer; empty if there is none."),
      },
      { description: "The committer." },
    ),
    verification: VerificationResource,
    timestamp: time("When it was written."),
    added: Type.Null({ description: "Not included here." }),
    removed: Type.Null({ description: "Not included here." }),
    modified: Type.Null({ description: "Not included here." }),
  },
  { $id: "PayloadCommit", description: "The newest commit of a branch." },
);

export interface CommitParts {
  readonly changes: CommitChanges | undefined;
  readonly withFiles: boolean;
  readonly withStats: boolean;
  /** undefined: no information about the signature. */
  readonly verification: Verification | undefined;
}

/**
 * A commit with its accounts (contract git-content.md 7.1).
 * @param accounts by the addresses in commits, in lower case
 */
export function commitResource(
  seen: SeenRepo,
  read: ReadCommit,
  accounts: ReadonlyMap<string, UserResource>,
  parts: CommitParts,
  links: Links,
): CommitResource {
  const { oid, commit, signed } = read;
  const { changes } = parts;
  const url = `${repoAddress(seen, links)}/git/commits/${oid}`;
  const created = rfc3339In(commit.committer.timestamp, commit.committer.offsetMinutes);
  const account = (person: Signature) => accounts.get(person.email.toLowerCase()) ?? null;
  return {
    url,
    sha: oid,
    created,
    html_url: `${repoPage(seen, links)}/commit/${oid}`,
    commit: {
      url,
      author: signatureResource(commit.author),
      committer: signatureResource(commit.committer),
      message: shownText(commit.message),
      // Clients expect the commit's own id here; /git/trees accepts it.
      tree: { url: `${repoAddress(seen, links)}/git/trees/${oid}`, sha: oid, created },
      verification: parts.verification ? verificationResource(parts.verification, commit.signature, signed) : null,
    },
    author: account(commit.author),
    committer: account(commit.committer),
    parents: parentResources(seen, commit.parents, links),
    files: parts.withFiles && changes ? changes.files.map(({ path, status }) => ({ filename: path, status })) : null,
    stats:
      parts.withStats && changes
        ? {
            total: changes.additions + changes.deletions,
            additions: changes.additions,
            deletions: changes.deletions,
          }
        : null,
  };
}

/** Otherwise fifty entries with a message of a megabyte each would make a response of fifty. */
const MAX_TEXT = 64 * 1024;

/** A message, signature or payload of a commit or tag, truncated for the API. */
export function shownText(whole: string): string {
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole;
}

/** The commit in the response to an edit; dates in UTC (contract git-content.md 4.5). */
export function fileCommitResource(seen: SeenRepo, { oid, commit }: ReadCommit, links: Links) {
  const api = repoAddress(seen, links);
  const utc = (person: Signature) => ({ ...signatureResource(person), date: rfc3339(person.timestamp * 1000) });
  return {
    url: `${api}/git/commits/${oid}`,
    sha: oid,
    created: ZERO_TIME,
    html_url: `${repoPage(seen, links)}/commit/${oid}`,
    author: utc(commit.author),
    committer: utc(commit.committer),
    parents: parentResources(seen, commit.parents, links),
    message: shownText(commit.message),
    tree: { url: `${api}/git/trees/${commit.tree}`, sha: commit.tree, created: ZERO_TIME },
  };
}

export function payloadCommitResource(
  seen: SeenRepo,
  read: ReadCommit,
  people: People,
  verification: Verification | undefined,
  links: Links,
) {
  const { oid, commit, signed } = read;
  const person = ({ name, email }: Signature) => ({
    name,
    email,
    username: people.get(email.toLowerCase())?.login ?? "",
  });
  return {
    id: oid,
    message: shownText(commit.message),
    url: `${repoPage(seen, links)}/commit/${oid}`,
    author: person(commit.author),
    committer: person(commit.committer),
    verification: verificationResource(verification, commit.signature, signed),
    timestamp: rfc3339In(commit.author.timestamp, commit.author.offsetMinutes),
    added: null,
    removed: null,
    modified: null,
  };
}

export function signatureResource(person: Signature) {
  return { name: person.name, email: person.email, date: rfc3339In(person.timestamp, person.offsetMinutes) };
}

function parentResources(seen: SeenRepo, parents: readonly Oid[], links: Links) {
  const api = repoAddress(seen, links);
  return parents.map((sha) => ({ url: `${api}/git/commits/${sha}`, sha, created: ZERO_TIME }));
}
