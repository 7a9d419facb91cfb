import { type Language, type LanguageName, languages } from "./language.ts";

/**
 * Words of an area in every language. A message is a text with `{names}` for what is filled in, or one text for each
 * plural form of the number called `count`. English is the source: its keys and names are what the others must have.
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

/** What a message wants filled in. */
export type NamesOf<M extends Message> = NamesIn<TextsOf<M>> | (M extends string ? never : "count");
/** The parts of a message that stand for elements: `<link>…</link>`. */
export type TagsOf<M extends Message> = TagsIn<TextsOf<M>>;

/** Keys of messages that are plain text. */
export type TextKey<Source extends Messages> = {
  [Key in keyof Source & string]: [TagsOf<Source[Key]>] extends [never] ? Key : never;
}[keyof Source & string];

/** Keys of messages that are said as they stand: for tables of keys. */
export type PlainKey<Source extends Messages> = {
  [Key in TextKey<Source>]: [NamesOf<Source[Key]>] extends [never] ? Key : never;
}[TextKey<Source>];

export type Params<M extends Message> = { readonly [Name in NamesOf<M>]: string | number } & (M extends string
  ? unknown
  : { readonly count: number });

/** Says a message of one catalogue in one language; numbers are written as the language does. */
export type Translate<Source extends Messages> = <Key extends TextKey<Source>>(
  key: Key,
  ...params: [NamesOf<Source[Key]>] extends [never] ? [] : [params: Params<Source[Key]>]
) => string;

type LooseParams = Readonly<Record<string, string | number>>;

/** One message in whatever language is asked for: what an area adds to the frames of others. */
export type Label = (language: Language) => string;

export class Catalogue<Source extends Messages> {
  /** @param others the translations by language; each is asked for when its words are, so a getter may load them */
  constructor(
    readonly source: Source,
    private readonly others: { readonly [Name in Exclude<LanguageName, "en">]?: Words<Source> },
  ) {}

  /** A message as it stands; English where a language has none of this catalogue yet. */
  message(language: Language, key: keyof Source & string): Message | undefined {
    return (this.messagesOf(language.name) ?? this.source)[key];
  }

  /** The text of a message for these values, its names not yet filled in. */
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

  /** A message by a key that comes from elsewhere, an error's code; undefined when there is none. */
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

/** A text cut at its names, which stand at the odd places, by the text: a list says the same one for each of its rows. */
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
