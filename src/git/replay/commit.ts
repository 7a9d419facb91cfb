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

/** The parts of a replayed commit that depend on who replays it. */
export interface Replayer {
  readonly committer: Signature;
  /** Creates an ASCII-armoured signature of the commit's bytes; if undefined, commits are not signed. */
  readonly sign?: (payload: Uint8Array) => string;
  /** The signer, if they are to be the committer in place of `committer`, who is then named in a trailer. */
  readonly signer?: SignatureIdentity | undefined;
}

export interface CommitParts {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** A signature, or the raw line from another commit (as returned by `decodeName`). */
  readonly author: Signature | string;
  /** As returned by `decodeName`. */
  readonly message: string;
}

/** Adds a commit to the overlay. */
export function putCommit(overlay: Overlay, parts: CommitParts, { sign, ...replayer }: Replayer): Oid {
  const { tree, parents, author } = parts;
  const { committer, message } = committedBy(replayer.signer, { ...parts, committer: replayer.committer });
  // A commit is UTF-8 unless it declares otherwise.
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
 * The committer and the message. If the signer is the committer, the original committer is recorded in a trailer,
 * unless they are the author (contract git-content.md 4.3).
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

/** A stored commit in the form needed for a replay. */
export interface OldCommit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** The author line, in UTF-8 if its encoding is known. */
  readonly author: string;
  /** Without leading blank lines, as git uses messages. */
  readonly message: string;
  /** The first paragraph, joined into one line. */
  readonly subject: string;
}

/** @throws CorruptObject if there is no such commit */
export function readCommit(store: ObjectSource, oid: Oid): OldCommit {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new CorruptObject(`commit ${oid} is missing`);
  const text = new CommitText({ oid, data: object.data });
  return {
    oid,
    tree: text.tree,
    parents: text.parents,
    author: text.signature("author") ?? "",
    // git drops the empty lines before a subject.
    message: text.message.replace(/^(?:[ \t\v\f\r]*(?:\n|$))+/, ""),
    subject: text.subject(" "),
  };
}

const LABEL_DIGITS = 7;

/** The commit's label in conflict markers: `1234567 (subject)`. */
export function labelOf({ oid, subject }: OldCommit): string {
  return `${oid.slice(0, LABEL_DIGITS)} (${subject})`;
}

/** Whether a message has several paragraphs and the last one consists of trailers. */
export function endsInTrailers(message: string): boolean {
  const paragraphs = message.trimEnd().split("\n\n");
  const last = paragraphs.at(-1) ?? "";
  return paragraphs.length > 1 && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
}

/** Adds a `Co-authored-by:` line for each person to the message, after its existing trailers. */
export function withCoAuthors(message: string, people: readonly SignatureIdentity[]): string {
  if (people.length === 0) return message;
  const own = message.trimEnd();
  const missing = people
    .map(({ name, email }) => `Co-authored-by: ${name} <${email}>`)
    .filter((line, i, all) => all.indexOf(line) === i && !own.split("\n").includes(line));
  if (missing.length === 0) return message;
  return `${own}${endsInTrailers(own) ? "\n" : "\n\n"}${missing.join("\n")}\n`;
}
