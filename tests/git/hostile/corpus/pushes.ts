import { join } from "node:path";
import { GitError } from "../../../../src/git/errors.ts";
import { kindOfType } from "../../../../src/git/packs/entry.ts";
import { ingestPack } from "../../../../src/git/receive/ingest.ts";
import { discard } from "../../../../src/git/receive/quarantine.ts";
import { git, tempDir } from "../../objects/real-git.ts";
import { type HandEntry, packOf, pieces } from "../../receive/packs.ts";
import { type CorpusObject, object, oidOf, PARENT, treeOf } from "./objects.ts";

/** How a push of one object ended: the ids of fsck's errors when those refused it, "other" for another reason. */
export interface PushVerdict {
  readonly accepted: boolean;
  readonly reasons: readonly string[];
  readonly words: string;
}

/** A repository to push to, that has what the objects of the corpus point to. */
export class PushTarget {
  private readonly dir = tempDir();
  readonly repo = join(this.dir.path, "r.git");
  private readonly connectedTo: string[];

  constructor() {
    git(["init", "-q", "--bare", this.repo]);
    git(["-C", this.repo, "config", "receive.fsckObjects", "true"]);
    git(["-C", this.repo, "config", "receive.unpackLimit", "1"]);
    const base = [object("blob", "empty", ""), object("tree", "empty", ""), PARENT];
    for (const { type, data } of base)
      git(["-C", this.repo, "hash-object", "-w", "-t", type, "--stdin"], { input: data });
    this.connectedTo = base.map(oidOf);
    for (const oid of this.connectedTo) git(["-C", this.repo, "update-ref", `refs/tags/base-${oid}`, oid]);
  }

  /** Through `git receive-pack`, objects and all: the slow and honest way. */
  throughReceivePack(each: CorpusObject): PushVerdict {
    const { pack, tip } = pushOf(objectsOf(each));
    const line = `${"0".repeat(40)} ${tip} refs/tags/pushed-${tip}\0report-status\n`;
    const request = Buffer.concat([
      Buffer.from((line.length + 4).toString(16).padStart(4, "0") + line),
      Buffer.from("0000"),
      pack,
    ]);
    const { stdout, stderr } = git(["receive-pack", "--stateless-rpc", this.repo], { input: request, mayFail: true });
    return verdictOf(stdout.includes("ok refs/tags/"), stderr);
  }

  /** Through what receive-pack runs: `git index-pack --strict`. */
  throughIndexPack(each: CorpusObject): PushVerdict {
    const { code, stderr } = git(["-C", this.repo, "index-pack", "--strict", "--stdin"], {
      input: pushOf(objectsOf(each)).pack,
      mayFail: true,
    });
    return verdictOf(code === 0, stderr);
  }

  /** Through our own door. */
  ours(each: CorpusObject): Promise<PushVerdict> {
    return this.oursOf(objectsOf(each));
  }

  /** The last object is the tip. */
  async oursOf(objects: readonly Stored[]): Promise<PushVerdict> {
    const { pack, tip } = pushOf(objects);
    const { repo: repoDir, connectedTo } = this;
    try {
      discard(await ingestPack({ repoDir, pack: pieces(pack, 4096), newTips: [tip], connectedTo, strict: true }));
      return { accepted: true, reasons: [], words: "" };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return verdictOf(false, error.message);
    }
  }

  [Symbol.dispose](): void {
    this.dir[Symbol.dispose]();
  }
}

type Stored = Pick<CorpusObject, "type" | "data">;

/** The object, and the tree that gives a blob its role. */
function objectsOf(each: CorpusObject): Stored[] {
  if (!each.role) return [each];
  return [each, { type: "tree", data: treeOf(["100644", `.${each.role}`, oidOf(each)]) }];
}

/** A pack of the objects, the last of which is the tip. */
function pushOf(objects: readonly Stored[]): { pack: Buffer; tip: string } {
  const entries = objects.map(({ type, data }): HandEntry => ({ kind: kindOf(type), data }));
  return { pack: packOf(entries), tip: oidOf(objects.at(-1)!) };
}

function kindOf(type: CorpusObject["type"]): 1 | 2 | 3 | 4 {
  const kind = kindOfType(type);
  if (kind === 1 || kind === 2 || kind === 3 || kind === 4) return kind;
  throw new Error(`no kind for ${type}`);
}

function verdictOf(accepted: boolean, words: string): PushVerdict {
  if (accepted) return { accepted, reasons: [], words };
  const ids = words
    .split("\n")
    .filter((line) => !line.startsWith("warning"))
    .flatMap((line) => /object [0-9a-f]{40}: (\w+: .*)$/.exec(line)?.[1]?.split("; ") ?? [])
    .flatMap((part) => /^(\w+): /.exec(part)?.[1] ?? []);
  return { accepted, reasons: ids.length > 0 ? ids : ["other"], words };
}
