import { useWords } from "../language.ts";
import { type RefName, type RepoName, refHref, repoHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { Icon } from "./icon.tsx";
import { Menu } from "./surface.tsx";

export interface RefChoices {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** There are more than these, so the field asks the server while the user types. */
  readonly hasMore: boolean;
}

export interface RefSelectorProps {
  repo: RepoName;
  current: RefName;
  choices: RefChoices;
  /** The page to go to with the chosen ref, and the path to keep. */
  page: "src" | "commits" | "blame";
  path?: string;
  /** Offers to create a branch that starts at this ref. */
  mayCreate?: boolean;
}

/**
 * Switches between branches and tags: a menu of links, so it works without JavaScript; with it, a field filters the
 * list.
 */
export function RefSelector(props: RefSelectorProps) {
  const { current } = props;
  const t = useWords(siteWords);
  const shown = current.kind === "commit" ? current.name.slice(0, 10) : current.name;
  return (
    <Menu
      name={t(`current-${current.kind}`, { name: current.name })}
      hotkeyName={t("switchRef")}
      class="refs"
      wide
      hotkey="w"
      label={
        <span class="btn">
          <Icon name={current.kind === "branch" ? "git-branch" : current.kind === "tag" ? "tag" : "git-commit"} />
          <span class="clip ref-name">{shown}</span>
          <Icon name="triangle-down" />
        </span>
      }
    >
      <RefFilter {...props} />
      <RefList {...props} />
      <div class="row menu-foot">
        <a href={repoHref(props.repo, "branches")}>{t("allBranches")}</a>
        <a href={repoHref(props.repo, "tags")}>{t("allTags")}</a>
        {props.mayCreate && current.kind === "branch" ? (
          <a href={`${repoHref(props.repo, "branches")}?from=${encodeURIComponent(current.name)}#new-branch`}>
            {t("newBranchHere")}
          </a>
        ) : null}
      </div>
    </Menu>
  );
}

function RefFilter({ repo, choices, page, path, current }: RefSelectorProps) {
  const t = useWords(siteWords);
  const words = {
    type: "search",
    "aria-label": t("findRef"),
    placeholder: t("findRef"),
    autocomplete: "off",
  } as const;
  if (!choices.hasMore) return <input class="needs-script" {...words} data-filter="ref-list" />;
  const query = new URLSearchParams({ page, path: path ?? "", kind: current.kind, ref: current.name });
  return (
    <input
      {...words}
      name="q"
      hx-get={repoHref(repo, `branches/choose?${query}`)}
      hx-trigger="input changed delay:150ms"
      hx-target="#ref-list"
      hx-swap="outerHTML"
      hx-sync="this:replace"
    />
  );
}

/** The links of the selector, branches and tags apart; also the response to its filter field. */
export function RefList(props: RefSelectorProps) {
  const { choices } = props;
  const t = useWords(siteWords);
  return (
    <div class="menu-list" id="ref-list">
      <RefGroup of={props} kind="branch" title={t("branches")} names={choices.branches} />
      <RefGroup of={props} kind="tag" title={t("tags")} names={choices.tags} />
      <p class="menu-note" id="ref-list-none" hidden={choices.branches.length + choices.tags.length > 0}>
        {t("noRef")}
      </p>
    </div>
  );
}

function RefGroup(props: { of: RefSelectorProps; kind: "branch" | "tag"; title: string; names: readonly string[] }) {
  const { repo, current, page, path } = props.of;
  if (props.names.length === 0) return null;
  return (
    <>
      <p class="menu-heading" id={`refs-${props.kind}`}>
        {props.title}
      </p>
      <ul aria-labelledby={`refs-${props.kind}`}>
        {props.names.map((name) => (
          <li data-name={name}>
            <a
              class="menu-item"
              href={refHref(repo, page, { kind: props.kind, name }, path)}
              aria-current={props.kind === current.kind && name === current.name ? "true" : undefined}
            >
              <Icon name={props.kind === "branch" ? "git-branch" : "tag"} />
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
