import { atLeast } from "../../access/levels.ts";
import type { CommitService } from "../../content/commits/service.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Run } from "../runs/types.ts";
import { titleOf } from "../triggers/titles.ts";
import { BadWorkflow } from "./failure.ts";
import { nameOf, type WorkflowReader } from "./reader.ts";
import type { ReadWorkflow, ReadWorkflows } from "./reading.ts";
import type { WorkflowStarter } from "./starter.ts";
import { disabledWorkflows, isDisabled, setDisabled } from "./store.ts";
import type { DeclaredInput } from "./triggers.ts";

/** A workflow file as lists show it. */
export interface WorkflowFile {
  /** Path within the workflow directory: `build.yml`. */
  readonly id: string;
  /** The file's `name`, else the name of the file. */
  readonly name: string;
  /** Path from the repository root. */
  readonly path: string;
  readonly isEnabled: boolean;
  /** Why it cannot run; undefined if it can. */
  readonly problem: string | undefined;
  /** Whether it can be started by hand. */
  readonly isDispatchable: boolean;
}

/** The workflows of a commit. */
export interface WorkflowFiles {
  /** The branch's tip; undefined if there are no commits yet. */
  readonly commit: string | undefined;
  readonly branch: string;
  readonly workflows: readonly WorkflowFile[];
}

/** A field of the form that starts a workflow. */
export interface DispatchInput {
  readonly name: string;
  readonly type: "string" | "boolean" | "number" | "choice" | "environment";
  readonly description: string;
  readonly isRequired: boolean;
  readonly default: string;
  readonly options: readonly string[];
}

export interface Dispatch {
  /** A branch's or tag's short name, or a full ref. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface WorkflowParts {
  readonly commits: CommitService;
  readonly db: Database;
  readonly reader: WorkflowReader;
  readonly revisions: RevisionService;
  readonly starter: WorkflowStarter;
  /** The payload fields of manual runs: `repository`, `sender`, `organization`. */
  aroundOf(seen: SeenRepo): Promise<object>;
}

interface NamedRef {
  /** The full ref. */
  readonly ref: string;
  readonly commit: Oid;
}

const inputTypes = ["string", "boolean", "number", "choice", "environment"] as const;
const yes = new Set(["true", "1", "on", "yes"]);

/** The workflows of a repository (contract actions.md 8.5). */
export class WorkflowService {
  constructor(private readonly parts: WorkflowParts) {}

  /** The workflows of the default branch, sorted by id. @throws NotFound if the Actions unit is off */
  async list(seen: SeenRepo): Promise<WorkflowFiles> {
    requireReader(seen);
    const { db, reader, revisions } = this.parts;
    const branch = seen.repo.defaultBranch;
    const commit = revisions.head(seen)?.commit;
    if (commit === undefined) return { commit, branch, workflows: [] };
    const { folder = "", workflows } = await reader.read(seen.repo.id, commit);
    const off = disabledWorkflows(db, seen.repo.id);
    return {
      commit,
      branch,
      workflows: workflows.map((workflow) => ({
        id: workflow.id,
        name: nameOf(workflow),
        path: `${folder}/${workflow.id}`,
        isEnabled: !off.has(workflow.id),
        problem: workflow.problem,
        isDispatchable: workflow.inputs !== undefined,
      })),
    };
  }

  /** @throws NotFound */
  async get(seen: SeenRepo, id: string): Promise<WorkflowFile> {
    const { workflows } = await this.list(seen);
    const found = workflows.find((workflow) => workflow.id === id);
    if (!found) throw new NotFound("actions.workflow-not-found", { params: { workflow: id } });
    return found;
  }

  /** @throws NotFound; Forbidden without write access */
  async setEnabled(seen: SeenRepo, id: string, isEnabled: boolean): Promise<void> {
    requireWriter(seen);
    await this.get(seen, id);
    setDisabled(this.parts.db, seen.repo.id, id, !isEnabled);
  }

