/** Finds what a text refers to: the module that holds a Markdown parser. Load it with `import()`. */
import createMarkdownIt from "markdown-it";
import { parseTimeNote } from "../time/duration.ts";
import {
  type AccountReference,
  type ItemReference,
  mayRefer,
  parseAddress,
  parseReference,
  QUOTE,
  wordsOf,
} from "./grammar.ts";

/** What a reference does to its target when what it stands in comes true. */
export type Action = "none" | "closes" | "reopens";

export interface FoundItem {
  readonly reference: ItemReference;
  readonly action: Action;
}

/** `@org/team`, or the account of that name. */
export interface Mention extends Omit<AccountReference, "kind"> {
  readonly team: string | undefined;
}

/** What a text refers to, each thing once. */
export interface TextReferences {
  readonly items: readonly FoundItem[];
  readonly mentions: readonly Mention[];
}

export const nothing: TextReferences = { items: [], mentions: [] };

/** More of each count for nothing: every one of them costs look-ups. */
export const MAX_FOUND = 100;

/**
 * What a Markdown text refers to. Code, HTML and the texts of links say nothing; their targets do.
 * @param rootUrl ends in `/`
 */
export function readMarkdown(source: string, rootUrl: string): TextReferences {
  return mayRefer(source) ? readFlat(flatten(source, rootUrl), rootUrl) : nothing;
}

/** What a text that is no markup refers to, such as a title. */
export function readPlain(text: string, rootUrl: string): TextReferences {
  return mayRefer(text) ? readFlat({ text: withoutMarkers(text), links: [] }, rootUrl) : nothing;
}

/** A text without its markup. A link stands in it as its place in `links` between two markers. */
interface FlatText {
  readonly text: string;
  readonly links: readonly string[];
}

const LINK = "\u0001";
/** Stands for code and the like, which no reference touches. */
const SOMETHING = "\u0002";
const withoutMarkers = (text: string) => text.replace(/[\u0001\u0002]/g, " ");

const parser = createMarkdownIt({ html: true, linkify: false });

function flatten(source: string, rootUrl: string): FlatText {
  const parts: string[] = [];
  const links: string[] = [];
  for (const token of parser.parse(source, {})) {
    if (token.type !== "inline") continue;
    let depth = 0;
    for (const child of token.children ?? []) {
      if (child.type === "link_open") {
        if (depth++ === 0) {
          const href = String(child.attrGet("href") ?? "");
          parts.push(`${LINK}${links.length}${LINK}`);
          links.push(URL.canParse(href, rootUrl) ? new URL(href, rootUrl).href : "");
        }
      } else if (child.type === "link_close") depth--;
      else if (depth > 0) continue;
      else if (child.type === "text") parts.push(withoutMarkers(child.content));
      else if (child.type === "softbreak" || child.type === "hardbreak") parts.push("\n");
      else if (child.type === "code_inline" || child.type === "image") parts.push(SOMETHING);
    }
    parts.push("\n");
  }
  return { text: parts.join(""), links };
}

const { item, login, team: teamName } = wordsOf;
const KEYWORD = "close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?";
const BEGINS = `(?<=^|[\\s([]|${QUOTE})`;
const ENDS = `(?=$|[\\s)\\]]|${QUOTE}|[:;,.?!](?:\\s|$))`;
const itemsIn = () =>
  new RegExp(
    `${BEGINS}(?:(${KEYWORD}):? )?(?:(${item})${ENDS}|${LINK}(\\d+)${LINK}|(https?://[^\\s<>"'\`${LINK}]{1,2000}))`,
    "gi",
  );
const mentionsIn = () => new RegExp(`${BEGINS}@(${login})(?:/(${teamName}))?${ENDS}`, "g");

/** Where in a text an item is referred to. */
export interface PlacedItem extends FoundItem {
  readonly at: number;
}

