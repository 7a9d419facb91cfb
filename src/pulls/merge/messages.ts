import { operator } from "../../access/principal.ts";
import type { CommitService, ReadCommit } from "../../content/commits/service.ts";
import type { FileService } from "../../content/files/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import { endsInTrailers, withCoAuthors } from "../../git/replay/commit.ts";
import { type GitIdentity, gitIdentityOf } from "../../identity/git-identity.ts";
import type { IdentityService } from "../../identity/service.ts";
import { issuePage } from "../../issues/addresses.ts";
import type { ItemReferences } from "../../issues/references/service.ts";
import type { Links } from "../../kernel/links.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Reviews } from "../review/service.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { MergeStyle } from "./types.ts";

/** The `pulls.*` settings for messages. */
export interface MessageLimits {
  readonly maxApprovers: number;
  readonly officialApproversOnly: boolean;
  /** Whether a squash message lists the commit messages instead of the pull request's text. */
  readonly squashesMessages: boolean;
  readonly maxCommits: number;
  /** 0: no limit. */
  readonly maxBytes: number;
}

export interface MessageParts {
  readonly commits: CommitService;
  readonly files: FileService;
  readonly history: HistoryService;
  readonly identity: IdentityService;
  readonly itemReferences: ItemReferences;
  readonly limits: MessageLimits;
  readonly links: Links;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly reviews: Reviews;
  readonly storage: RepoStorage;
}

/** The default message, before it is edited. */
export interface MergeMessage {
  readonly title: string;
  readonly body: string;
}

const MAX_TEMPLATE_BYTES = 64 * 1024;
/** Commits of a pull request whose authors are considered. */
const MAX_COMMITS = 500;

/** The messages of merges (contract pulls.md 9.2 and 9.3). */
export class MergeMessages {
  constructor(private readonly parts: MessageParts) {}

  /** From the repository's template if it has one, otherwise the default. */
  async of(item: SeenPull, style: MergeStyle): Promise<MergeMessage> {
    const template = await this.template(item, style);
    if (template === undefined) return { title: this.title(item, style), body: await this.body(item, style) };
    return messageIn(template, this.values(item));
  }

  /**
   * The message of the last commit of a rebase if the repository has a template for it; undefined to keep the original.
   */
  async ofRebased(item: SeenPull): Promise<string | undefined> {
    const template = await this.template(item, "rebase");
    if (template === undefined) return undefined;
    const last = (await this.ownCommits(item)).findLast(({ commit }) => commit.parents.length < 2);
    const [title = "", ...rest] = (last?.commit.message ?? "").trim().split("\n");
    const values = { ...this.values(item), CommitTitle: title.trim(), CommitBody: rest.join("\n").trim() };
    const message = messageIn(template, values);
    return [message.title, message.body].filter((part) => part !== "").join("\n\n") || undefined;
  }

  /** The author of a squash: the poster, with the identity of their first commit. */
  async authorOf(item: SeenPull): Promise<GitIdentity | undefined> {
    const { commits, identity, links } = this.parts;
    const { posterId } = item.issue;
    const poster = posterId === undefined ? undefined : identity.byId(posterId);
    if (!poster) return undefined;
    const read = await this.ownCommits(item);
    const people = commits.peopleOf(operator, read);
    const own = read.find(({ commit }) => people.get(commit.author.email.toLowerCase())?.id === poster.id);
    return own ? { name: own.commit.author.name, email: own.commit.author.email } : gitIdentityOf(poster, links);
  }

  /** Its commits, oldest first. */
  private async ownCommits({ pull, seen }: SeenPull): Promise<ReadCommit[]> {
    const { commits, history, pulls, storage } = this.parts;
    const base = pulls.baseTip(pull) ?? pull.mergeBase;
    const range = { tips: [pull.headOid], not: base === undefined ? [] : [base] };
    const { oids } = await history.page(seen, { ...range, skip: 0, limit: MAX_COMMITS, count: false });
    return storage.reading(() => commits.readAll(seen, [...oids].reverse()));
  }

  private title(item: SeenPull, style: MergeStyle): string {
    const { issue, pull } = item;
    const reference = this.reference(item);
    if (style === "squash") return `${issue.title} (${reference})`;
    if (style === "rebase" || style === "fast-forward-only") return "";
    return `Merge pull request '${issue.title}' (${reference}) from ${this.headName(item)} into ${pull.baseBranch}`;
  }

  private headName({ pull }: SeenPull): string {
    if (pull.headRepoId === pull.repoId) return pull.headBranch;
    return `${this.headRepo(pull) ?? "<deleted>"}:${pull.headBranch}`;
  }

  private headRepo({ headRepoId }: SeenPull["pull"]): string | undefined {
    const { identity, repos } = this.parts;
    const repo = headRepoId === undefined ? undefined : repos.byId(headRepoId);
    const owner = repo && identity.byId(repo.ownerId);
    return repo && owner ? `${owner.login}/${repo.name}` : undefined;
  }

  private reference({ issue, seen }: SeenPull): string {
    return `${seen.repo.settings.externalTracker ? "!" : "#"}${issue.number}`;
  }

