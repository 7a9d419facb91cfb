import { Glob, MatchBudget } from "../attributes/glob.ts";
import { toLatin1 } from "../diff/content.ts";
import { GitError } from "../errors.ts";
import { decodeName, encodeName } from "../objects/names.ts";

/** A path that was asked for is not there. */
export class NoSuchPath extends GitError {
  override name = "NoSuchPath";
  constructor(readonly path: string) {
    super(`pathspec '${path}' did not match any files`);
  }
}

interface Wanted {
  readonly given: string;
  /** Without a slash at its end; empty for everything. */
  readonly path: string;
  readonly glob: Glob | undefined;
  readonly foldersOnly: boolean;
  found: boolean;
}

/**
 * Which paths of a tree are wanted (gitglossary(7), "pathspec"): a path stands for itself and everything below it, and
 * one with `*`, `?` or `[` for whatever it matches, slashes included. Magic words (`:(…)`) are not known here.
 */
export class Pathspec {
  private readonly wanted: readonly Wanted[];
  private readonly budget = new MatchBudget();

  /** @param paths as `decodeName` gives them @param literally signs stand for themselves */
  constructor(paths: readonly string[], literally = false) {
    this.wanted = paths.map((given) => {
      const bytes = toLatin1(encodeName(given));
      const clean = bytes
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .join("/");
      const isGlob = !literally && /[*?[\\]/.test(clean);
      return {
        given,
        path: clean,
        glob: isGlob ? new Glob(clean, true) : undefined,
        foldersOnly: clean !== "" && bytes.endsWith("/"),
        found: false,
      };
    });
  }

  get isLiteral(): boolean {
    return this.wanted.every(({ glob }) => glob === undefined);
  }

  /** Of a single path: without needless slashes, as `decodeName` gives it; with one at its end when it must be a folder. */
  get cleanPath(): string {
    const [wanted] = this.wanted;
    return wanted ? decodeName(Buffer.from(wanted.path + (wanted.foldersOnly ? "/" : ""), "latin1")) : "";
  }

  /** Whether the file, link or submodule is wanted; a submodule also where only a folder would be. */
  matches(path: string, isSubmodule = false): boolean {
    let isWanted = false;
    for (const wanted of this.wanted) {
      if (!this.fits(wanted, path, isSubmodule)) continue;
      wanted.found = true;
      isWanted = true;
    }
    return isWanted;
  }

  /** Whether something below the folder may be wanted. */
  mayHold(folder: string): boolean {
    return this.wanted.some(
      ({ path, glob }) =>
        glob !== undefined ||
        path === "" ||
        path === folder ||
        path.startsWith(`${folder}/`) ||
        folder.startsWith(`${path}/`),
    );
  }

  /** @throws NoSuchPath when a path has matched nothing so far */
  requireAll(): void {
    const missing = this.wanted.find(({ found }) => !found);
    if (missing) throw new NoSuchPath(missing.given);
  }

  private fits({ path, glob, foldersOnly }: Wanted, found: string, isSubmodule: boolean): boolean {
    if (path === "" || found.startsWith(`${path}/`)) return true;
    if (found === path) return !foldersOnly || isSubmodule;
    return glob?.matches(found, this.budget) ?? false;
  }
}
