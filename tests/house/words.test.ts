import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Catalogue, type Message, type Messages } from "../../src/language/catalogue.ts";
import { languages } from "../../src/language/language.ts";
import { sentencesIn } from "./sentences.ts";

/**
 * Words for people stand in catalogues (docs/languages.md): every key in every language with the same names to fill in,
 * no key without a use, no sentence in a page.
 */

/** Languages that a catalogue does not have yet, and says in English. Only ever shorter; empty at the end. */
const untranslated: Readonly<Record<string, readonly string[]>> = {};

const root = join(import.meta.dir, "../..");

interface Found {
  /** `web/identity/words`. */
  readonly folder: string;
  readonly name: string;
  readonly catalogue: Catalogue<Messages>;
}

async function catalogues(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of new Bun.Glob("{src,web,cli}/**/words/index.ts").scan(root)) {
    const exported: Record<string, unknown> = await import(join(root, file));
    for (const [name, catalogue] of Object.entries(exported))
      if (catalogue instanceof Catalogue) found.push({ folder: dirname(file), name, catalogue });
  }
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

async function sources(pattern: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const file of new Bun.Glob(pattern).scan(root))
    if (!file.includes("/words/") && !file.endsWith(".d.ts")) texts.set(file, await Bun.file(join(root, file)).text());
  return texts;
}

const all = await catalogues();
const code = await sources("{src,web,cli}/**/*.{ts,tsx}");
const textsOf = (message: Message) => (typeof message === "string" ? [message] : Object.values(message));