  private async body(item: SeenPull, style: MergeStyle): Promise<string> {
    if (style !== "squash") return [`Reviewed-on: ${this.page(item)}`, ...this.approvers(item)].join("\n");
    const authors = await this.coAuthors(item);
    const text = (this.parts.limits.squashesMessages ? await this.commitMessages(item) : item.issue.body).trim();
    // Trailers at the end of the text are continued; anything else is separated from them.
    const own = authors.length === 0 || endsInTrailers(text) ? text : `${text}\n\n---------`;
    return withCoAuthors(own, authors).trim();
  }

  /** As a bulleted list, oldest first, within the limits of the settings (contract pulls.md 9.2). */
  private async commitMessages(item: SeenPull): Promise<string> {
    const { maxBytes, maxCommits } = this.parts.limits;
    const read = (await this.ownCommits(item)).slice(0, maxCommits);
    const text = read.map(({ commit }) => `* ${commit.message.trim()}`).join("\n\n");
    const bytes = Buffer.from(text);
    if (maxBytes === 0 || bytes.length <= maxBytes) return text;
    // Drops a character cut in half.
    return `${new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })}...`;
  }

  private page(item: SeenPull): string {
    return issuePage(item, this.parts.links);
  }

  /** One line for each reviewer whose latest approval counts. */
  private approvers({ issue }: SeenPull): string[] {
    const { identity, limits, links, reviews } = this.parts;
    const approvals = reviews
      .ofEach([issue.id])
      .filter(({ isDismissed, kind }) => kind === "approve" && !isDismissed)
      .filter(({ isOfficial }) => isOfficial || !limits.officialApproversOnly);
    const users = identity.byIds(approvals.flatMap(({ reviewerId }) => reviewerId ?? []));
    return [...users.values()].slice(0, limits.maxApprovers).map((user) => {
      const { email, name } = gitIdentityOf(user, links);
      return `Reviewed-by: ${name} <${email}>`;
    });
  }

  /** The other authors of the squashed commits, excluding the poster by name or account. */
  private async coAuthors(item: SeenPull): Promise<GitIdentity[]> {
    const { posterId } = item.issue;
    const own = await this.authorOf(item);
    const read = await this.ownCommits(item);
    const people = this.parts.commits.peopleOf(operator, read);
    return read
      .map(({ commit }) => ({ name: commit.author.name, email: commit.author.email }))
      .filter(({ email }) => email !== own?.email && (people.get(email.toLowerCase())?.id ?? 0) !== posterId);
  }

  private async template({ seen }: SeenPull, style: MergeStyle): Promise<string | undefined> {
    const { files, refs, storage } = this.parts;
    const head = refs.find(seen.repo.id, `refs/heads/${seen.repo.defaultBranch}`)?.oid;
    if (head === undefined) return undefined;
    return storage.reading(() => {
      for (const directory of [".forgejo", ".gitea"]) {
        const file = files.find(seen, head, `${directory}/default_merge_message/${style.toUpperCase()}_TEMPLATE.md`);
        const bytes = file?.kind === "file" ? files.bytes(seen, file.oid, MAX_TEMPLATE_BYTES) : undefined;
        if (bytes) return Buffer.from(bytes).toString("utf8");
      }
      return undefined;
    });
  }

  private values(item: SeenPull): Readonly<Record<string, string>> {
    const { issue, pull, seen } = item;
    const [headOwner = "", headName = ""] = (this.headRepo(pull) ?? "").split("/");
    const poster = issue.posterId === undefined ? undefined : this.parts.identity.byId(issue.posterId);
    return {
      BaseRepoOwnerName: seen.owner.login,
      BaseRepoName: seen.repo.name,
      BaseBranch: pull.baseBranch,
      HeadRepoOwnerName: headOwner,
      HeadRepoName: headName,
      HeadBranch: pull.headBranch,
      PullRequestTitle: issue.title,
      PullRequestDescription: issue.body,
      PullRequestPosterName: poster?.login ?? "Ghost",
      PullRequestIndex: String(issue.number),
      PullRequestReference: this.reference(item),
      ReviewedOn: `Reviewed-on: ${this.page(item)}`,
      ReviewedBy: this.approvers(item).join("\n"),
      ClosingIssues: this.closingIssues(item),
    };
  }

  /** In the wording used in commit messages. */
  private closingIssues({ issue, seen }: SeenPull): string {
    const { itemReferences } = this.parts;
    return itemReferences
      .closedBy(seen.principal, issue.id)
      .map(({ issue: closed, seen: { owner, repo } }) =>
        repo.id === seen.repo.id ? `close #${closed.number}` : `close ${owner.login}/${repo.name}#${closed.number}`,
      )
      .join(", ");
  }
}

/** Split first: a multi-line value never becomes part of the title. */
function messageIn(template: string, values: Readonly<Record<string, string>>): MergeMessage {
  const [first = "", ...rest] = template.split(/\r\n|\n/);
  return { title: filled(first, values).trim(), body: filled(rest.join("\n"), values).trim() };
}

/** Expands `$Name` and `${Name}`; unknown names are empty. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    return Object.hasOwn(values, name) ? (values[name] ?? "") : "";
  });
}
