/** The frame of every page: head, skip link, header, flash message, main, footer. */
import { languages } from "../../src/language/language.ts";
import { assetPath, ICON_ADDRESS, modulePath } from "../assets/index.ts";
import { Avatar } from "../components/avatar.tsx";
import { IconLink } from "../components/button.tsx";
import { Icon, Logo } from "../components/icon.tsx";
import { type Flash, Menu, MenuLink, Notice, Toast } from "../components/surface.tsx";
import { FixedParts } from "../jsx/fixed-parts.ts";
import { ELAPSED_PLACEHOLDER, NONCE_PLACEHOLDER } from "../jsx/nonce.ts";
import { raw, trustHtml } from "../jsx/raw.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type FeedLink, signInHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { clientWordAttributes } from "./client-words.ts";
import type { Contributions, HeaderEntry } from "./contributions.ts";

export type Theme = "auto" | "light" | "dark";

export interface Viewer {
  readonly name: string;
  readonly fullName?: string;
  readonly avatarUrl?: string;
  readonly isSiteAdmin: boolean;
}

/** What every page shows around its content. */
export interface Shell {
  readonly site: {
    /** The instance's name. */
    readonly name: string;
    /** Its public URL, without a trailing slash. */
    readonly rootUrl: string;
    readonly version: string;
    readonly registrationOpen: boolean;
    /** Whether the API document is served. */
    readonly hasApiDocument: boolean;
    /** A message at the top of every page; empty when there is none or the visitor dismissed it. */
    readonly banner: string;
  };
  /** `null` for a visitor. */
  readonly viewer: Viewer | null;
  readonly theme: Theme;
  /** Path and query of this page, to return to after signing in. */
  readonly path: string;
  readonly flash?: Flash;
  /** What the areas add to this frame. */
  readonly contributions: Contributions;
  /** Counts beside header entries, by entry id. */
  readonly headerCounts: ReadonlyMap<string, number>;
}

/** The preview that other programs show for a link to the page (Open Graph, contract web.md 3.2). */
export interface Preview {
  readonly title?: string;
  readonly description?: string;
  readonly type?: "object" | "profile";
  /** Path of a picture. */
  readonly image?: string;
}

export interface PageFrameProps {
  shell: Shell;
  /** Parts of the title, the most specific first; the instance's name is appended. */
  title: readonly string[];
  /** For search engines; only on public pages. */
  description?: string;
  preview?: Preview;
  /** The canonical URL of this page, when it has several. */
  canonical?: string;
  /** Keep search engines out (history, search results, forms). */
  noIndex?: boolean;
  /** Feeds of this page. */
  feeds?: readonly FeedLink[];
  /** Width of the content: forms, text and lists, or the full container. The left edge is always the same. */
  width?: "narrow" | "normal" | "wide";
  children: Children;
}

const HTMX_CONFIG = JSON.stringify({ extensions: "hx-csp,preload,sse", includeIndicatorCSS: false });

/** Written as literal HTML, because links in a view may not be data: URLs. */
const ICON_LINK = trustHtml(`<link rel="icon" href="${ICON_ADDRESS}" type="image/svg+xml">`);

/** Parts that all frames of one site share. */
const frames = new WeakMap<Contributions, FixedParts>();

function partsOf({ contributions }: Shell): FixedParts {
  const known = frames.get(contributions);
  if (known) return known;
  const made = new FixedParts();
  frames.set(contributions, made);
  return made;
}

