import { typeNames } from "../../src/packages/types.ts";
import { CopyButton, LinkButton, OpenButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { SearchButton } from "../components/list-search.tsx";
import { Breadcrumb, type PageOf, Pagination } from "../components/navigation.tsx";
import { PlainText } from "../components/prose.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import type { Dependency } from "./dependencies.ts";
import type { PackageItem } from "./list.tsx";
import { StateCard, type StateLock } from "./terraform.tsx";
import { packagesWords } from "./words/index.ts";

export interface FileItem {
  readonly name: string;
  readonly href: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Distinguishes files with the same name; empty: nothing. */
  readonly of: string;
}

export interface PackagePageProps {
  readonly shell: Shell;
  readonly owner: { readonly name: string; readonly packagesHref: string };
  readonly item: PackageItem;
  readonly description: string;
  readonly license: string;
  readonly website: string;
  readonly install: readonly string[];
  /** Undefined: not a Terraform state. */
  readonly lock: StateLock | undefined;
  /** The images in an image index. */
  readonly images: readonly { readonly digest: string; readonly href: string }[];
  readonly dependencies: readonly Dependency[];
  readonly files: readonly FileItem[];
  readonly downloads: number;
  readonly versions: readonly PackageItem[];
  readonly versionsHref: string;
  readonly versionCount: number;
  /** Absent when the reader may not change it. */
  readonly settingsHref: string | undefined;
}

/** A version of a package. */
export function PackagePage(props: PackagePageProps) {
  const { description, downloads, files, install, item, license, owner, shell, versions, website } = props;
  const t = useWords(packagesWords);
  const language = useLanguage();
  return (
    <PageFrame shell={shell} title={[`${item.name} ${item.version}`, owner.name]} width="wide">
      <Breadcrumb
        crumbs={[
          { label: owner.name, href: `/${owner.name}` },
          { label: t("packages"), href: owner.packagesHref },
          { label: item.name },
        ]}
      />
      <div class="page-head">
        <h1>
          {item.name} <span class="muted">{item.version}</span> <Badge>{typeNames[item.type]}</Badge>
        </h1>
        {props.settingsHref ? (
          <LinkButton icon="gear" href={props.settingsHref}>
            {t("settings")}
          </LinkButton>
        ) : null}
        {props.settingsHref ? (
          <OpenButton kind="danger" icon="trash" opens="delete-version">
            {t("deleteVersion")}
          </OpenButton>
        ) : null}
      </div>
      {description ? <p>{description}</p> : null}
      <Card title={t("use")} actions={<CopyButton text={install.join("\n")} label={t("copy")} small />}>
        <PlainText text={install.join("\n")} />
      </Card>
      <Card title={t("about")} flush>
        <div class="table-box">
          <table class="table">
            <caption class="hidden-text">{t("about")}</caption>
            <tbody>
              <tr>
                <th scope="row">{t("publishedAt")}</th>
                <td>
                  <Time at={item.at} />
                </td>
              </tr>
              <tr>
                <th scope="row">{t("downloads")}</th>
                <td>{language.number(downloads)}</td>
              </tr>
              {license ? (
                <tr>
                  <th scope="row">{t("license")}</th>
                  <td>{license}</td>
                </tr>
              ) : null}
              {website ? (
                <tr>
                  <th scope="row">{t("website")}</th>
                  <td>
                    <a href={website} rel="nofollow noopener">
                      {website}
                    </a>
                  </td>
                </tr>
              ) : null}
              {item.repo ? (
                <tr>
                  <th scope="row">{t("repository")}</th>
                  <td>
                    <a href={item.repo.href}>{item.repo.name}</a>
                  </td>
                </tr>
              ) : null}
            </tbody>
          </table>
        </div>
      </Card>
      {props.lock ? (
        <StateCard lock={props.lock} action={props.settingsHref === undefined ? undefined : item.href} />
      ) : null}
      {props.images.length === 0 ? null : (
        <Card title={t("images")} flush>
          <ul class="list">
            {props.images.map(({ digest, href }) => (
              <li class="list-row">
                <a href={href}>
                  <code>{digest}</code>
                </a>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {props.dependencies.length === 0 ? null : (
        <Card title={t("dependencies")} flush>
          <ul class="list">
            {props.dependencies.map(({ name, version }) => (
              <li class="list-row">
                {name} <span class="muted">{version}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title={t("files")} flush>
        <ul class="list">
          {files.map((file) => (
            <li class="list-row">
              <a href={file.href}>{file.name}</a> <span class="muted">{language.size(file.sizeBytes)}</span>
              <p class="hint">
                <code>{file.sha256.slice(0, 16)}</code> {file.of}
              </p>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t("versions")} flush>
        <VersionRows versions={versions} />
        {props.versionCount > versions.length ? (
          <p class="list-row">
            <a href={props.versionsHref}>{t("allVersions", { count: props.versionCount })}</a>
          </p>
        ) : null}
      </Card>
      {props.settingsHref ? (
        <ConfirmDialog
          id="delete-version"
          title={t("deleteVersion")}
          action={item.href}
          typed={item.version}
          field="version"
          label={t("delete")}
        >
          <p>{t("deleteVersionHint")}</p>
        </ConfirmDialog>
      ) : null}
    </PageFrame>
  );
}

function VersionRows({ versions }: { versions: readonly PackageItem[] }) {
  const t = useWords(packagesWords);
  return (
    <ul class="list">
      {versions.map((each) => (
        <li class="list-row">
          <a href={each.href}>{each.version}</a>
          <p class="muted">
            {t("publishedAt")} <Time at={each.at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export interface VersionsPageProps {
  readonly shell: Shell;
  readonly owner: PackagePageProps["owner"];
  readonly name: string;
  readonly href: string;
  readonly query: string;
  /** For images: whether tagged ones are shown. */
  readonly tagged: "tagged" | "untagged" | undefined;
  readonly versions: readonly PackageItem[];
  readonly pages: PageOf;
}

/** All versions of a package. */
export function VersionsPage({ href, name, owner, pages, query, shell, tagged, versions }: VersionsPageProps) {
  const t = useWords(packagesWords);
  return (
    <PageFrame shell={shell} title={[t("versions"), name, owner.name]} width="wide">
      <Breadcrumb
        crumbs={[
          { label: owner.name, href: `/${owner.name}` },
          { label: t("packages"), href: owner.packagesHref },
          { label: name, href },
          { label: t("versions") },
        ]}
      />
      <h1 class="hidden-text">{t("versions")}</h1>
      <search>
        <form class="search-form" method="get" action={`${href}/versions`}>
          <input type="search" name="q" value={query} aria-label={t("findVersion")} placeholder={t("findVersion")} />
          {tagged ? (
            <select name="tagged" aria-label={t("tags")} data-submit="">
              <option value="tagged" selected={tagged === "tagged"}>
                {t("tagged")}
              </option>
              <option value="untagged" selected={tagged === "untagged"}>
                {t("untagged")}
              </option>
            </select>
          ) : null}
          <SearchButton />
        </form>
      </search>
      <Card title={t("versions")} flush>
        {versions.length === 0 ? (
          <EmptyState icon="package" title={t("noMatch")} />
        ) : (
          <VersionRows versions={versions} />
        )}
      </Card>
      <Pagination of={pages} />
    </PageFrame>
  );
}
