import { LinkButton } from "../components/button.tsx";
import { type CloneProps, CloneUrls } from "../components/clone-box.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { wikiActionHref, wikiHref } from "./addresses.ts";
import { wikiWords } from "./words/index.ts";

/** Common properties of every wiki page. */
export interface WikiPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** The clone URLs of the wiki. */
  readonly cloneUrls: CloneProps["urls"];
  readonly mayWrite: boolean;
  /** Some of the pages, to choose from. */
  readonly choices: readonly PageLink[];
}

/** A page of the wiki in a list. */
export interface PageLink {
  readonly title: string;
  readonly address: string;
}

/** The frame of a wiki page: its title, links to other pages, and actions. */
export function WikiFrame(props: {
  of: WikiPageProps;
  /** The document title. */
  title: string;
  heading: Children;
  /** Further buttons. */
  actions?: Children;
  noIndex?: boolean;
  children: Children;
}) {
  const { repo, shell, mayWrite } = props.of;
  const t = useWords(wikiWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="wiki" title={[props.title]} noIndex={props.noIndex ?? false}>
      <div class="page-head">
        <h1>{props.heading}</h1>
        <span class="row push-end">
          <PagePicker of={props.of} />
          <CloneWiki urls={props.of.cloneUrls} />
          {props.actions}
          {mayWrite ? (
            <LinkButton kind="primary" icon="plus" href={wikiActionHref(repo, "", "_new")} hotkey="c">
              {t("newPage")}
            </LinkButton>
          ) : null}
        </span>
      </div>
      {props.children}
    </RepoPage>
  );
}

function PagePicker({ of: { choices, repo } }: { of: WikiPageProps }) {
  const t = useWords(wikiWords);
  if (choices.length === 0) return null;
  return (
    <Menu
      name={t("choosePage")}
      label={
        <span class="btn">
          {t("pages")} <Icon name="triangle-down" />
        </span>
      }
    >
      <ul>
        {choices.map(({ address, title }) => (
          <li>
            <a class="menu-item" href={wikiHref(repo, address)}>
              <span class="clip">{title}</span>
            </a>
          </li>
        ))}
        <li>
          <a class="menu-item" href={wikiActionHref(repo, "", "_pages")}>
            <Icon name="rows" /> {t("allPages")}
          </a>
        </li>
      </ul>
    </Menu>
  );
}

function CloneWiki({ urls }: Pick<CloneProps, "urls">) {
  const t = useWords(wikiWords);
  return (
    <Menu
      name={t("cloneWiki")}
      class="menu-end"
      wide
      label={
        <span class="btn btn-icon">
          <Icon name="code" />
        </span>
      }
    >
      <CloneUrls urls={urls} />
    </Menu>
  );
}