/** Every reference to an item in a flat text, in their order. */
export function itemsOf({ text, links }: FlatText, rootUrl: string): PlacedItem[] {
  const found: PlacedItem[] = [];
  for (const match of text.matchAll(itemsIn())) {
    const [, keyword, word, link, url] = match;
    const reference =
      word === undefined ? addressed(link === undefined ? url : links[Number(link)], rootUrl) : parseReference(word);
    if (reference?.kind === "item") found.push({ reference, action: actionOf(keyword), at: match.index });
  }
  return found;
}

const TRAILING: ReadonlySet<string> = new Set(".,:;!?)]");

/** An address with a place on the page leads to the same thing; punctuation after it does not belong to it. */
function addressed(address: string | undefined, rootUrl: string) {
  let page = (address ?? "").replace(/[?#].*$/s, "");
  while (TRAILING.has(page.at(-1) ?? "")) page = page.slice(0, -1);
  return parseAddress(page, rootUrl)?.reference;
}

function actionOf(keyword: string | undefined): Action {
  if (keyword === undefined) return "none";
  return keyword.toLowerCase().startsWith("reopen") ? "reopens" : "closes";
}

/** What two texts of one thing refer to. */
export function together(one: TextReferences, other: TextReferences): TextReferences {
  const items = new Map(one.items.map((item) => [keyOf(item.reference), item]));
  for (const item of other.items) {
    const key = keyOf(item.reference);
    if ((items.get(key)?.action ?? "none") === "none") items.set(key, item);
  }
  return { items: [...items.values()], mentions: [...one.mentions, ...other.mentions] };
}

function readFlat(flat: FlatText, rootUrl: string): TextReferences {
  const items = new Map<string, FoundItem>();
  for (const { reference, action } of itemsOf(flat, rootUrl)) {
    const key = keyOf(reference);
    const known = items.get(key);
    if (known ? known.action === "none" && action !== "none" : items.size < MAX_FOUND)
      items.set(key, { reference, action });
  }
  const mentions = new Map<string, Mention>();
  for (const [, account = "", team] of flat.text.matchAll(mentionsIn())) {
    if (mentions.size === MAX_FOUND) break;
    mentions.set(`${account}/${team ?? ""}`.toLowerCase(), { login: account, team });
  }
  return { items: [...items.values()], mentions: [...mentions.values()] };
}

export function keyOf({ number, repo }: ItemReference): string {
  return `${repo ? `${repo.owner}/${repo.name}` : ""}#${number}`.toLowerCase();
}

/** What the message of a commit says of items: each once, with the time that closing it took. */
export interface CommitItem extends FoundItem {
  /** Of the note that belongs to it; 0: none. */
  readonly seconds: number;
}

const AMOUNT = "\\d{1,6}(?:[.,]\\d{1,6})?";
const timesIn = () =>
  new RegExp(`(?<=^|[\\s([])@((?:${AMOUNT}w)?(?:${AMOUNT}d)?(?:${AMOUNT}h)?(?:${AMOUNT}m)?)(?=$|[\\s)\\]:;,.?!])`, "g");

/**
 * What the message of a commit refers to (contract issues.md 18.4). A note of time belongs to the reference before it, or
 * to the first when none is; of several notes of one reference the first counts.
 */
export function readCommitMessage(message: string, rootUrl: string): CommitItem[] {
  if (!mayRefer(message)) return [];
  const text = withoutMarkers(message);
  const placed = itemsOf({ text, links: [] }, rootUrl);
  const [first] = placed;
  if (!first) return [];
  const notes = new Map<PlacedItem, number>();
  for (const match of text.matchAll(timesIn())) {
    const owner = placed.findLast(({ at }) => at < match.index) ?? first;
    if (match[1] && !notes.has(owner)) notes.set(owner, parseTimeNote(match[1]) ?? 0);
  }
  const items = new Map<string, CommitItem>();
  for (const each of placed) {
    const { reference, action } = each;
    const key = keyOf(reference);
    const known = items.get(key);
    const seconds = notes.get(each) ?? 0;
    if (!known && items.size < MAX_FOUND) items.set(key, { reference, action, seconds });
    else if (known && known.action === "none" && action !== "none") items.set(key, { reference, action, seconds });
  }
  return [...items.values()];
}