/** What is filled into a text and the tags around parts of it, each once. */
function holes(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}|<\/?(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`))].sort();
}

/** What is wrong with a translation of a message. */
function faults(source: Message, translated: Message | undefined, forms: readonly string[]): string[] {
  if (translated === undefined) return ["is missing"];
  const found: string[] = [];
  if (typeof source !== typeof translated) found.push("is a text in one language and has plural forms in the other");
  if (typeof translated !== "string") {
    // "many" is for millions, where a language needs it at all.
    for (const form of forms) if (form !== "many" && !(form in translated)) found.push(`lacks the form ${form}`);
    for (const form of Object.keys(translated)) if (!forms.includes(form)) found.push(`has a form ${form} for nothing`);
  }
  const wanted = [...new Set(textsOf(source).flatMap(holes))].sort();
  for (const text of textsOf(translated)) {
    if (text.trim() === "") found.push("is empty");
    // A form may leave the number out: "one commit".
    const given = holes(text);
    if (typeof translated === "string" ? `${given}` !== `${wanted}` : given.some((hole) => !wanted.includes(hole)))
      found.push(`fills in ${given} where English has ${wanted}`);
  }
  return found;
}

test("catalogues are found", () => {
  expect(all.map(({ folder }) => folder)).toContain("web/identity/words");
});

test("every message stands in every language, with the same names to fill in and the forms the language has", () => {
  const found: string[] = [];
  for (const { folder, catalogue } of all)
    for (const { name, messages } of catalogue.translations()) {
      if (!messages) continue;
      const language = languages.find((one) => one.name === name);
      const forms = new Intl.PluralRules(language?.code).resolvedOptions().pluralCategories;
      for (const [key, source] of Object.entries(catalogue.source))
        for (const fault of faults(source, messages[key], forms)) found.push(`${folder}/${name}: ${key} ${fault}`);
      for (const key of Object.keys(messages))
        if (!Object.hasOwn(catalogue.source, key)) found.push(`${folder}/${name}: ${key} is not in English`);
    }
  expect(found).toEqual([]);
});

test("the languages that a catalogue lacks are those that are known to be missing", () => {
  const lacking = all.map(({ folder, catalogue }) => {
    const names = catalogue.translations().flatMap(({ name, messages }) => (messages ? [] : [name]));
    return [folder, names.sort()] as const;
  });
  expect(Object.fromEntries(lacking.filter(([, names]) => names.length > 0))).toEqual(
    untranslated as Record<string, never>,
  );
});

/** What a language does not put in its sentences, because its typography has another way. */
const misprints: Readonly<Record<string, RegExp>> = {
  // A no-break space before the high marks and inside the quotation marks; the apostrophe is not the typewriter's.
  fr: /(?:^|[^\u00a0\u202f])[;!?»]|[^\u00a0\u202f\d]:(?!\d)|«(?!\u00a0)|'/u,
  // A question or an exclamation is opened as well as closed.
  es: /^[^¿]*\?|^[^¡]*!/u,
  ja: /[\p{scx=Kana}\p{scx=Hira}\p{scx=Han}}>][,.!?;]/u,
  "zh-CN": /[\p{scx=Han}}>][,.!?;:]/u,
};

test("punctuation is as the language has it", () => {
  const found: string[] = [];
  for (const { folder, catalogue } of all)
    for (const { name, messages } of catalogue.translations())
      for (const [key, message] of Object.entries(messages ?? {}))
        for (const text of textsOf(message))
          if (misprints[name]?.test(text)) found.push(`${folder}/${name}: ${key}: ${text}`);
  expect(found).toEqual([]);
});

/** What would be another way to address people than docs/languages.md says. */
const otherAddress: Readonly<Record<string, RegExp>> = {
  de: /(?<![.:!?] |^)\b(?:Sie|Ihr|Ihre|Ihren|Ihrem|Ihrer|Ihres|Ihnen)\b|\bIhnen\b/u,
  es: /\busted(?:es)?\b/iu,
  fr: /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu,
  "zh-CN": /你/u,
};

test("people are addressed the same way everywhere", async () => {
  const found: string[] = [];
  for (const { folder, catalogue } of all)
    for (const { name, messages } of catalogue.translations())
      for (const [key, message] of Object.entries(messages ?? {}))
        for (const text of textsOf(message))
          if (otherAddress[name]?.test(text)) found.push(`${folder}/${name}: ${key}: ${text}`);
  expect(found).toEqual([]);
});

test("every message is used: its key stands where its catalogue is, an error's code where errors are thrown", () => {
  const unused: string[] = [];
  for (const { folder, name, catalogue } of all) {
    // Pages name the catalogue. The terminal and a push say their messages through one function.
    const area = `${dirname(folder)}/`;
    const users = [...code].filter(([file, text]) => text.includes(name) || file.startsWith(area));
    for (const key of Object.keys(catalogue.source)) {
      const places = key.includes(".") ? [...code].filter(([file]) => file.startsWith("src/")) : users;
      if (!places.some(([, text]) => mentions(text, key))) unused.push(`${folder}: ${key}`);
    }
  }
  expect(unused).toEqual([]);
});

/** Whether a text has the key as a literal, as a property, or as what a template makes: `sort.${name}`. */
function mentions(text: string, key: string): boolean {
  if (text.includes(`"${key}"`)) return true;
  return [...text.matchAll(/`([\w-]*\$\{[^`]*)`/g)].some(([, template = ""]) => {
    const fixed = template.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&"));
    if (fixed.join("").length < 3) return false;
    return new RegExp(`^${fixed.join(".+")}$`).test(key);
  });
}

test("no sentence stands in a page or in a command of the terminal", () => {
  const found = new Map<string, string[]>();
  for (const [file, text] of code) {
    // `hearth git` says what git says, byte for byte.
    if (!/^(?:web|cli(?!\/git))\//.test(file)) continue;
    const sentences = sentencesIn(text, file.endsWith("x") ? "tsx" : "ts");
    if (sentences.length > 0) found.set(file, sentences);
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test("a sentence is found wherever it stands", () => {
  const source = `
    const WRONG = "The name is wrong.";
    export function Page({ name, isNew }: { name: string; isNew: boolean }) {
      const href = isNew ? "/new-path" : \`/old/\${name}\`;
      return <p class="big bold" title="Hover over me" data-kind="quiet">
        Hello <b>{name}</b> {name === "compared" ? null : isNew ? "and welcome" : \`again, \${name}\`}
        <Field label={isNew ? "New name" : t("old")} icon="plus" href={href}>{name ? <i>{"inner"}</i> : null}</Field>
        API {lists.map((item) => item.kind === "text" ? "a" : 4 / 2 / 1)}
      </p>;
    }`;
  expect(sentencesIn(source, "tsx").sort()).toEqual(
    ["Hello", "Hover over me", "New name", "The name is wrong.", "again,", "and welcome", "inner"].sort(),
  );
});
