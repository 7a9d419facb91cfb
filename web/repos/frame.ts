import { units } from "../../src/access/levels.ts";
import { editFiles, openEditor } from "../../src/content/access.ts";
import { SHA256 } from "../../src/git/objects/format.ts";
import { storageFailure } from "../../src/http/storage-failure.ts";
import { segment } from "../../src/kernel/url-path.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { sshAddress } from "../../src/repos/addresses.ts";
import { mayUse } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { within } from "../within.ts";
import { visibilityOf } from "./items.ts";

/** How long a page waits for the commit count; it is cached unless the branch has just moved. */
const WAIT_MS = 40;

/** What every page of a repository shows around its content. */
export async function repoFrame(services: WebServices, seen: SeenRepo): Promise<RepoFrameProps> {
  const { repo, owner } = seen;
  const { branches, tags } = services.refFacts.counts(seen);
  const items = services.itemLists.counts(seen);
  const commits = await countCommits(services, seen);
  return {
    owner: owner.login,
    name: repo.name,
    visibility: visibilityOf(repo, owner),
    isOpenInPart: repo.isPrivate && repo.settings.opened !== undefined,
    description: repo.description,
    isTemplate: repo.isTemplate,
    isEmpty: repo.isEmpty,
    ...forkedFrom(services, seen),
    ...(repo.isMirror
      ? { mirrorOf: { address: repo.originalUrl, syncedAt: services.pullMirrors.of(repo.id)?.syncedAt } }
      : {}),
    defaultBranch: repo.defaultBranch,
    ...(repo.objectFormat === SHA256 ? { isSha256: true } : {}),
    openItems: { issues: items.issues?.open, pulls: items.pulls?.open },
    reads: units.filter((unit) => seen.access.on(unit) !== "none"),
    counts: { branches, tags, commits, releases: services.releases.count(seen) },
    cloneUrls: cloneUrls(services, seen),
    hasLargeFiles: services.lfs.isEnabled,
    hasArchives: services.config["archives.enabled"],
    hasPackages: services.config["packages.enabled"],
    may: {
      write: mayUse(openEditor, seen),
      propose: mayUse(editFiles, seen),
      administer: mayUse(administersRepo, seen),
    },
    actions: services.repoActions.flatMap((source) => source.of(services, seen) ?? []),
    ...(repo.isArchived ? { archivedAt: repo.archivedAt ?? repo.updatedAt } : {}),
  };
}

/** Also undefined when they cannot be read: issues and settings remain available when the repository's disk is not. */
async function countCommits({ history, revisions }: WebServices, seen: SeenRepo): Promise<number | undefined> {
  try {
    const head = revisions.head(seen);
    return head && (await within(history.count(seen, { tips: [head.commit] }), WAIT_MS));
  } catch (error) {
    if (storageFailure(error)) return undefined;
    throw error;
  }
}

/** The clone URLs for the viewer. @param ending `.wiki.git` for its wiki */
export function cloneUrls(
  services: Pick<WebServices, "config" | "links">,
  seen: SeenRepo,
  ending: ".git" | ".wiki.git" = ".git",
): { http: string; ssh?: string } {
  const { config, links } = services;
  const isShown = config["ssh.listen"] !== "" && (seen.principal.user || config["ssh.show_to_visitors"]);
  const ssh = isShown ? { ssh: sshAddress(links, seen.owner.login, seen.repo.name, ending) } : {};
  return { http: httpCloneUrl(services, seen, ending), ...ssh };
}

/** The HTTP clone URL. @param ending `.wiki.git` for its wiki */
export function httpCloneUrl(
  { links }: Pick<WebServices, "links">,
  { owner, repo }: SeenRepo,
  ending: ".git" | ".wiki.git" = ".git",
): string {
  return `${links.rootUrl}${segment(owner.login)}/${segment(repo.name)}${ending}`;
}

/** The parent of a fork, if the viewer may see it. */
function forkedFrom({ forks }: WebServices, seen: SeenRepo): Pick<RepoFrameProps, "forkOf"> {
  const base = forks.baseOf(seen);
  return base ? { forkOf: { owner: base.owner.login, name: base.repo.name } } : {};
}

/** A page of a repository, under its current name; `sub` is already escaped. */
export function homeOf({ owner, repo }: SeenRepo, sub = ""): string {
  return repoHref({ owner: owner.login, name: repo.name }, sub);
}
