import { type Language, type LanguageName, languages } from "./language.ts";

/**
 * The words of an area in every language. A message is a text with `{names}` as placeholders, or one text for each
 * plural form of the number named `count`. English is the source: translations must have its keys and names.
 */
export type Message = string | PluralForms;
export type PluralForms = { readonly other: string } & { readonly [Form in Intl.LDMLPluralRule]?: string };
export type Messages = Readonly<Record<string, Message>>;

/** A translation of that source: the same keys, a text for a text and plural forms for plural forms. */
export type Words<Source extends Messages> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : PluralForms;
};

type TextsOf<M extends Message> = M extends string ? M : M[keyof M] & string;
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type TagsIn<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagsIn<Rest> : never;

/** The placeholders of a message. */
export type NamesOf<M extends Message> = NamesIn<TextsOf<M>> | (M extends string ? never : "count");
/** The parts of a message that represent elements: `<link>…</link>`. */
export type TagsOf<M extends Message> = TagsIn<TextsOf<M>>;

/** Keys of messages that are plain text. */
export type TextKey<Source extends Messages> = {
  [Key in keyof Source & string]: [TagsOf<Source[Key]>] extends [never] ? Key : never;
}[keyof Source & string];

/** Keys of messages without placeholders: for tables of keys. */
export type PlainKey<Source extends Messages> = {
  [Key in TextKey<Source>]: [NamesOf<Source[Key]>] extends [never] ? Key : never;
}[TextKey<Source>];

export type Params<M extends Message> = { readonly [Name in NamesOf<M>]: string | number } & (M extends string
  ? unknown
  : { readonly count: number });

/** Translates a message of one catalogue into one language; numbers are formatted for that language. */
export type Translate<Source extends Messages> = <Key extends TextKey<Source>>(
  key: Key,
  ...params: [NamesOf<Source[Key]>] extends [never] ? [] : [params: Params<Source[Key]>]
) => string;

type LooseParams = Readonly<Record<string, string | number>>;

/** One message in any language: what an area contributes to the frames of others. */
export type Label = (language: Language) => string;

export class Catalogue<Source extends Messages> {
  /** @param others the translations by language; each is read only when needed, so a getter may load them */
  constructor(
    readonly source: Source,
    private readonly others: { readonly [Name in Exclude<LanguageName, "en">]?: Words<Source> },
  ) {}

  /** The unprocessed message; English if a language has no translation of this catalogue yet. */
  message(language: Language, key: keyof Source & string): Message | undefined {
    return (this.messagesOf(language.name) ?? this.source)[key];
  }

  /** The text of a message for this count, with its placeholders not yet filled in. */
  form(language: Language, key: keyof Source & string, count: unknown): string {
    const message = this.message(language, key);
    if (message === undefined) return key;
    if (typeof message === "string") return message;
    return message[language.pluralOf(typeof count === "number" ? count : 0)] ?? message.other;
  }

  in(language: Language): Translate<Source> {
    return (key, ...[params]) => {
      const values: LooseParams | undefined = params;
      return filled(this.form(language, key, values?.["count"]), values, language);
    };
  }

  label(key: PlainKey<Source>): Label {
    return (language) => this.form(language, key, undefined);
  }

  /** A message by a key from elsewhere, such as an error code; undefined if there is none. */
  find(language: Language, key: string, params: LooseParams): string | undefined {
    return Object.hasOwn(this.source, key)
      ? filled(this.form(language, key, params["count"]), params, language)
      : undefined;
  }

  /** Its messages by language, for the check. */
  translations(): { readonly name: LanguageName; readonly messages: Messages | undefined }[] {
    return languages.map(({ name }) => ({ name, messages: this.messagesOf(name) }));
  }

  private messagesOf(name: LanguageName): Messages | undefined {
    return name === "en" ? this.source : this.others[name];
  }
}

/** Texts split at their placeholders, which are at odd positions, by text: a list uses the same one for every row. */
const cut = new Map<string, readonly string[]>();

function cutOf(text: string): readonly string[] {
  const known = cut.get(text);
  if (known) return known;
  const made = text.split(/\{(\w+)\}/);
  cut.set(text, made);
  return made;
}

function filled(text: string, params: LooseParams | undefined, language: Language): string {
  if (params === undefined || !text.includes("{")) return text;
  const parts = cutOf(text);
  let said = parts[0] ?? "";
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? "";
    const value = params[name];
    said += value === undefined ? `{${name}}` : typeof value === "number" ? language.number(value) : value;
    said += parts[at + 1] ?? "";
  }
  return said;
}
