import { jobToken, type RepoCredential } from "../../access/principal.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import { NotFound, Redirected, ValidationFailed } from "../../kernel/errors.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { workflowFolders } from "./folders.ts";
import type { WorkflowReader } from "./reader.ts";
import type { CalledFile } from "./types.ts";

export interface CalledFileNeeds {
  readonly reader: WorkflowReader;
  readonly repos: RepoService;
  readonly revisions: RevisionService;
  /** The site's URL, ending in `/`; it may precede `owner/repo`. */
  readonly rootUrl: string;
}

/** The workflow that makes the call. */
export interface Caller {
  /** What jobs of the run may read. */
  readonly rights: RepoCredential;
  /** Where the calling file was read. */
  readonly repoId: number;
  readonly commit: string;
}

/**
 * Reads the file that `uses` names (contract actions.md 3.10), from the calling file's own commit or from a repository
 * that jobs of the run's repository may read.
 * @throws NotFound; ValidationFailed if `uses` is malformed
 */
export async function readCalled(needs: CalledFileNeeds, caller: Caller, uses: string): Promise<CalledFile> {
  const { commit, path, repoId } = placeOf(needs, caller, uses);
  const { folder, workflows } = await needs.reader.read(repoId, commit);
  const workflow = workflows.find(({ id }) => `${folder}/${id}` === path);
  if (!workflow) throw new NotFound("actions.no-such-workflow", { params: { workflow: path } });
  if (workflow.problem !== undefined)
    throw new ValidationFailed("actions.bad-workflow", { params: { problem: workflow.problem } });
  return { repoId, commit, path, source: workflow.source };
}

function placeOf(needs: CalledFileNeeds, caller: Caller, uses: string): Omit<CalledFile, "source"> {
  if (uses.startsWith("./"))
    return { repoId: caller.repoId, commit: caller.commit, path: requireFolder(uses.slice(2), uses) };
  const named = uses.startsWith(needs.rootUrl) ? uses.slice(needs.rootUrl.length) : uses;
  const [, owner, name, path, ref] = /^([^/@]+)\/([^/@]+)\/([^@]+)@(.+)$/.exec(named) ?? [];
  if (owner === undefined || name === undefined || path === undefined || ref === undefined)
    throw new ValidationFailed("actions.bad-call", { params: { uses } });
  requireFolder(path, uses);
  const seen = repoOf(needs, caller, owner, name);
  const found = needs.revisions.named(seen, ref);
  if (!found) throw new NotFound("actions.no-such-ref", { params: { ref } });
  return { repoId: seen.repo.id, commit: found.commit, path };
}

function requireFolder(path: string, uses: string): string {
  if (workflowFolders.some((folder) => path.startsWith(`${folder}/`))) return path;
  throw new ValidationFailed("actions.bad-call", { params: { uses } });
}

function repoOf({ repos }: CalledFileNeeds, caller: Caller, owner: string, name: string): SeenRepo {
  const principal = jobToken(caller.rights);
  try {
    return repos.see(principal, owner, name, (newOwner, newName) => `${newOwner}/${newName}`);
  } catch (error) {
    if (error instanceof Redirected) throw new NotFound();
    throw error;
  }
}
