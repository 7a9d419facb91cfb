import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runGit } from "../../../../cli/git/main.ts";
import { GitError } from "../../../../src/git/errors.ts";
import { RepositoryFolder } from "../../../../src/git/folder.ts";
import { lastCommits } from "../../../../src/git/history/last-commits.ts";
import { languageStatistics } from "../../../../src/git/languages/statistics.ts";
import { buildHistory, git, gitEnvironment, gitText } from "../../objects/real-git.ts";
import { mutatedObjects } from "../corpus/mutations.ts";
import { bytesOf, treeOf } from "../corpus/objects.ts";
import { storeLoose } from "../corpus/verdicts.ts";
import { type Choice, type FuzzTarget, mutated } from "./target.ts";

/** Repositories to damage: packed with a graph, loose, and one of unsound objects that are stored as they should be. */
export class Templates {
  readonly packed: string;
  readonly loose: string;
  readonly oids: readonly string[];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.packed = join(folder, "packed.git");
    buildHistory(this.packed, 30);
    git(["-C", this.packed, "repack", "-adq"]);
    git(["-C", this.packed, "pack-refs", "--all"]);
    git(["-C", this.packed, "commit-graph", "write", "--reachable", "--changed-paths"]);
    this.loose = join(folder, "loose.git");
    git(["clone", "-q", "--bare", "--no-local", "--depth=3", `file://${this.packed}`, this.loose]);
    const [pack] = readdirSync(join(this.loose, "objects/pack")).filter((name) => name.endsWith(".pack"));
    const bytes = readFileSync(join(this.loose, "objects/pack", pack!));
    rmSync(join(this.loose, "objects/pack"), { recursive: true });
    mkdirSync(join(this.loose, "objects/pack"));
    git(["-C", this.loose, "unpack-objects", "-q"], { input: bytes });
    writeFileSync(join(this.loose, "config"), "[core]\n\tbare = true\n[alias]\n\tx = y\n");
    this.oids = gitText(["-C", this.packed, "rev-list", "--objects", "--no-object-names", "--all"]).split("\n");
  }
}

const REVISIONS = [
  "HEAD",
  "main",
  "v1",
  "main~2",
  "main^{tree}",
  "v1^{}",
  "main:d1",
  "main..v1",
  "@{0}",
  "main@{1}",
  "HEAD^2",
  ":/x",
  "main^{/x}",
  "--all",
];

/** Commands that only read, with words that have something to read. Whatever is not there yet is passed over. */
function aCommand(choice: Choice, oids: readonly string[]): string[] {
  const rev = () => (choice.onceIn(4) ? choice.of(oids) : choice.of(REVISIONS));
  return choice.of<string[]>([
    ["cat-file", choice.of(["-t", "-s", "-p", "-e"]), rev()],
    ["ls-tree", choice.of(["-r", "-l", "-t", "-z"]), rev()],
    ["show-ref"],
    ["rev-parse", rev()],
    ["rev-list", "--objects", rev()],
    ["rev-list", "--count", "--all"],
    ["rev-list", "HEAD", "--", "d1"],
    ["log", "--stat", "-n", "5", rev()],
    ["log", "-p", "-n", "3", "--follow", rev(), "--", "d1/e1/file-1.txt"],
    ["log", "--format=%H %an %ad %s %d %G?", rev()],
    ["merge-base", "--all", rev(), rev()],
    ["diff", "-p", "-M", rev(), rev()],
    ["diff-tree", "-r", "-p", rev()],
    ["blame", rev(), "--", "d1/e1/file-1.txt"],
    ["merge-tree", "--write-tree", rev(), rev()],
    ["archive", "--format=tar", rev()],
    ["last-commits", rev(), "--", "d1"],
    ["fsck", "--strict"],
    ["bundle", "create", "-", "--all"],
  ]);
}

async function runCommands(choice: Choice, repo: string, oids: readonly string[], count: number): Promise<void> {
  for (let k = 0; k < count; k++) {
    const words = aCommand(choice, oids);
    try {
      await runGit(["-C", repo, ...words], {
        environment: gitEnvironment,
        async *stdin() {},
        stdout() {},
        stderr() {},
      });
    } catch (error) {
      throw new Error(`hearth git ${words.join(" ")}`, { cause: error });
    }
  }
}

