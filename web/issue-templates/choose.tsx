import type { ContactLink, IssueTemplate } from "../../src/issue-templates/types.ts";
import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { websiteHref } from "../jsx/safe-href.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { templatesWords } from "./words/index.ts";

export interface ChooseProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** The page of a new issue, with the query of this page. */
  readonly newHref: string;
  readonly templates: readonly IssueTemplate[];
  readonly links: readonly ContactLink[];
  readonly allowsBlank: boolean;
  /** Invalid template files; shown to those who can fix them. */
  readonly problems: readonly { readonly path: string; readonly message: string; readonly href: string }[];
}

/** `GET {W}/issues/new/choose`. */
export function ChooseTemplatePage(props: ChooseProps) {
  const { allowsBlank, links, newHref, problems, repo, shell, templates } = props;
  const t = useWords(templatesWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="issues" title={[t("newIssue")]} noIndex>
      <h1>{t("newIssue")}</h1>
      {problems.map(({ href, message, path }) => (
        <Notice kind="warning">
          <p>
            <a href={href}>{path}</a>: {message}
          </p>
        </Notice>
      ))}
      <Card flush>
        <ul class="list">
          {templates.map((template) => (
            <li class="template-row">
              <div>
                <h2>{template.name}</h2>
                <p class="muted">{template.about}</p>
              </div>
              <LinkButton kind="primary" href={withQuery(newHref, { template: template.path })}>
                {t("getStarted")}
              </LinkButton>
            </li>
          ))}
          {allowsBlank ? (
            <li class="template-row">
              <div>
                <h2>{t("blank")}</h2>
                <p class="muted">{t("blankAbout")}</p>
              </div>
              <LinkButton href={withQuery(newHref, { template: "blank" })}>{t("getStarted")}</LinkButton>
            </li>
          ) : null}
          {links.map(({ about, name, url }) => (
            <li class="template-row">
              <div>
                <h2>{name}</h2>
                <p class="muted">{about}</p>
              </div>
              <a class="btn" href={websiteHref(url) ?? "#"} rel="noopener noreferrer">
                {t("open")} <Icon name="link" />
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </RepoPage>
  );
}
