/**
 * The last step of every rendering: the HTML that a user's text may contain (contract: web.md section 4.5; security
 * rules G1, G9, G14). An allow-list: anything not named here is dropped, including all `hx-*`, `on*`, `data-*` and
 * `style`.
 */
import sanitizeHtml from "sanitize-html";
import { type LinkBase, prefixedId, resolveLink } from "./links.ts";
import { type SafeHtml, trustHtml } from "./safe-html.ts";
import type { TaskPositions } from "./task-positions.ts";

const TAGS =
  "h1 h2 h3 h4 h5 h6 h7 h8 br b i strong em a pre code img tt div ins del sup sub p ol ul li table thead tbody tfoot tr td th blockquote dl dt dd label kbd q samp var hr ruby rt rp s strike summary details caption figure figcaption abbr bdo cite dfn mark small span time video wbr picture source center input article aside section hgroup acronym u progress meter col colgroup".split(
    " ",
  );

const ANYWHERE =
  "abbr align alt aria-describedby aria-hidden aria-label aria-labelledby cite color colspan compact dir disabled datetime height hreflang id itemprop itemscope itemtype label lang open rowspan scope span start summary title type valign value width class".split(
    " ",
  );

/** Second words of the highlighter's classes (`hljs-title function_`). */
const HIGHLIGHT_WORDS = [
  "function_",
  "class_",
  "inherited__",
  "language_",
  "invoke__",
  "dispatch_",
  "constant_",
  "escape_",
];

/** Schemes that links may use: no handler on the visitor's computer that is known for executing what it is sent. */
const LINK_SCHEMES =
  "http https mailto ftp tel sms geo xmpp irc ircs matrix ssh git sftp magnet webcal vscode vscodium obsidian zotero".split(
    " ",
  );

const ALIGN = ["align-left", "align-center", "align-right"];

const CLASSES: sanitizeHtml.IOptions["allowedClasses"] = {
  span: ["hljs-*", ...HIGHLIGHT_WORDS, /^\w{1,2}$/],
  code: ["hljs", "language-*", "math-inline", "math-block"],
  li: ["task", "footnote-item"],
  blockquote: ["alert", "alert-note", "alert-tip", "alert-important", "alert-warning", "alert-caution"],
  div: ["front-matter"],
  p: ["alert-title"],
  a: ["anchor", "footnote-backref"],
  sup: ["footnote-ref"],
  section: ["footnotes"],
  ol: ["footnotes-list"],
  th: ALIGN,
  td: ALIGN,
};

const REL = "nofollow ugc noopener noreferrer";

/**
 * Sanitises rendered HTML and resolves the URLs of its links and images.
 * @param tasks the positions of checkboxes in the text: an author's own checkbox has none
 */
export function sanitise(html: string, base: LinkBase, tasks?: TaskPositions): SafeHtml {
  const withSource = (tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
    const changed = { ...attribs };
    if (changed["src"] !== undefined) changed["src"] = resolveLink(changed["src"], base, "media");
    if (tagName === "img") {
      changed["loading"] = "lazy";
      // Without it a screen reader reads the URL aloud.
      changed["alt"] ??= "";
    }
    if (tagName === "source") delete changed["srcset"];
    return { tagName, attribs: changed };
  };
  return trustHtml(
    sanitizeHtml(html, {
      allowedTags: TAGS,
      allowedAttributes: {
        "*": ANYWHERE,
        a: ["href", "rel"],
        img: ["src", "loading"],
        video: ["src", "controls"],
        source: ["src", "media"],
        // For emoji: authors' own elements get no other role either.
        span: [{ name: "role", multiple: false, values: ["img"] }],
        meter: ["min", "max", "low", "high", "optimum"],
        progress: ["max"],
        input: ["type", "checked", "disabled", "data-source-position"],
      },
      allowedClasses: CLASSES,
      allowedSchemes: ["http", "https"],
      allowedSchemesByTag: {
        a: LINK_SCHEMES,
        img: ["http", "https"],
        video: ["http", "https"],
        source: ["http", "https"],
      },
      allowedSchemesAppliedToAttributes: ["href", "src", "cite"],
      allowProtocolRelative: true,
      // Elements whose content is not text for readers.
      nonTextTags: [
        "script",
        "style",
        "textarea",
        "option",
        "noscript",
        "template",
        "iframe",
        "object",
        "svg",
        "math",
        "select",
      ],
      nestingLimit: 200,
      // Styles are dropped, and the executable has no parser for them (build.ts).
      parseStyleAttributes: false,
      enforceHtmlBoundary: false,
      exclusiveFilter: (frame) => frame.tag === "input" && frame.attribs["type"] !== "checkbox",
      transformTags: {
        "*": (tagName, attribs) =>
          attribs["id"] === undefined
            ? { tagName, attribs }
            : { tagName, attribs: { ...attribs, id: prefixedId(attribs["id"]) } },
        a: (tagName, attribs) => {
          const href = attribs["href"];
          if (href === undefined) return { tagName, attribs };
          const resolved = resolveLink(href, base, "page");
          if (resolved.startsWith("#")) return { tagName, attribs: { ...attribs, href: resolved } };
          return { tagName, attribs: { ...attribs, href: resolved, rel: REL } };
        },
        img: withSource,
        video: (tagName, attribs) => withSource(tagName, { ...attribs, controls: "" }),
        source: withSource,
        input: (tagName, { "data-source-position": position = "", ...attribs }) => ({
          tagName,
          attribs: {
            ...attribs,
            disabled: "",
            ...(tasks?.take(position) ? { "data-source-position": position } : {}),
          },
        }),
      },
    }),
  );
}
