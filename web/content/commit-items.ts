import type { People, ReadCommit } from "../../src/content/commits/service.ts";
import type { Signature } from "../../src/git/objects/commit.ts";
import type { Person } from "../components/avatar.tsx";
import { subjectOf } from "../home/pushed-commits.ts";
import { personOf } from "../people.ts";
import type { CommitSummary } from "./commit-line.tsx";

/** Longer messages are truncated in lists; the commit's page shows them in full. */
const MAX_BODY = 4000;

/** The author of a commit: the account with that email address, or the name in the commit. */
export function personOfSignature(person: Signature, people: People): Person {
  const user = people.get(person.email.toLowerCase());
  return user ? personOf(user) : { name: person.name || person.email || "unknown" };
}

export function isSameSignature(a: Signature, b: Signature): boolean {
  return a.email.toLowerCase() === b.email.toLowerCase() && a.name === b.name;
}

/** A forge's own signature on a merge made in its pages says nothing about who worked on it. */
function isForge({ name, email }: Signature): boolean {
  return name === "GitHub" && email === "noreply@github.com";
}

/** The message without its first line. */
export function bodyOf(message: string): string {
  const end = message.indexOf("\n");
  return end < 0 ? "" : message.slice(end + 1).trim();
}

/** A commit as lists show it. */
export function commitSummary({ oid, commit }: ReadCommit, people: People): CommitSummary {
  const { author, committer, message } = commit;
  return {
    sha: oid,
    subject: subjectOf(message),
    body: bodyOf(message).slice(0, MAX_BODY),
    author: personOfSignature(author, people),
    at: committer.timestamp * 1000,
    ...(isSameSignature(author, committer) || isForge(committer)
      ? {}
      : { committer: personOfSignature(committer, people) }),
  };
}