  /**
   * @throws NotFound if the workflow or ref does not exist; Forbidden without write access, or if it is disabled;
   *   ValidationFailed if it cannot be started by hand
   */
  async dispatch(seen: SeenRepo, id: string, { inputs, ref }: Dispatch): Promise<Run> {
    requireWriter(seen);
    const { commits, db, starter } = this.parts;
    if (isDisabled(db, seen.repo.id, id)) throw new Forbidden("actions.workflow-disabled");
    const at = this.refOf(seen, ref);
    const { folder = "", workflow } = await this.at(seen, at, id);
    if (workflow.problem !== undefined) throw cannotRun(workflow.problem);
    if (!workflow.inputs) throw new ValidationFailed("actions.not-dispatched", { params: { workflow: id } });
    const payload = {
      workflow: id,
      ref,
      inputs: Object.fromEntries(workflow.inputs.map((input) => [input.name, givenValue(input, inputs)])),
      ...(await this.parts.aroundOf(seen)),
    };
    try {
      const run = await starter.start({
        cause: undefined,
        repoId: seen.repo.id,
        workflow: id,
        workflowFolder: folder,
        source: workflow.source,
        sourceCommit: at.commit,
        title: titleOf(commits.read(seen, at.commit)?.commit.message ?? ""),
        event: "workflow_dispatch",
        payload: JSON.stringify(payload),
        ...at,
        userId: seen.principal.user?.id,
        issueId: undefined,
        isOfFork: false,
        needsApproval: false,
        depth: 0,
      });
      if (!run) throw new Error("a request makes a run");
      return run;
    } catch (error) {
      throw error instanceof BadWorkflow ? cannotRun(error.message) : error;
    }
  }

  /** The inputs of a manual run at the given ref; empty if it cannot be started by hand. @throws NotFound */
  async forms(seen: SeenRepo, id: string, ref: string): Promise<readonly DispatchInput[]> {
    requireReader(seen);
    const { workflow } = await this.at(seen, this.refOf(seen, ref), id);
    return (workflow.inputs ?? []).map(({ default: preset, type, ...input }) => ({
      ...input,
      type: inputTypes.find((known) => known === type) ?? "string",
      default: wordOf(preset),
    }));
  }

  private async at(
    { repo }: SeenRepo,
    { commit }: NamedRef,
    id: string,
  ): Promise<{ readonly folder: ReadWorkflows["folder"]; readonly workflow: ReadWorkflow }> {
    const { folder, workflows } = await this.parts.reader.read(repo.id, commit);
    const workflow = workflows.find((found) => found.id === id);
    if (!workflow) throw new NotFound("actions.no-such-workflow", { params: { workflow: id } });
    return { folder, workflow };
  }

  private refOf(seen: SeenRepo, ref: string): NamedRef {
    const { revisions } = this.parts;
    if (ref === "") throw new ValidationFailed("actions.no-ref", { field: "ref" });
    const isFull = ref.startsWith("refs/");
    const branch = isFull ? after(ref, BRANCHES) : ref;
    const tag = isFull ? after(ref, TAGS) : ref;
    const found =
      (branch === undefined ? undefined : revisions.branch(seen, branch)) ??
      (tag === undefined ? undefined : revisions.tag(seen, tag));
    if (!found) throw new NotFound("actions.no-such-ref", { params: { ref } });
    return { ref: (found.kind === "branch" ? BRANCHES : TAGS) + found.name, commit: found.commit };
  }
}

const after = (ref: string, prefix: string) => (ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined);

const cannotRun = (problem: string) => new ValidationFailed("actions.bad-workflow", { params: { problem } });

/** The given value, else the default, else an empty one. */
function givenValue({ default: preset, name, type }: DeclaredInput, given: Dispatch["inputs"]): boolean | string {
  const value = wordOf(Object.hasOwn(given, name) ? given[name] : preset);
  return type === "boolean" ? yes.has(value.toLowerCase()) : value;
}

function wordOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function requireReader({ access }: SeenRepo): void {
  if (!atLeast(access.on("actions"), "read")) throw new NotFound();
}

function requireWriter(seen: SeenRepo): void {
  requireReader(seen);
  if (!atLeast(seen.access.on("actions"), "write")) throw new Forbidden("repository.needs-write");
}
