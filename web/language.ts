import type { User } from "../src/access/user.ts";
import { cookieOf, LANGUAGE_COOKIE } from "../src/http/cookies.ts";
import type { Call } from "../src/http/route.ts";
import type { Catalogue, Messages, NamesOf, TagsOf, Translate } from "../src/language/catalogue.ts";
import { chooseLanguage } from "../src/language/choose.ts";
import type { Language } from "../src/language/language.ts";
import { pageLanguage } from "./jsx/language-context.ts";
import type { Children } from "./jsx/types.ts";

/** Languages of pages: which one a request gets, and translations for components without passing it through. */

/** The language of the response to a request (contract web.md 0.5). */
export function languageOf(request: Request, query: URLSearchParams, user: User | undefined): Language {
  return chooseLanguage({
    query: query.get("lang"),
    account: user?.language,
    cookie: cookieOf(request, LANGUAGE_COOKIE),
    accepted: request.headers.get("accept-language"),
  });
}

export function languageOfCall(call: Call): Language {
  return languageOf(call.request, call.query, call.principal.user);
}

/** Translations for the route itself: flash messages, titles, form errors. */
export function wordsFor<Source extends Messages>(call: Call, catalogue: Catalogue<Source>): Translate<Source> {
  return catalogue.in(languageOfCall(call));
}

/** The language of the page being rendered. Only inside a component. */
export function useLanguage(): Language {
  const language = pageLanguage.getStore();
  if (!language) throw new Error("words were asked for outside of a page");
  return language;
}

type ElementParams<M extends Messages[string]> = { readonly [Name in NamesOf<M>]: Children } & {
  readonly [Tag in TagsOf<M>]: (inner: Children) => Children;
};

/**
 * Translations in a component: `t("signIn")` is text, `t.jsx("newHere", { link: (inner) => <a …>{inner}</a> })` has
 * elements.
 */
export type ComponentWords<Source extends Messages> = Translate<Source> & {
  jsx<Key extends keyof Source & string>(key: Key, params: ElementParams<Source[Key]>): Children;
};

/** Cached by catalogue and language: the components of one page ask for them hundreds of times. */
const made = new WeakMap<object, Map<Language, unknown>>();

/** The translations of a catalogue in the language of the page. Only inside a component. */
export function useWords<Source extends Messages>(catalogue: Catalogue<Source>): ComponentWords<Source> {
  const language = useLanguage();
  const known = made.get(catalogue)?.get(language);
  if (known !== undefined) return known as ComponentWords<Source>;
  const words: ComponentWords<Source> = Object.assign(catalogue.in(language), {
    jsx<Key extends keyof Source & string>(key: Key, params: ElementParams<Source[Key]>): Children {
      const values: Record<string, unknown> = params;
      return parts(catalogue.form(language, key, values["count"]), values, language);
    },
  });
  made.set(catalogue, (made.get(catalogue) ?? new Map()).set(language, words));
  return words;
}

/** A text with its placeholders and tags replaced. Tags cannot be nested. */
function parts(text: string, values: Readonly<Record<string, unknown>>, language: Language): Children[] {
  const found: Children[] = [];
  let at = 0;
  for (const match of text.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/gs)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, name, tag, inner = ""] = match;
    const value = values[name ?? tag ?? ""];
    if (tag !== undefined && typeof value === "function") found.push(value(parts(inner, values, language)));
    else found.push(typeof value === "number" ? language.number(value) : ((value as Children) ?? whole));
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}
