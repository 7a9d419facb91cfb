/** What people write to point at something (contract web.md 4.3, issues.md 18.1). */
export type Reference = ItemReference | CommitReference | AccountReference | TeamReference;

/** The repository a reference names itself; absent: the one its text stands in. */
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

/** Parts of patterns, without groups that capture. */
export const wordsOf = { item: ITEM_WORD, login: LOGIN, team: TEAM };

/** A reference in a text node: after white space, an opening bracket or a quote, before white space, a closing one or punctuation. */
export const inText = () => new RegExp(`(?<=^|[\\s([]|${QUOTE})${WORD}(?=$|[\\s)\\]]|${QUOTE}|[:;,.?!](?:\\s|$))`, "g");

const ITEM = new RegExp(`^(?:${NAMES})?[#!](\\d{1,9})$`);
const COMMIT = new RegExp(`^(?:${NAMES}@)?([0-9a-f]{7,64})$`);
const ACCOUNT = new RegExp(`^@(${LOGIN})(?:/(${TEAM}))?$`);

/** What a word says; undefined when it is no reference. */
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

/** What an address points at, and what of it the short form adds. */
export interface AddressedReference {
  readonly reference: Reference;
  /** `.patch`, `/docs/a.md (L2-L3)`, ` (comment)` */
  readonly suffix: string;
}

/**
 * What an address of this site points at; undefined when it is another's, or a page without a short form.
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
  // A list that is filtered, or a place that is no comment, is more than the item.
  const isComment = hash?.startsWith("#issuecomment-") ?? false;
  if (query !== undefined || (hash !== undefined && !isComment)) return undefined;
  return { reference: { kind: "item", repo, number: Number(number) }, suffix: isComment ? " (comment)" : "" };
}

/** Whether a text may refer to anything: most do not, and need no parser. */
export function mayRefer(text: string): boolean {
  return /[#!@]\w|\/(?:issues|pulls)\/\d/.test(text);
}
