import { segments } from "../../src/kernel/url-path.ts";
import { CopyButton, LinkButton, OpenButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { ErrorSummary, type FormState, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { exactText } from "../components/numbers.ts";
import { Badge, Card, EmptyState, MenuOpen, RowMenu } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, type RefName, refHref, repoHref } from "../links.ts";

export interface BranchItem {
  readonly name: string;
  readonly sha: string;
  readonly subject: string;
  readonly at: Instant;
  readonly isProtected: boolean;
  /** Commits only the branch has, and commits only the default branch has; absent while not counted. */
  readonly divergence?: { readonly ahead: number; readonly behind: number };
  readonly mayDelete: boolean;
  readonly mayRename: boolean;
}

export interface BranchesProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** Absent when the default branch does not exist. */
  readonly defaultBranch?: BranchItem;
  readonly branches: readonly BranchItem[];
  readonly query: string;
  readonly pages: PageOf;
  /** Where a new branch starts. */
  readonly from: RefName;
  /** A new branch that was refused: its dialog is shown again with what was typed. */
  readonly refused?: FormState<"new_branch_name">;
}

/** `GET {W}/branches`: the default branch, then the others. */
export function BranchesPage(props: BranchesProps) {
  const { repo, defaultBranch, branches, query } = props;
  return (
    <RepoPage shell={props.shell} repo={repo} tab="branches" title={["Branches"]}>
      <h1 class="hidden-text">Branches</h1>
      {defaultBranch ? (
        <Card title="Default branch" flush>
          <BranchTable repo={repo} branches={[defaultBranch]} label="Default branch" />
        </Card>
      ) : null}
      <div class="row">
        <div class="grow">
          <RefSearch action={repoHref(repo, "branches")} query={query} label="Find a branch" />
        </div>
        {repo.may.write ? <NewBranch repo={repo} from={props.from} refused={props.refused} /> : null}
      </div>
      <Card title="Branches" flush>
        {branches.length === 0 ? (
          <EmptyState icon="git-branch" title={query ? "No matching results found." : "No other branches"} />
        ) : (
          <BranchTable repo={repo} branches={branches} label="Branches" />
        )}
      </Card>
      <Pagination of={props.pages} />
      {[...(defaultBranch ? [defaultBranch] : []), ...branches].map((branch) => (
        <>
          {branch.mayRename ? <RenameBranch repo={repo} branch={branch} /> : null}
          {branch.mayDelete ? <DeleteBranch repo={repo} branch={branch} /> : null}
        </>
      ))}
    </RepoPage>
  );
}