export function PageFrame(props: PageFrameProps) {
  const { shell } = props;
  const parts = partsOf(shell);
  const t = useWords(siteWords);
  const language = useLanguage();
  const title = [...props.title.filter((part) => part !== shell.site.name), shell.site.name].join(" - ");
  return (
    <html lang={language.tag} data-theme={shell.theme}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        {parts.of(["head"], () => (
          <SiteHead />
        ))}
        {props.description ? <meta name="description" content={props.description} /> : null}
        {props.noIndex ? <meta name="robots" content="noindex, nofollow" /> : null}
        {props.canonical ? <link rel="canonical" href={props.canonical} /> : null}
        {props.noIndex && !props.preview ? null : <PreviewTags frame={props} />}
        {props.feeds?.map((feed) => (
          <link rel="alternate" type={feed.type} title={feed.title} href={feed.href} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          {t("skip")}
        </a>
        <SiteHeader shell={shell} />
        {shell.site.banner === "" ? null : <Banner text={shell.site.banner} />}
        <div id="flash">
          <FlashMessage flash={shell.flash} />
        </div>
        <main id="main" class={`main main-${props.width ?? "normal"}`} tabindex={-1}>
          {props.children}
        </main>
        {parts.of(["footer", shell.site.version, shell.site.hasApiDocument, shell.theme], () => (
          <>
            <SiteFooter shell={shell} />
            <output id="said" class="hidden-text" aria-live="polite" {...clientWordAttributes(language)} />
          </>
        ))}
      </body>
    </html>
  );
}

/** The part of the head that every page has. */
function SiteHead() {
  return (
    <>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="stylesheet" href={assetPath("hearth.css")} />
      <noscript>
        <link rel="stylesheet" href={assetPath("noscript.css")} />
      </noscript>
      <script src={assetPath("hearth.js")} defer nonce={NONCE_PLACEHOLDER} />
      {raw(ICON_LINK)}
      <link rel="manifest" href="/assets/site-manifest.json" />
      <meta name="theme-color" content="#f5f7f9" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)" />
      <meta name="htmx-config" content={HTMX_CONFIG} />
    </>
  );
}

function PreviewTags({ frame: { description, preview = {}, shell, title } }: { frame: PageFrameProps }) {
  const { name, rootUrl } = shell.site;
  const about = preview.description ?? description;
  return (
    <>
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={preview.title ?? title[0] ?? name} />
      <meta property="og:url" content={rootUrl + shell.path.replace(/[?#].*$/s, "").replace(/\/$/, "")} />
      <meta property="og:image" content={rootUrl + (preview.image ?? assetPath("icon.svg"))} />
      {preview.type ? <meta property="og:type" content={preview.type} /> : null}
      {about ? <meta property="og:description" content={about} /> : null}
    </>
  );
}

function Banner({ text }: { text: string }) {
  const t = useWords(siteWords);
  return (
    <aside class="flash-line">
      <form class="flash flash-info" method="post" action="/-/web-banner/dismiss">
        <Icon name="info" />
        <p class="grow">{text}</p>
        <button type="submit" class="btn btn-icon btn-quiet i-x" aria-label={t("dismiss")} title={t("dismiss")} />
      </form>
    </aside>
  );
}

/** Success is a toast, errors are in the flow of the page; a message shown beside a form's button is not repeated. */
function FlashMessage({ flash }: { flash: Flash | undefined }) {
  if (!flash || flash.form !== undefined) return null;
  if (flash.kind === "success") return <Toast text={flash.text} undo={flash.undo} />;
  return (
    <div class="flash-line">
      <Notice kind={flash.kind}>
        <p>{flash.text}</p>
      </Notice>
    </div>
  );
}

function SiteHeader({ shell }: { shell: Shell }) {
  const { headerCounts, site, viewer } = shell;
  const t = useWords(siteWords);
  return (
    <header class="site-header">
      <nav aria-label={t("mainMenu")}>
        {partsOf(shell).of(["header", site.name, viewer, [...headerCounts]], () => (
          <HeaderEntries shell={shell} />
        ))}
        {viewer ? null : <VisitorLinks shell={shell} />}
      </nav>
    </header>
  );
}

/** The viewer's header, except for what depends on the page. */
function HeaderEntries({ shell }: { shell: Shell }) {
  const { viewer } = shell;
  const t = useWords(siteWords);
  const language = useLanguage();
  const entries = (place: HeaderEntry["place"]) =>
    shell.contributions.header.filter((entry) => entry.place === place && (entry.shown?.(viewer) ?? true));
  return (
    <>
      <a class="brand" href="/" data-hotkey="g h" aria-label={t("homeOf", { name: shell.site.name })}>
        <Logo />
        <span>{shell.site.name}</span>
      </a>
      {entries("start").map((entry) => (
        <a class="site-link" href={entry.href(viewer)} data-hotkey={entry.hotkey}>
          {entry.label(language)}
        </a>
      ))}
      <span class="grow" />
      {entries("end").map((entry) => (
        <HeaderIcon entry={entry} viewer={viewer} count={shell.headerCounts.get(entry.id) ?? 0} />
      ))}
      {viewer ? <AccountMenu viewer={viewer} entries={entries("account")} /> : null}
    </>
  );
}

function HeaderIcon({ entry, viewer, count }: { entry: HeaderEntry; viewer: Viewer | null; count: number }) {
  const language = useLanguage();
  const label = entry.label(language);
  const link = (
    <IconLink
      icon={entry.icon}
      href={entry.href(viewer)}
      label={count === 0 ? label : `${label}: ${language.number(count)}`}
      hotkey={entry.hotkey}
    />
  );
  if (count === 0) return link;
  return (
    <span class="header-icon">
      {link}
      <span class="header-count" aria-hidden="true">
        {language.shortNumber(count)}
      </span>
    </span>
  );
}

function VisitorLinks({ shell }: { shell: Shell }) {
  const t = useWords(siteWords);
  return (
    <>
      {shell.site.registrationOpen ? (
        <a class="site-link" href="/user/sign_up">
          {t("register")}
        </a>
      ) : null}
      <a class="btn" href={signInHref(shell.path)}>
        {t("signIn")}
      </a>
    </>
  );
}

function AccountMenu({ viewer, entries }: { viewer: Viewer; entries: readonly HeaderEntry[] }) {
  const t = useWords(siteWords);
  const language = useLanguage();
  return (
    <Menu
      name={t("accountOf", { name: viewer.name })}
      class="account menu-end"
      label={
        <>
          <Avatar person={viewer} size={20} />
          <Icon name="triangle-down" />
        </>
      }
    >
      <p class="menu-note">{t.jsx("signedInAs", { name: viewer.name, b: (inner) => <strong>{inner}</strong> })}</p>
      <ul>
        {entries.map((entry) => (
          <li>
            <MenuLink href={entry.href(viewer)} icon={entry.icon}>
              {entry.label(language)}
            </MenuLink>
          </li>
        ))}
      </ul>
      <form method="post" action="/user/logout">
        <button type="submit" class="menu-item">
          <Icon name="sign-out" /> {t("signOut")}
        </button>
      </form>
    </Menu>
  );
}

/** Each language by its own name, for visitors who cannot read the current one. */
function LanguageChoice() {
  const t = useWords(siteWords);
  const current = useLanguage();
  return (
    <form class="language-choice" method="post" action="/-/web-language/apply">
      <select name="language" aria-label={t("language")} data-submit="">
        {languages.map((language) => (
          <option value={language.code} lang={language.tag} selected={language === current}>
            {language.ownName}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" class="btn btn-small">
          {t("languageApply")}
        </button>
      </noscript>
    </form>
  );
}

const THEMES = [
  { value: "auto", icon: "device-desktop" },
  { value: "light", icon: "sun" },
  { value: "dark", icon: "moon" },
] as const;

function SiteFooter({ shell }: { shell: Shell }) {
  const t = useWords(siteWords);
  return (
    <footer class="site-footer">
      <div>
        <span>{t("poweredBy", { version: shell.site.version, time: ELAPSED_PLACEHOLDER })}</span>
        {shell.site.hasApiDocument ? <a href="/api/swagger">API</a> : null}
        <button type="button" class="link needs-script" data-shortcuts="" data-hotkey="?">
          {t("keyboardShortcuts")}
        </button>
        <button
          type="button"
          class="link needs-script"
          data-finder={modulePath("finder")}
          data-label={t("palette")}
          data-hotkey="Ctrl+K"
        >
          {t("palette")}
        </button>
        <span class="grow" />
        <LanguageChoice />
        <form class="themes" method="post" action="/-/web-theme/apply" data-theme-form="">
          {THEMES.map((theme) => (
            <button
              type="submit"
              name="theme"
              value={theme.value}
              aria-label={t(`theme-${theme.value}`)}
              title={t(`theme-${theme.value}`)}
              aria-pressed={theme.value === shell.theme ? "true" : "false"}
            >
              <Icon name={theme.icon} />
            </button>
          ))}
        </form>
      </div>
    </footer>
  );
}
