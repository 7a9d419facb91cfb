/** Finds the references in a text: the module that contains a Markdown parser. Load it with `import()`. */
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

/** What a reference does to its target when its source takes effect. */
export type Action = "none" | "closes" | "reopens";

export interface FoundItem {
  readonly reference: ItemReference;
  readonly action: Action;
}

/** `@org/team`, or the account of that name. */
export interface Mention extends Omit<AccountReference, "kind"> {
  readonly team: string | undefined;
}

/** The references in a text, without duplicates. */
export interface TextReferences {
  readonly items: readonly FoundItem[];
  readonly mentions: readonly Mention[];
}

export const nothing: TextReferences = { items: [], mentions: [] };

/** Any beyond this are ignored: each costs lookups. */
export const MAX_FOUND = 100;

/**
 * The references in a Markdown text. Code, HTML and link texts don't count; link targets do.
 * @param rootUrl ends in `/`
 */
export function readMarkdown(source: string, rootUrl: string): TextReferences {
  return mayRefer(source) ? readFlat(flatten(source, rootUrl), rootUrl) : nothing;
}

/** The references in a text without markup, such as a title. */
export function readPlain(text: string, rootUrl: string): TextReferences {
  return mayRefer(text) ? readFlat({ text: withoutMarkers(text), links: [] }, rootUrl) : nothing;
}

/** A text without its markup. A link is represented by its index in `links` between two markers. */
interface FlatText {
  readonly text: string;
  readonly links: readonly string[];
}

const LINK = "\u0001";
/** Stands for code and the like, so that no reference can touch it. */
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

/** An item reference with its position in the text. */
export interface PlacedItem extends FoundItem {
  readonly at: number;
}

/** All item references in a flat text, in order. */
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

/** A URL with a fragment refers to the same thing; punctuation after it is not part of it. */
function addressed(address: string | undefined, rootUrl: string) {
  let page = (address ?? "").replace(/[?#].*$/s, "");
  while (TRAILING.has(page.at(-1) ?? "")) page = page.slice(0, -1);
  return parseAddress(page, rootUrl)?.reference;
}

function actionOf(keyword: string | undefined): Action {
  if (keyword === undefined) return "none";
  return keyword.toLowerCase().startsWith("reopen") ? "reopens" : "closes";
}

/** Combines the references of two texts that belong together. */
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

/** An item reference in a commit message, without duplicates, with the time it logs. */
export interface CommitItem extends FoundItem {
  /** From the time note that belongs to it; 0 if there is none. */
  readonly seconds: number;
}

const AMOUNT = "\\d{1,6}(?:[.,]\\d{1,6})?";
const timesIn = () =>
  new RegExp(`(?<=^|[\\s([])@((?:${AMOUNT}w)?(?:${AMOUNT}d)?(?:${AMOUNT}h)?(?:${AMOUNT}m)?)(?=$|[\\s)\\]:;,.?!])`, "g");

/**
 * The references in a commit message (contract issues.md 18.4). A time note belongs to the reference before it, or to
 * the first if there is none before; if one reference has several notes the first counts.
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
