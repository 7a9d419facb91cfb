import { cachedRepository } from "../git/cached-repository.ts";
import { peelToTree } from "../git/graph/peel.ts";
import { decodeText } from "../git/objects/headers.ts";
import { isTreeMode, MODE_EXECUTABLE, MODE_FILE } from "../git/objects/tree.ts";
import type { Oid } from "../git/objects/types.ts";
import type { ObjectStore } from "../git/odb/store.ts";
import { entryAt, walkTree } from "../git/trees.ts";
import type { JobContext } from "../workers/job.ts";
import { configFiles, isTemplateName, singleIssueFiles, singlePullFiles, templateDirectories } from "./locations.ts";
import { readConfig, readTemplate } from "./read.ts";
import { defaultConfig, type IssueTemplate, noTemplates, type TemplateProblem, type TemplateSet } from "./types.ts";
import { BadTemplate } from "./yaml.ts";

export interface ReadTemplatesInput {
  readonly repoDir: string;
  readonly commit: Oid;
}

const MAX_FILE_BYTES = 1 << 20;
/** For all files together: they are kept in memory. */
const MAX_TOTAL_BYTES = 4 << 20;
const MAX_TEMPLATES = 100;

/** Reads all settings for new issues and pull requests in a commit. */
export async function run({ commit, repoDir }: ReadTemplatesInput, context: JobContext): Promise<TemplateSet> {
  const { store } = cachedRepository(context, repoDir);
  const tree = peelToTree(store, commit);
  return tree === undefined ? noTemplates : new TemplateReader(store, tree).readAll();
}

const isFileMode = (mode: number) => mode === MODE_FILE || mode === MODE_EXECUTABLE;

class TemplateReader {
  private readonly templates: IssueTemplate[] = [];
  private readonly problems: TemplateProblem[] = [];
  private readBytes = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly tree: Oid,
  ) {}

  readAll(): TemplateSet {
    for (const directory of templateDirectories) this.readDirectory(directory);
    const { templates, problems } = this;
    return {
      templates,
      problems,
      single: this.readFirst(singleIssueFiles),
      pull: this.readFirst(singlePullFiles),
      ...this.readConfig(),
    };
  }

  private readDirectory(path: string): void {
    const found = entryAt(this.store, this.tree, path);
    if (!found || !isTreeMode(found.mode)) return;
    for (const { mode, oid, path: file } of walkTree(this.store, found.oid, false, `${path}/`)) {
      if (!isFileMode(mode) || !isTemplateName(file.slice(path.length + 1))) continue;
      if (this.templates.length + this.problems.length >= MAX_TEMPLATES) return;
      try {
        this.templates.push(readTemplate(file, this.text(oid)));
      } catch (error) {
        this.problems.push({ path: file, message: problemOf(error) });
      }
    }
  }

  /** The first of these files that exists; undefined also if it cannot be read. */
  private readFirst(paths: readonly string[]): IssueTemplate | undefined {
    const found = this.first(paths);
    if (!found) return undefined;
    try {
      return readTemplate(found.path, this.text(found.oid));
    } catch (error) {
      problemOf(error);
      return undefined;
    }
  }

  private readConfig(): Pick<TemplateSet, "config" | "configProblem"> {
    const found = this.first(configFiles);
    if (!found) return { config: defaultConfig, configProblem: "" };
    try {
      return { config: readConfig(this.text(found.oid)), configProblem: "" };
    } catch (error) {
      return { config: defaultConfig, configProblem: problemOf(error) };
    }
  }

  private first(paths: readonly string[]): { readonly path: string; readonly oid: Oid } | undefined {
    for (const path of paths) {
      const found = entryAt(this.store, this.tree, path);
      if (found && isFileMode(found.mode)) return { path, oid: found.oid };
    }
    return undefined;
  }

  /** @throws BadTemplate too large */
  private text(oid: Oid): string {
    const sizeBytes = this.store.header(oid)?.sizeBytes ?? 0;
    this.readBytes += sizeBytes;
    if (sizeBytes > MAX_FILE_BYTES || this.readBytes > MAX_TOTAL_BYTES) throw new BadTemplate("the file is too large");
    return decodeText(this.store.read(oid)?.data ?? new Uint8Array());
  }
}

/** The message for a refused file; rethrows other errors. */
function problemOf(error: unknown): string {
  if (error instanceof BadTemplate) return error.message;
  // The structure is nested too deep to parse.
  if (error instanceof RangeError) return "nested too deep";
  throw error;
}
