/** The ways to refer to something in a text (contract web.md 4.3, issues.md 18.1). */
export type Reference = ItemReference | CommitReference | AccountReference | TeamReference;

/** The repository named in the reference; absent: the one the text belongs to. */
export interface RepoNames {
  readonly owner: string;
  readonly name: string;
}

/** `#12`, `!12`, `owner/repo#12`: an issue or pull request. */
export interface ItemReference {
  readonly kind: "item";
  readonly repo: RepoNames | undefined;
  readonly number: number;
}

/** 7 to 64 hexadecimal digits, `owner/repo@…`. */
export interface CommitReference {
  readonly kind: "commit";
  readonly repo: RepoNames | undefined;
  readonly id: string;
}

/** `@name` */
export interface AccountReference {
  readonly kind: "account";
  readonly login: string;
}

/** `@org/team` */
export interface TeamReference {
  readonly kind: "team";
  readonly organization: string;
  readonly team: string;
}

const NAMES = "([A-Za-z0-9][\\w.-]{0,39})/([\\w.-]{1,100})";
const LOGIN = "[A-Za-z0-9](?:[-._]?[A-Za-z0-9]){0,39}";
const TEAM = "[A-Za-z0-9](?:[\\w.-]{0,98}[\\w-])?";
const ITEM_WORD = `(?:[A-Za-z0-9][\\w.-]{0,39}/[\\w.-]{1,100})?[#!]\\d{1,9}`;
const WORD = `(?:${ITEM_WORD}|(?:${NAMES}@)?[0-9a-f]{7,64}|@${LOGIN}(?:/${TEAM})?)`;
export const QUOTE = "[\"'“”‘’«»]|&quot;|&#39;|&#x27;";

/** Parts of patterns, without capturing groups. */
export const wordsOf = { item: ITEM_WORD, login: LOGIN, team: TEAM };

/** A reference in a text node, between whitespace, brackets or quotes; punctuation may follow it. */
export const inText = () => new RegExp(`(?<=^|[\\s([]|${QUOTE})${WORD}(?=$|[\\s)\\]]|${QUOTE}|[:;,.?!](?:\\s|$))`, "g");

const ITEM = new RegExp(`^(?:${NAMES})?[#!](\\d{1,9})$`);
const COMMIT = new RegExp(`^(?:${NAMES}@)?([0-9a-f]{7,64})$`);
const ACCOUNT = new RegExp(`^@(${LOGIN})(?:/(${TEAM}))?$`);

/** Parses a word; undefined if it is not a reference. */
export function parseReference(word: string): Reference | undefined {
  const repoOf = (owner: string | undefined, name: string | undefined) =>
    owner === undefined || name === undefined ? undefined : { owner, name };
  const item = ITEM.exec(word);
  if (item) return { kind: "item", repo: repoOf(item[1], item[2]), number: Number(item[3]) };
  const commit = COMMIT.exec(word);
  if (commit?.[3]) return { kind: "commit", repo: repoOf(commit[1], commit[2]), id: commit[3] };
  const [, login, team] = ACCOUNT.exec(word) ?? [];
  if (login === undefined) return undefined;
  return team === undefined ? { kind: "account", login } : { kind: "team", organization: login, team };
}

const COMPARE_PATH = new RegExp(`^${NAMES}/compare/([0-9a-f]{40,64})(\\.{2,3})([0-9a-f]{40,64})$`);
const SITE_PATH = new RegExp(
  `^${NAMES}/(?:(?:commit|src/commit|archive)/([0-9a-f]{7,64})([^?#\\s]{0,1000})|(?:issues|pulls)/(\\d{1,9}))(\\?[^#\\s]{0,1000})?(#[\\w:.-]{1,200})?$`,
);

/** The reference behind a URL, and what its short form appends. */
export interface AddressedReference {
  readonly reference: Reference;
  /** `.patch`, `/docs/a.md (L2-L3)`, ` (comment)` */
  readonly suffix: string;
}

/**
 * The reference behind a URL of this site; undefined for URLs of other sites, or pages without a short form.
 * @param rootUrl ends in `/`
 */
export function parseAddress(href: string, rootUrl: string): AddressedReference | undefined {
  if (href.slice(0, rootUrl.length).toLowerCase() !== rootUrl.toLowerCase()) return undefined;
  const path = href.slice(rootUrl.length);
  const [, ofOwner, ofName, from = "", dots = "", to = ""] = COMPARE_PATH.exec(path) ?? [];
  if (ofOwner !== undefined && ofName !== undefined)
    return {
      reference: { kind: "commit", repo: { owner: ofOwner, name: ofName }, id: from },
      suffix: dots + to.slice(0, 10),
    };
  const found = SITE_PATH.exec(path);
  const [, owner, name, id, rest = "", number, query, hash] = found ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const repo = { owner, name };
  if (id !== undefined) {
    const place = hash === undefined ? "" : ` (${hash.slice(1)})`;
    return { reference: { kind: "commit", repo, id }, suffix: rest + place };
  }
  // A filtered list, or a fragment that is not a comment, is more than the item.
  const isComment = hash?.startsWith("#issuecomment-") ?? false;
  if (query !== undefined || (hash !== undefined && !isComment)) return undefined;
  return { reference: { kind: "item", repo, number: Number(number) }, suffix: isComment ? " (comment)" : "" };
}

/** Whether a text may refer to anything: most do not, and need no parser. */
export function mayRefer(text: string): boolean {
  return /[#!@]\w|\/(?:issues|pulls)\/\d/.test(text);
}
