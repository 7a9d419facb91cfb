import { atLeast } from "../access/levels.ts";
import type { Cache, CacheBudget } from "../kernel/cache.ts";
import { InFlight } from "../kernel/in-flight.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import { JobTimedOut, type WorkerPool } from "../workers/pool.ts";
import { checkForm, type FieldProblem } from "./check.ts";
import { fieldName, renderForm, type Submitted } from "./render.ts";
import { defaultConfig, type FormField, type IssueTemplate, noTemplates, type TemplateSet } from "./types.ts";

export interface IssueTemplateNeeds {
  readonly caches: CacheBudget;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly storage: RepoStorage;
}

const READ_TIMEOUT_MS = 10_000;
const MATCH_TIMEOUT_MS = 1_000;

/** Templates of issues and pull requests on the default branch (contract issues.md 16). */
export class IssueTemplateService {
  private readonly sets: Cache<string, TemplateSet>;
  private readonly reading = new InFlight<string, TemplateSet>();

  constructor(private readonly needs: IssueTemplateNeeds) {
    this.sets = needs.caches.cache((set) => JSON.stringify(set).length * 2);
  }

  /** All templates; empty for those who may not read the code. */
  async read({ access, repo }: SeenRepo): Promise<TemplateSet> {
    const { pool, refs, storage } = this.needs;
    const commit = atLeast(access.on("code"), "read") && refs.find(repo.id, `refs/heads/${repo.defaultBranch}`)?.oid;
    if (!commit) return noTemplates;
    const key = `${repo.id} ${commit}`;
    const cached = this.sets.get(key);
    if (cached) return cached;
    return this.reading.once(key, async () => {
      const input = { repoDir: storage.dirOf(repo.id), commit };
      const set = await pool.run("issueTemplates.read", input, { timeoutMs: READ_TIMEOUT_MS }).catch((error) => {
        if (error instanceof JobTimedOut) return tooCostly;
        throw error;
      });
      this.sets.set(key, set);
      return set;
    });
  }

  /** The template with that path; undefined if there is none. */
  async find(seen: SeenRepo, path: string): Promise<IssueTemplate | undefined> {
    const { single, templates } = await this.read(seen);
    return [...templates, ...(single ? [single] : [])].find((template) => template.path === path);
  }

  /** The problems of a submitted form; empty: it is valid. */
  async check(fields: readonly FormField[], submitted: Submitted): Promise<FieldProblem[]> {
    const problems = checkForm(fields, submitted);
    const patterned = fields.filter((field) => field.regex !== "" && submitted(fieldName(field)) !== "");
    if (patterned.length === 0) return problems;
    const pairs = patterned.map((field) => ({ regex: field.regex, value: submitted(fieldName(field)) }));
    // A pattern that takes too long must not prevent submission.
    const matches = await this.needs.pool
      .run("issueTemplates.match", { pairs }, { timeoutMs: MATCH_TIMEOUT_MS })
      .catch((error) => {
        if (error instanceof JobTimedOut) return pairs.map(() => true);
        throw error;
      });
    const wrong = patterned.filter((_, at) => !matches[at]);
    return [...problems, ...wrong.map((field): FieldProblem => ({ field, problem: "pattern" }))];
  }

  /** The Markdown of a submitted form. */
  compose(fields: readonly FormField[], submitted: Submitted): string {
    return renderForm(fields, submitted).trimEnd();
  }
}

const tooCostly: TemplateSet = {
  ...noTemplates,
  config: defaultConfig,
  configProblem: "the templates take too long to read",
};
