import { segment } from "../../src/kernel/url-path.ts";
import { HOME } from "../../src/wiki/names.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { Prose } from "../components/prose.tsx";
import { Card, EmptyState, MenuLink, MenuOpen, Notice, RowMenu } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { OutlineEntry } from "../content/outline.ts";
import { useWords } from "../language.ts";
import { wikiActionHref, wikiHref } from "./addresses.ts";
import { WikiFrame, type WikiPageProps } from "./frame.tsx";
import type { ShownText } from "./rendered.ts";
import { wikiWords } from "./words/index.ts";

/** A page with everything shown around it. */
export interface ShownPage {
  readonly title: string;
  readonly address: string;
  readonly file: string;
  readonly text: ShownText;
  readonly outline: readonly OutlineEntry[];
  /** The sidebar and footer of every page. */
  readonly sidebar?: ShownText | undefined;
  readonly footer?: ShownText | undefined;
  /** Who last changed it. */
  readonly by?: Person | undefined;
  readonly at?: Instant | undefined;
  /** The blob id: a form sends it to say what it was opened with. */
  readonly oid: string;
  /** The commit of the earlier revision that is shown. */
  readonly version?: string | undefined;
}

/** `GET {W}/wiki/{Page}` */
export function WikiPage(props: WikiPageProps & { page: ShownPage }) {
  const { page } = props;
  const hasSide = page.outline.length > 1 || page.sidebar !== undefined;
  const text = (
    <div class="stack">
      <Card>
        <Text page={page} repo={props.repo} text={page.text} />
      </Card>
      {page.footer ? (
        <Card>
          <Text page={page} repo={props.repo} text={page.footer} />
        </Card>
      ) : null}
    </div>
  );
  return (
    <WikiFrame of={props} title={page.title} heading={page.title} actions={<Actions of={props} />}>
      <LastChange of={props} />
      {hasSide ? (
        <div class="with-side">
          {text}
          <Side of={props} />
        </div>
      ) : (
        text
      )}
    </WikiFrame>
  );
}

type PageProps = WikiPageProps & { page: ShownPage };

function LastChange({ of: { mayWrite, page, repo } }: { of: PageProps }) {
  const t = useWords(wikiWords);
  const { address, at, by, version } = page;
  if (version !== undefined)
    return (
      <Notice kind="info">
        <p>
          {at === undefined ? null : <Time at={at} text={t("asItWas", { time: TIME })} />}{" "}
          <a href={wikiHref(repo, address)}>{t("asItIs")}</a>
          {mayWrite ? (
            <>
              {" · "}
              <a href={wikiActionHref(repo, address, "_edit", { version })}>{t("editThis")}</a>
            </>
          ) : null}
        </p>
      </Notice>
    );
  if (!by || at === undefined) return null;
  return (
    <p class="muted">
      {t.jsx("lastChange", { person: <PersonName person={by} />, time: <Time at={at} /> })}
      {" · "}
      <a href={wikiActionHref(repo, address, "_revision")}>{t("history")}</a>
    </p>
  );
}

function Actions({ of: { mayWrite, page, repo } }: { of: PageProps }) {
  const t = useWords(wikiWords);
  const { address, file, oid, title } = page;
  const dialog = "delete-page";
  return (
    <>
      {mayWrite ? (
        <LinkButton icon="pencil" href={wikiActionHref(repo, address, "_edit")} hotkey="e">
          {t("edit")}
        </LinkButton>
      ) : null}
      <RowMenu name={t("moreAbout", { title })}>
        <li>
          <MenuLink icon="history" href={wikiActionHref(repo, address, "_revision")}>
            {t("history")}
          </MenuLink>
        </li>
        <li>
          <MenuLink icon="file" href={wikiHref(repo, `raw/${segment(file)}`)}>
            {t("rawText")}
          </MenuLink>
        </li>
        {mayWrite ? (
          <li>
            <MenuOpen icon="trash" danger opens={dialog}>
              {t("deletePage")}
            </MenuOpen>
          </li>
        ) : null}
      </RowMenu>
      {mayWrite ? (
        <Dialog id={dialog} title={t("deletePage")}>
          <form method="post" action={wikiActionHref(repo, address, "_delete")}>
            <input type="hidden" name="expected" value={oid} />
            <p>{t("deleteAbout", { title })}</p>
            <DialogActions danger icon="trash" label={t("deletePage")} />
          </form>
        </Dialog>
      ) : null}
    </>
  );
}

function Text({ page, repo, text }: { page: ShownPage; repo: PageProps["repo"]; text: ShownText }) {
  const t = useWords(wikiWords);
  if ("html" in text) return <Prose html={text.html} />;
  return (
    <EmptyState
      icon="file"
      title={t(text.hidden)}
      action={<LinkButton href={wikiHref(repo, `raw/${segment(page.file)}`)}>{t("rawText")}</LinkButton>}
    />
  );
}

function Side({ of: { page, repo } }: { of: PageProps }) {
  const t = useWords(wikiWords);
  const top = Math.min(...page.outline.map(({ level }) => level));
  return (
    <div class="item-side">
      {page.outline.length > 1 ? (
        <nav class="side-part" aria-label={t("contents")}>
          <h2>{t("contents")}</h2>
          <ul class="side-list">
            {page.outline.map(({ id, level, text }) => (
              <li class={`outline-${Math.min(level - top, 3)}`}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      {page.sidebar ? (
        <section class="side-part" aria-label={t("sidebar")}>
          <div>
            <Text page={page} repo={repo} text={page.sidebar} />
          </div>
        </section>
      ) : null}
    </div>
  );
}

/** `GET {W}/wiki` of an empty wiki. */
export function WelcomePage(props: WikiPageProps) {
  const t = useWords(wikiWords);
  const { mayWrite, repo } = props;
  return (
    <WikiFrame of={{ ...props, mayWrite: false }} title={t("wiki")} heading={t("wiki")}>
      <Card>
        <EmptyState
          icon="bookmark"
          title={t("welcome")}
          action={
            mayWrite ? (
              <LinkButton kind="primary" href={wikiActionHref(repo, "", "_new", { title: HOME })}>
                {t("firstPage")}
              </LinkButton>
            ) : undefined
          }
        >
          {mayWrite ? t("welcomeWriter") : t("welcomeReader")}
        </EmptyState>
      </Card>
    </WikiFrame>
  );
}