/** Paths and times of change of everything below. */
function stateOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(folder, path)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort()
    .join("\n");
}

/** What the pages ask of a repository. */
function browse(repo: string): void {
  let opened: RepositoryFolder;
  try {
    opened = RepositoryFolder.open(repo);
  } catch (error) {
    if (error instanceof GitError) return;
    throw error;
  }
  const attempt = (ask: () => unknown) => {
    try {
      ask();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  };
  try {
    attempt(() => opened.refs.list());
    attempt(() => opened.refs.head());
    attempt(() => {
      const head = opened.headOid();
      if (head === undefined) return;
      attempt(() => lastCommits(opened.commits, head, ""));
      attempt(() => languageStatistics(opened.store, opened.oidOf(`${head}^{tree}`)));
    });
    attempt(() => opened.store.findByPrefix("4b82", 5));
  } finally {
    opened.close();
  }
}

const REF_WORDS = ["ref: ", "refs/heads/main", "..", "\n", "# pack-refs with:", "^", "/", "\0", "0".repeat(40)].map(
  bytesOf,
);

export function folderTargets(templates: Templates): FuzzTarget[] {
  const damage = (name: string, template: string, pattern: RegExp): FuzzTarget => ({
    name,
    async run(choice, folder) {
      const repo = join(folder, "r.git");
      cpSync(template, repo, { recursive: true });
      const files = readdirSync(repo, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => pattern.test(relative(repo, path)))
        .sort();
      const path = choice.of(files);
      const bytes = mutated(choice, readFileSync(path), /objects/.test(path) ? [] : REF_WORDS);
      rmSync(path);
      if (!choice.onceIn(20)) writeFileSync(path, bytes);
      const before = stateOf(repo);
      await runCommands(choice, repo, templates.oids, 4);
      browse(repo);
      if (stateOf(repo) !== before) throw new Error("reading changed the folder");
    },
  });
  return [
    damage("a damaged pack", templates.packed, /\.pack$/),
    damage("a damaged pack index", templates.packed, /\.idx$/),
    damage("a damaged commit-graph", templates.packed, /commit-graph$/),
    damage("a damaged loose object", templates.loose, /^objects\/..\//),
    damage("damaged refs", templates.packed, /^(?:HEAD|packed-refs|config)$/),
    damage("damaged loose refs", templates.loose, /^(?:HEAD|config|packed-refs|shallow|refs\/.*)$/),
    {
      name: "unsound objects, soundly stored",
      async run(choice, folder) {
        const repo = join(folder, "r.git");
        cpSync(templates.loose, repo, { recursive: true });
        const main = gitHead(templates.loose);
        const objects = mutatedObjects(choice.seed, 6);
        const oids = objects.map((each) => storeLoose(repo, each));
        const tree = treeOf(
          ...oids.map((oid, i) => [choice.of(["100644", "40000", "120000", "160000"]), `d${i}`, oid] as const),
          ["40000", "e", choice.of(templates.oids)],
        );
        const treeOid = storeLoose(repo, { type: "tree", data: tree });
        const who = choice.of([
          "A <a@b> 1 +0000",
          "A <a@b>",
          "",
          "A <a@b> 99999999999999999999 +9999",
          "< > x",
          "A <a@b> -5 -0000",
        ]);
        const parents = choice.of([[main], [main, ...oids], oids, [main, main], []]);
        const text = `tree ${choice.onceIn(5) ? choice.of(oids) : treeOid}\n${parents.map((oid) => `parent ${oid}\n`).join("")}author ${who}\ncommitter ${who}\n\nm\n`;
        const tip = storeLoose(repo, { type: "commit", data: bytesOf(text) });
        writeFileSync(join(repo, "refs/heads/main"), `${choice.onceIn(6) ? choice.of(oids) : tip}\n`);
        await runCommands(choice, repo, [...oids, treeOid, tip], 5);
        browse(repo);
      },
    },
  ];
}

function gitHead(repo: string): string {
  return gitText(["-C", repo, "rev-parse", "main"]);
}
