import type { Principal } from "../access/principal.ts";
import type { MarkedHtml, SafeHtml } from "../markup/safe-html.ts";
import { trustHtml } from "../markup/safe-html.ts";
import type { SeenRepo } from "../repos/types.ts";
import { type ExcerptResolver, excerptsIn, withExcerpts } from "./excerpts.ts";
import { parseAddress, parseReference, type Reference } from "./grammar.ts";
import { type Mark, marksIn, withoutMarks } from "./marks.ts";

/** The reader, and the context of the text. */
export interface Reader {
  readonly principal: Principal;
  /** The repository of the text, as the principal sees it. */
  readonly repo: SeenRepo | undefined;
  /** What `#12` resolves to if the repository has no such item; by default it stays as written. */
  readonly missing?: (number: number) => Target;
}

/** How a reference is displayed to a reader. */
export interface Target {
  /** A path on this site. */
  readonly href: string;
  /** `#12`, `owner/repo#12`, `abcdef0123`, `@name`, `@org/team`. */
  readonly label: string;
  readonly className: "ref-issue" | "commit" | "mention";
  readonly title?: string;
}

/**
 * Resolves all references of one kind on a page in one call: undefined both for what does not exist and for what the
 * reader may not see, so that the two cannot be told apart. The work must be bounded, because texts can refer to
 * anything.
 */
export type Resolver<R extends Reference> = (
  reader: Reader,
  references: readonly R[],
) => readonly (Target | undefined)[];

type OfKind<K extends Reference["kind"]> = Extract<Reference, { kind: K }>;
type Resolvers = { [K in Reference["kind"]]?: Resolver<OfKind<K>> };

/** Turns the marks in rendered texts into links, for one reader at a time. */
export class ReferenceService {
  private readonly resolvers: Resolvers = {};
  private excerpts: ExcerptResolver | undefined;

  /** @param rootUrl ends in `/`; URLs below it belong to this site */
  constructor(private readonly rootUrl: string) {}

  /** Registers the resolver of the area that owns a kind of reference. @throws Error if a kind has two */
  register<K extends Reference["kind"]>(kind: K, resolver: Resolvers[K]): void {
    if (this.resolvers[kind]) throw new Error(`two areas resolve references of kind ${kind}`);
    this.resolvers[kind] = resolver;
  }

  /** Registers the resolver for quoted lines, from the area that owns files. */
  registerExcerpts(resolver: ExcerptResolver): void {
    this.excerpts = resolver;
  }

  /** The texts of a page as this reader sees them; each kind is looked up once for all of them. */
  resolve(reader: Reader, ...given: readonly MarkedHtml[]): SafeHtml[] {
    const texts = this.quoted(reader, given);
    const wanted = new Map<string, Reference>();
    for (const text of texts)
      for (const mark of marksIn(text)) {
        const reference = this.referenceOf(mark);
        if (reference) wanted.set(keyOf(mark), reference);
      }
    const targets = this.targets(reader, wanted);
    return texts.map((text) => withoutMarks(text, (mark) => this.shownAs(mark, targets.get(keyOf(mark)))));
  }

  private quoted(reader: Reader, texts: readonly MarkedHtml[]): readonly MarkedHtml[] {
    const places = new Map(texts.flatMap((text) => [...excerptsIn(text, this.rootUrl)]));
    if (places.size === 0 || !this.excerpts) return texts;
    const lines = this.excerpts(reader, [...places.values()]);
    const found = new Map([...places].map(([address, { first }], at) => [address, { first, lines: lines[at] }]));
    return texts.map((text) =>
      withExcerpts(text, (address) => {
        const { first = 1, lines } = found.get(address) ?? {};
        return lines && { first, lines };
      }),
    );
  }

  private referenceOf({ kind, text }: Mark): Reference | undefined {
    return kind === "word" ? parseReference(text) : parseAddress(text, this.rootUrl)?.reference;
  }

  private targets(reader: Reader, wanted: ReadonlyMap<string, Reference>): Map<string, Target> {
    const found = new Map<string, Target>();
    const look = <K extends Reference["kind"]>(kind: K) => {
      const mine = [...wanted].filter((entry): entry is [string, OfKind<K>] => entry[1].kind === kind);
      const resolver = this.resolvers[kind] as Resolver<OfKind<K>> | undefined;
      if (!resolver || mine.length === 0) return;
      const targets = resolver(
        reader,
        mine.map(([, reference]) => reference),
      );
      for (const [at, [key]] of mine.entries()) {
        const target = targets[at];
        if (target) found.set(key, target);
      }
    };
    look("account");
    look("team");
    look("commit");
    look("item");
    if (reader.missing)
      for (const [key, reference] of wanted)
        if (reference.kind === "item" && key.startsWith("word #") && !found.has(key))
          found.set(key, reader.missing(reference.number));
    return found;
  }

  private shownAs(mark: Mark, target: Target | undefined): SafeHtml | undefined {
    if (!target) return undefined;
    const suffix = mark.kind === "address" ? (parseAddress(mark.text, this.rootUrl)?.suffix ?? "") : "";
    const isInCode = target.className === "commit";
    const label = Bun.escapeHTML(isInCode ? target.label + suffix : target.label);
    const text = isInCode ? `<code>${label}</code>` : label + Bun.escapeHTML(suffix);
    // A URL keeps its own link, which may have a fragment.
    if (mark.kind === "address") return trustHtml(text);
    const title = target.title === undefined ? "" : ` title="${Bun.escapeHTML(target.title)}"`;
    return trustHtml(`<a class="${target.className}" href="${Bun.escapeHTML(target.href)}"${title}>${text}</a>`);
  }
}

const keyOf = ({ kind, text }: Mark) => `${kind} ${text}`;