/** Search words above a list of refs. */
export function RefSearch({ action, query, label }: { action: string; query: string; label: string }) {
  return (
    <search>
      <form class="search-form" method="get" action={action}>
        <input type="search" name="q" value={query} aria-label={label} placeholder={label} data-hotkey="/,s" />
        <button type="submit" class="btn" title="Search">
          <Icon name="search" /> <span class="wide-only">Search</span>
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
                  <CopyButton text={branch.name} label={`Copy the name ${branch.name}`} />
                  {branch.isProtected ? <Badge icon="shield-lock">Protected</Badge> : null}
                </div>
                <p class="ref-about">
                  <a class="sha" href={commitHref(repo, branch.sha)}>
                    {branch.sha.slice(0, 10)}
                  </a>{" "}
                  <span class="clip">{branch.subject}</span> · <Time at={branch.at} />
                </p>
              </th>
              <td class="end">
                {branch.divergence ? <Divergence {...branch.divergence} base={repo.defaultBranch} /> : null}
              </td>
              <td class="end">
                {repo.may.write ? (
                  <RowMenu name={`More about ${branch.name}`}>
                    <li>
                      <a
                        class="menu-item"
                        href={`${repoHref(repo, "branches")}?from=${encodeURIComponent(branch.name)}#new-branch`}
                      >
                        <Icon name="git-branch" /> New branch from here
                      </a>
                    </li>
                    {branch.mayRename ? (
                      <li>
                        <MenuOpen icon="pencil" opens={dialogId("rename", branch.name)}>
                          Rename
                        </MenuOpen>
                      </li>
                    ) : null}
                    {branch.mayDelete ? (
                      <li>
                        <MenuOpen icon="trash" danger opens={dialogId("delete", branch.name)}>
                          Delete
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

function Divergence({ ahead, behind, base }: { ahead: number; behind: number; base: string }) {
  if (ahead === 0 && behind === 0) return <span class="muted">even with {base}</span>;
  return (
    <span class="divergence" title={`${exactText(behind)} behind, ${exactText(ahead)} ahead of ${base}`}>
      <span>
        {exactText(behind)} <span class="muted">behind</span>
      </span>
      <span>
        {exactText(ahead)} <span class="muted">ahead</span>
      </span>
    </span>
  );
}

/** An id that a name of any letters can give. */
function dialogId(what: string, name: string): string {
  return `${what}-${new Bun.CryptoHasher("sha1").update(name).digest("hex").slice(0, 12)}`;
}

const NAMES: Record<RefName["kind"], string> = { branch: "branch", tag: "tag", commit: "commit" };

function NewBranch({
  repo,
  from,
  refused,
}: {
  repo: RepoFrameProps;
  from: RefName;
  refused: FormState<"new_branch_name"> | undefined;
}) {
  const shown = from.kind === "commit" ? from.name.slice(0, 10) : from.name;
  return (
    <>
      <OpenButton kind="primary" icon="git-branch" opens="new-branch">
        New branch
      </OpenButton>
      <Dialog id="new-branch" title="New branch" open={refused !== undefined}>
        <form class="form" method="post" action={repoHref(repo, `branches/_new/${from.kind}/${segments(from.name)}`)}>
          <ErrorSummary errors={refused?.errors?.form ? { form: refused.errors.form } : undefined} />
          <TextField
            name="new_branch_name"
            label="Name"
            hint={`Starts at the ${NAMES[from.kind]} ${shown}.`}
            value={refused?.values?.new_branch_name}
            error={refused?.errors?.new_branch_name}
            autocomplete="off"
            required
            code
          />
          <DialogActions label="Create branch" />
        </form>
      </Dialog>
    </>
  );
}

function RenameBranch({ repo, branch }: { repo: RepoFrameProps; branch: BranchItem }) {
  const id = dialogId("rename", branch.name);
  return (
    <Dialog id={id} title={`Rename branch ${branch.name}`}>
      <form class="form" method="post" action={repoHref(repo, "branches/rename")}>
        <input type="hidden" name="from" value={branch.name} />
        <TextField
          id={`${id}-to`}
          name="to"
          label="New name"
          hint="Links to the old name redirect to the new one. Clones have to switch to it themselves."
          value={branch.name}
          autocomplete="off"
          required
          code
        />
        <DialogActions label="Rename branch" />
      </form>
    </Dialog>
  );
}

function DeleteBranch({ repo, branch }: { repo: RepoFrameProps; branch: BranchItem }) {
  const id = dialogId("delete", branch.name);
  return (
    <Dialog id={id} title={`Delete branch ${branch.name}?`}>
      <p>Commits that are on no other branch or tag can no longer be reached.</p>
      <form method="post" action={repoHref(repo, "branches/delete")}>
        <input type="hidden" name="name" value={branch.name} />
        <DialogActions label="Delete branch" danger />
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
  /** Downloads of its files, where the server makes them. */
  readonly archives?: readonly { readonly label: string; readonly href: string }[];
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
  return (
    <RepoPage shell={props.shell} repo={repo} tab="tags" title={["Tags"]}>
      <h1 class="hidden-text">Tags</h1>
      <RefSearch action={repoHref(repo, "tags")} query={query} label="Find a tag" />
      <Card flush>
        {tags.length === 0 ? (
          <EmptyState icon="tag" title={query ? "No matching results found." : "No tags yet"}>
            {query ? undefined : "Push one with git push --tags."}
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
                    </a>
                  </p>
                  <p class="ref-about">
                    <a class="sha" href={commitHref(repo, tag.sha)}>
                      {tag.sha.slice(0, 10)}
                    </a>{" "}
                    <span class="clip">{tag.message ?? ""}</span> · <Time at={tag.at} />
                  </p>
                </div>
                {tag.archives?.map((archive) => (
                  <LinkButton small kind="quiet" icon="file-zip" href={archive.href} download>
                    {archive.label}
                  </LinkButton>
                ))}
                {tag.mayDelete ? (
                  <RowMenu name={`More about ${tag.name}`}>
                    <li>
                      <MenuOpen icon="trash" danger opens={`delete-tag-${at}`}>
                        Delete
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
  return (
    <Dialog id={`delete-tag-${at}`} title={`Delete tag ${tag.name}?`}>
      <p>Links to it stop working.</p>
      <form method="post" action={repoHref(repo, "tags/delete")}>
        <input type="hidden" name="id" value={tag.name} />
        <DialogActions label="Delete tag" danger />
      </form>
    </Dialog>
  );
}
