import { segments } from "../../src/kernel/url-path.ts";
import type { Person } from "../components/avatar.tsx";
import { CopyButton, LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { ArchiveItems, archivesOf } from "../components/clone-box.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { ErrorSummary, type FormState, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState, MenuOpen, RowMenu } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, compareHref, feedLinks, type RefName, refHref, repoHref } from "../links.ts";
import { type ShownSignature, SignatureBadge } from "./signature.tsx";
import { contentWords } from "./words/index.ts";

export interface BranchItem {
  readonly name: string;
  readonly sha: string;
  readonly subject: string;
  readonly at: Instant;
  readonly isProtected: boolean;
  /** Commits only on the branch, and commits only on the default branch; absent while not counted. */
  readonly divergence?: { readonly ahead: number; readonly behind: number };
  readonly mayDelete: boolean;
  readonly mayRename: boolean;
}

/** A branch that can be restored. */
export interface DeletedItem {
  /** The id of the deletion. */
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly at: Instant;
  readonly by?: Person;
}

export interface BranchesProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** Absent when the default branch does not exist. */
  readonly defaultBranch?: BranchItem;
  readonly branches: readonly BranchItem[];
  /** Recently deleted branches. */
  readonly deleted?: readonly DeletedItem[];
  readonly query: string;
  readonly pages: PageOf;
  /** Where a new branch starts. */
  readonly from: RefName;
  /** A refused new branch: its dialog is shown again with the typed values. */
  readonly refused?: FormState<"new_branch_name">;
}

/** `GET {W}/branches`: the default branch, then the others. */
export function BranchesPage(props: BranchesProps) {
  const { repo, defaultBranch, branches, query } = props;
  const t = useWords(contentWords);
  return (
    <RepoPage shell={props.shell} repo={repo} tab="branches" title={[t("branches")]}>
      <h1 class="hidden-text">{t("branches")}</h1>
      {defaultBranch ? (
        <Card title={t("defaultBranch")} flush>
          <BranchTable repo={repo} branches={[defaultBranch]} label={t("defaultBranch")} />
        </Card>
      ) : null}
      <div class="row">
        <div class="grow">
          <RefSearch action={repoHref(repo, "branches")} query={query} label={t("findBranch")} />
        </div>
        {repo.may.write ? <NewBranch repo={repo} from={props.from} refused={props.refused} /> : null}
      </div>
      <Card title={t("branches")} flush>
        {branches.length === 0 ? (
          <EmptyState icon="git-branch" title={query ? t("noMatch") : t("noOtherBranches")} />
        ) : (
          <BranchTable repo={repo} branches={branches} label={t("branches")} />
        )}
      </Card>
      <Pagination of={props.pages} />
      {props.deleted && props.deleted.length > 0 ? <DeletedBranches repo={repo} items={props.deleted} /> : null}
      {[...(defaultBranch ? [defaultBranch] : []), ...branches].map((branch) => (
        <>
          {branch.mayRename ? <RenameBranch repo={repo} branch={branch} /> : null}
          {branch.mayDelete ? <DeleteBranch repo={repo} branch={branch} /> : null}
        </>
      ))}
    </RepoPage>
  );
}

