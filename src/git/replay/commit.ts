import { CorruptObject } from "../errors.ts";
import { signatureHeader } from "../objects/commit.ts";
import { formatOf } from "../objects/format.ts";
import { formatHeader } from "../objects/headers.ts";
import { encodeName, withoutBytes } from "../objects/names.ts";
import { formatSignature, type Signature, type SignatureIdentity } from "../objects/signature.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { CommitText } from "../pretty/commit-text.ts";
import { trimEndOf } from "../text-ends.ts";

/** What a replayed commit gets from whoever replays it. */
export interface Replayer {
  readonly committer: Signature;
  /** Makes an ASCII-armoured signature over the commit's bytes; without it commits are not signed. */
  readonly sign?: (payload: Uint8Array) => string;
  /** Whoever signs, where they are to be the committer in place of `committer`, whom a trailer names then. */
  readonly signer?: SignatureIdentity | undefined;
}

export interface CommitParts {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** A signature, or its line as it stands in another commit (as `decodeName` gives it). */
  readonly author: Signature | string;
  /** As `decodeName` gives it. */
  readonly message: string;
}

/** Puts a commit into the overlay. */
export function putCommit(overlay: Overlay, parts: CommitParts, { sign, ...replayer }: Replayer): Oid {
  const { tree, parents, author } = parts;
  const { committer, message } = committedBy(replayer.signer, { ...parts, committer: replayer.committer });
  // A commit is UTF-8 unless it says otherwise.
  const encode = (text: string) => encodeName(withoutBytes(text));
  const lines = [`tree ${tree}\n`, ...parents.map((parent) => `parent ${parent}\n`)];
  const authorLine = typeof author === "string" ? author : formatSignature(author);
  lines.push(`author ${authorLine}\ncommitter ${formatSignature(committer)}\n`);
  const head = lines.join("");
  const payload = encode(`${head}\n${message}`);
  if (!sign) return overlay.put("commit", payload);
  const signature = trimEndOf(sign(payload), "\n");
  return overlay.put(
    "commit",
    encode(`${head}${formatHeader({ name: signatureHeader(formatOf(tree)), value: signature })}\n${message}`),
  );
}

/**
 * Who commits, and the message. A signer who is the committer leaves whoever it was in a trailer, unless they are the
 * author (contract git-content.md 4.3).
 */
export function committedBy(
  signer: SignatureIdentity | undefined,
  { author, committer, message }: Pick<CommitParts, "author" | "message"> & { readonly committer: Signature },
): { readonly committer: Signature; readonly message: string } {
  if (!signer) return { committer, message };
  const person = `${committer.name} <${committer.email}>`;
  const isAuthor = (typeof author === "string" ? author : formatSignature(author)).startsWith(`${person} `);
  return {
    committer: { ...committer, ...signer },
    message: isAuthor ? message : withCoAuthors(message, [committer]),
  };
}

/** A stored commit as a replay needs it. */
export interface OldCommit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** The author's line, in UTF-8 as far as its encoding is known. */
  readonly author: string;
  /** Without blank lines before it, as git takes messages over. */
  readonly message: string;
  /** The first paragraph on one line. */
  readonly subject: string;
}

/** @throws CorruptObject when there is no such commit */
export function readCommit(store: ObjectSource, oid: Oid): OldCommit {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new CorruptObject(`commit ${oid} is missing`);
  const text = new CommitText({ oid, data: object.data });
  return {
    oid,
    tree: text.tree,
    parents: text.parents,
    author: text.signature("author") ?? "",
    // git goes without the empty lines before a subject.
    message: text.message.replace(/^(?:[ \t\v\f\r]*(?:\n|$))+/, ""),
    subject: text.subject(" "),
  };
}

const LABEL_DIGITS = 7;

/** How a commit is called in conflict markers: `1234567 (subject)`. */
export function labelOf({ oid, subject }: OldCommit): string {
  return `${oid.slice(0, LABEL_DIGITS)} (${subject})`;
}

/** Whether the last paragraph of a message, which is not its only one, is trailers. */
export function endsInTrailers(message: string): boolean {
  const paragraphs = message.trimEnd().split("\n\n");
  const last = paragraphs.at(-1) ?? "";
  return paragraphs.length > 1 && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
}

/** The message with a `Co-authored-by:` line for each person, after the trailers it has. */
export function withCoAuthors(message: string, people: readonly SignatureIdentity[]): string {
  if (people.length === 0) return message;
  const own = message.trimEnd();
  const missing = people
    .map(({ name, email }) => `Co-authored-by: ${name} <${email}>`)
    .filter((line, i, all) => all.indexOf(line) === i && !own.split("\n").includes(line));
  if (missing.length === 0) return message;
  return `${own}${endsInTrailers(own) ? "\n" : "\n\n"}${missing.join("\n")}\n`;
}