function DeletedBranches({ repo, items }: { repo: RepoFrameProps; items: readonly DeletedItem[] }) {
  const t = useWords(contentWords);
  return (
    <Card title={t("deletedBranches")} flush>
      <ul class="list">
        {items.map((item) => (
          <li class="danger-row">
            <div>
              <p class="ref-link">{item.name}</p>
              <p class="ref-about">
                <span class="sha">{item.sha.slice(0, 10)}</span> ·{" "}
                <Time
                  at={item.at}
                  text={
                    item.by
                      ? t("branchDeletedBy", { time: TIME, name: item.by.name })
                      : t("branchDeletedAt", { time: TIME })
                  }
                />
              </p>
            </div>
            <form method="post" action={repoHref(repo, "branches/restore")}>
              <input type="hidden" name="branch_id" value={String(item.id)} />
              <SubmitButton small>{t("restoreBranch")}</SubmitButton>
            </form>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A search field above a list of refs. */
export function RefSearch({ action, query, label }: { action: string; query: string; label: string }) {
  const t = useWords(contentWords);
  return (
    <search>
      <form class="search-form" method="get" action={action}>
        <input type="search" name="q" value={query} aria-label={label} placeholder={label} data-hotkey="/,s" />
        <button type="submit" class="btn" title={t("search")}>
          <Icon name="search" /> <span class="wide-only">{t("search")}</span>
        </button>
      </form>
    </search>
  );
}

function BranchTable({
  repo,
  branches,
  label,
}: {
  repo: RepoFrameProps;
  branches: readonly BranchItem[];
  label: string;
}) {
  const t = useWords(contentWords);
  return (
    <div class="table-box">
      <table class="table refs-table">
        <caption class="hidden-text">{label}</caption>
        <colgroup>
          <col />
          <col class="c-divergence" />
          <col class="c-actions" />
        </colgroup>
        <tbody>
          {branches.map((branch) => (
            <tr>
              <th scope="row">
                <div class="row">
                  <a class="ref-link" href={refHref(repo, "src", { kind: "branch", name: branch.name })}>
                    {branch.name}
                  </a>
                  <CopyButton text={branch.name} label={t("copyName", { name: branch.name })} />
                  {branch.isProtected ? <Badge icon="shield-lock">{t("protected")}</Badge> : null}
                </div>
                <p class="ref-about">
                  <a class="sha" href={commitHref(repo, branch.sha)}>
                    {branch.sha.slice(0, 10)}
                  </a>{" "}
                  <span class="clip">{branch.subject}</span> · <Time at={branch.at} />
                </p>
              </th>
              <td class="end">
                {branch.divergence ? <Divergence repo={repo} branch={branch.name} {...branch.divergence} /> : null}
              </td>
              <td class="end">
                {repo.may.write || repo.hasArchives ? (
                  <RowMenu name={t("moreAbout", { name: branch.name })}>
                    {repo.may.write ? (
                      <li>
                        <a
                          class="menu-item"
                          href={`${repoHref(repo, "branches")}?from=${encodeURIComponent(branch.name)}#new-branch`}
                        >
                          <Icon name="git-branch" /> {t("newBranchFromHere")}
                        </a>
                      </li>
                    ) : null}
                    <ArchiveItems archives={archivesOf(repo, { kind: "branch", name: branch.name })} />
                    {branch.mayRename ? (
                      <li>
                        <MenuOpen icon="pencil" opens={dialogId("rename", branch.name)}>
                          {t("rename")}
                        </MenuOpen>
                      </li>
                    ) : null}
                    {branch.mayDelete ? (
                      <li>
                        <MenuOpen icon="trash" danger opens={dialogId("delete", branch.name)}>
                          {t("delete")}
                        </MenuOpen>
                      </li>
                    ) : null}
                  </RowMenu>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Divergence(props: { repo: RepoFrameProps; branch: string; ahead: number; behind: number }) {
  const { repo, branch, ahead, behind } = props;
  const base = repo.defaultBranch;
  const t = useWords(contentWords);
  const muted = (inner: Children) => <span class="muted">{inner}</span>;
  if (ahead === 0 && behind === 0) return <span class="muted">{t("evenWith", { branch: base })}</span>;
  return (
    <span class="divergence" title={t("divergence", { behind, ahead, branch: base })}>
      <a href={compareHref(repo, branch, base)}>{t.jsx("behind", { count: behind, muted })}</a>
      <a href={compareHref(repo, base, branch)}>{t.jsx("ahead", { count: ahead, muted })}</a>
    </span>
  );
}

/** A valid element id for a name with any characters. */
function dialogId(what: string, name: string): string {
  return `${what}-${new Bun.CryptoHasher("sha1").update(name).digest("hex").slice(0, 12)}`;
}

function NewBranch({
  repo,
  from,
  refused,
}: {
  repo: RepoFrameProps;
  from: RefName;
  refused: FormState<"new_branch_name"> | undefined;
}) {
  const t = useWords(contentWords);
  const shown = from.kind === "commit" ? from.name.slice(0, 10) : from.name;
  return (
    <>
      <OpenButton kind="primary" icon="git-branch" opens="new-branch">
        {t("newBranch")}
      </OpenButton>
      <Dialog id="new-branch" title={t("newBranch")} open={refused !== undefined}>
        <form class="form" method="post" action={repoHref(repo, `branches/_new/${from.kind}/${segments(from.name)}`)}>
          <ErrorSummary errors={refused?.errors?.form ? { form: refused.errors.form } : undefined} />
          <TextField
            name="new_branch_name"
            label={t("name")}
            hint={t(`startsAt-${from.kind}`, { name: shown })}
            value={refused?.values?.new_branch_name}
            error={refused?.errors?.new_branch_name}
            autocomplete="off"
            required
            code
          />
          <DialogActions label={t("createBranch")} />
        </form>
      </Dialog>
    </>
  );
}

function RenameBranch({ repo, branch }: { repo: RepoFrameProps; branch: BranchItem }) {
  const t = useWords(contentWords);
  const id = dialogId("rename", branch.name);
  return (
    <Dialog id={id} title={t("renameBranchNamed", { name: branch.name })}>
      <form class="form" method="post" action={repoHref(repo, "branches/rename")}>
        <input type="hidden" name="from" value={branch.name} />
        <TextField
          id={`${id}-to`}
          name="to"
          label={t("newName")}
          hint={t("renameBranchHint")}
          value={branch.name}
          autocomplete="off"
          required
          code
        />
        <DialogActions label={t("renameBranch")} />
      </form>
    </Dialog>
  );
}

function DeleteBranch({ repo, branch }: { repo: RepoFrameProps; branch: BranchItem }) {
  const t = useWords(contentWords);
  const id = dialogId("delete", branch.name);
  return (
    <Dialog id={id} title={t("deleteBranchNamed", { name: branch.name })}>
      <p>{t("deleteBranchWarning")}</p>
      <form method="post" action={repoHref(repo, "branches/delete")}>
        <input type="hidden" name="name" value={branch.name} />
        <DialogActions label={t("deleteBranch")} danger />
      </form>
    </Dialog>
  );
}

export interface TagItem {
  readonly name: string;
  readonly sha: string;
  readonly at: Instant;
  /** The first line of an annotated tag's message. */
  readonly message?: string;
  readonly mayDelete: boolean;
  /** The tag's signature, or else its commit's. */
  readonly signature?: ShownSignature;
}

export interface TagsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly tags: readonly TagItem[];
  readonly query: string;
  readonly pages: PageOf;
}

/** `GET {W}/tags`. */
export function TagsPage(props: TagsProps) {
  const { repo, tags, query } = props;
  const t = useWords(contentWords);
  return (
    <RepoPage
      shell={props.shell}
      repo={repo}
      tab="tags"
      title={[t("tags")]}
      feeds={feedLinks(t("tags"), (form) => repoHref(repo, `tags.${form}`))}
    >
      <h1 class="hidden-text">{t("tags")}</h1>
      <RefSearch action={repoHref(repo, "tags")} query={query} label={t("findTag")} />
      <Card flush>
        {tags.length === 0 ? (
          <EmptyState icon="tag" title={query ? t("noMatch") : t("noTags")}>
            {query ? undefined : t.jsx("noTagsHint", { code: (inner) => <code>{inner}</code> })}
          </EmptyState>
        ) : (
          <ul class="list">
            {tags.map((tag, at) => (
              <li class="tag-row">
                <div>
                  <p>
                    <Icon name="tag" />{" "}
                    <a class="ref-link" href={refHref(repo, "src", { kind: "tag", name: tag.name })}>
                      {tag.name}
                    </a>{" "}
                    {tag.signature ? <SignatureBadge signature={tag.signature} short /> : null}
                  </p>
                  <p class="ref-about">
                    <a class="sha" href={commitHref(repo, tag.sha)}>
                      {tag.sha.slice(0, 10)}
                    </a>{" "}
                    <span class="clip">{tag.message ?? ""}</span> · <Time at={tag.at} />
                  </p>
                </div>
                {archivesOf(repo, { kind: "tag", name: tag.name }).map((archive) => (
                  <LinkButton small kind="quiet" icon="file-zip" href={archive.href} download>
                    {archive.label}
                  </LinkButton>
                ))}
                {tag.mayDelete ? (
                  <RowMenu name={t("moreAbout", { name: tag.name })}>
                    <li>
                      <MenuOpen icon="trash" danger opens={`delete-tag-${at}`}>
                        {t("delete")}
                      </MenuOpen>
                    </li>
                  </RowMenu>
                ) : null}
                {tag.mayDelete ? <DeleteTag repo={repo} tag={tag} at={at} /> : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
    </RepoPage>
  );
}

function DeleteTag({ repo, tag, at }: { repo: RepoFrameProps; tag: TagItem; at: number }) {
  const t = useWords(contentWords);
  return (
    <Dialog id={`delete-tag-${at}`} title={t("deleteTagNamed", { name: tag.name })}>
      <p>{t("deleteTagWarning")}</p>
      <form method="post" action={repoHref(repo, "tags/delete")}>
        <input type="hidden" name="id" value={tag.name} />
        <DialogActions label={t("deleteTag")} danger />
      </form>
    </Dialog>
  );
}
