import { resolve } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { aheadBehindAll } from "../../../src/git/history/ahead-behind.ts";
import { newSeed, random } from "../../random.ts";
import { gitText } from "../objects/real-git.ts";
import { type Answer, hearthGit, realGit } from "../terminal/answers.ts";

/**
 * Random questions about a history, asked of real git and of ours: `bun tests/git/history/questions.ts REPOSITORY N [SEED]
 * [KIND…]`. Prints what differs, and how many answers of each kind agree.
 */

interface Kind {
  readonly name: string;
  /** How often it is asked, beside the others. */
  readonly weight: number;
  ask(world: World): Question;
}

interface Question {
  readonly words: readonly string[];
  /** What ours answers, and what git does; both commands with those words when left out. */
  readonly ours?: () => Promise<Pick<Answer, "stdout" | "status">>;
  readonly gits?: () => Pick<Answer, "stdout" | "status">;
}

/** What questions are made of. */
export class World {
  readonly commits: readonly string[];
  private readonly tips: readonly string[];
  private readonly times: readonly number[];
  private readonly paths = new Map<string, string[]>();

  constructor(
    readonly repo: string,
    private readonly next: () => number,
  ) {
    const lines = gitText(["-C", repo, "rev-list", "--all", "--timestamp"]).split("\n");
    this.times = lines.map((line) => Number(line.split(" ")[0]));
    this.commits = lines.map((line) => line.split(" ")[1]!);
    this.tips = gitText(["-C", repo, "rev-list", "--no-walk", "--all"]).split("\n");
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  number(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.number(list.length)]!;
  }

  some(list: readonly (readonly string[])[], probability: number): string[] {
    return list.flatMap((item) => (this.chance(probability) ? [...item] : []));
  }

  commit(): string {
    return this.chance(0.1) ? this.pick(this.tips) : this.pick(this.commits);
  }

  /** One that is not far from another, by place in the list. */
  near(commit: string): string {
    const at = this.commits.indexOf(commit);
    return this.commits[Math.max(0, at) + this.number(400)] ?? this.commit();
  }

  date(): string {
    return `@${this.pick(this.times) + this.number(100_000)}`;
  }

  /** A file or folder of some commit. */
  path(commit = this.commit()): string {
    let known = this.paths.get(commit);
    if (!known) {
      known = gitText(["-C", this.repo, "ls-tree", "-r", "-t", "-z", "--name-only", commit])
        .split("\0")
        .filter(Boolean);
      if (this.paths.size > 50) this.paths.clear();
      this.paths.set(commit, known);
    }
    const path = known.length > 0 ? this.pick(known) : "none";
    // Folders near the top are what people look at.
    return this.chance(0.3) ? path.split("/")[0]! : path;
  }

  range(): string[] {
    const a = this.commit();
    const b = this.chance(0.6) ? this.near(a) : this.commit();
    return this.pick([
      [a],
      [a, b],
      [a, `^${b}`],
      [`${b}..${a}`],
      [`${b}..${a}`, this.near(a)],
      [`${a}...${b}`],
      [`${a}...${b}`, "--left-right"],
      [a, "--not", b, this.near(b)],
    ]);
  }

  pathWords(probability: number): string[] {
    if (!this.chance(probability)) return [];
    const count = this.chance(0.7) ? 1 : 1 + this.number(3);
    return ["--", ...Array.from({ length: count }, () => this.path())];
  }

  limit(): string[] {
    return this.pick([
      [],
      [`-n${1 + this.number(60)}`],
      [`--max-count=${1 + this.number(500)}`],
      [`--skip=${this.number(50)}`, "-20"],
    ]);
  }

  order(): string[] {
    return this.pick([[], [], ["--topo-order"], ["--date-order"], ["--author-date-order"]]);
  }

  filters(): string[] {
    return [
      ...this.some([["--first-parent"]], 0.2),
      ...this.some([[`--since=${this.date()}`], [`--until=${this.date()}`], ["--merges"], ["--no-merges"]], 0.1),
      ...this.some([["--reverse"]], 0.1),
    ];
  }

  patterns(): string[] {
    const words = [
      "fix",
      "Merge",
      "doc",
      "^[A-Z]",
      "test",
      "a.*b",
      "\\(one\\|two\\)",
      "bug",
      "it's",
      "Signed",
      "#[0-9]\\+",
      "junio",
      "anti",
      "@gmail",
    ];
    return [
      ...this.some(
        [[`--author=${this.pick(words)}`], [`--committer=${this.pick(words)}`], [`--grep=${this.pick(words)}`]],
        0.4,
      ),
      ...this.some([[`--grep=${this.pick(words)}`], ["--all-match"], ["-i"], ["--invert-grep"], ["-E"], ["-F"]], 0.15),
    ];
  }
}

const FORMATS = [
  "%H",
  "%h %s",
  "%H %P %T",
  "%an <%ae> %ad",
  "%cn %cI%n%B",
  "%aN %s%n%b",
  "tformat:%h|%cr|%d",
  "format:%H%n%s",
];

const kinds: readonly Kind[] = [
  {
    name: "rev-list range",
    weight: 3,
    ask: (w) => ({ words: ["rev-list", ...w.range(), ...w.limit(), ...w.filters()] }),
  },
  {
    name: "rev-list order",
    weight: 2,
    ask: (w) => ({ words: ["rev-list", ...w.order(), ...w.range(), ...w.limit(), ...w.filters()] }),
  },
  {
    name: "rev-list paths",
    weight: 4,
    ask: (w) => ({ words: ["rev-list", ...w.order(), ...w.range(), ...w.limit(), ...w.filters(), ...w.pathWords(1)] }),
  },
  {
    name: "rev-list parents, boundary",
    weight: 2,
    ask: (w) => ({
      words: [
        "rev-list",
        ...w.some([["--parents"], ["--boundary"]], 0.7),
        ...w.order(),
        ...w.range(),
        ...w.limit(),
        ...w.pathWords(0.5),
      ],
    }),
  },
  {
    name: "rev-list patterns",
    weight: 1,
    ask: (w) => ({ words: ["rev-list", ...w.patterns(), "-n50", ...w.range(), ...w.pathWords(0.2)] }),
  },
  {
    name: "rev-list count",
    weight: 2,
    ask: (w) => ({ words: ["rev-list", "--count", ...w.filters(), ...w.range(), ...w.pathWords(0.2)] }),
  },
  { name: "rev-list objects", weight: 1, ask: objects },
  {
    name: "log format",
    weight: 2,
    ask: (w) => ({
      words: [
        "log",
        `--format=${w.pick(FORMATS)}`,
        ...w.order(),
        ...w.limit(),
        ...w.filters(),
        ...w.range(),
        ...w.pathWords(0.4),
      ],
    }),
  },
  {
    name: "log built-in",
    weight: 2,
    ask: (w) => ({
      words: [
        "log",
        ...w.some(
          [
            [`--pretty=${w.pick(["oneline", "short", "medium", "full", "fuller", "raw"])}`],
            ["--oneline"],
            ["--decorate"],
            [`--date=${w.pick(["iso", "raw", "short", "unix", "rfc"])}`],
            ["--parents"],
          ],
          0.3,
        ),
        `-n${1 + w.number(30)}`,
        ...w.range(),
        ...w.pathWords(0.2),
      ],
    }),
  },
  { name: "log with differences", weight: 2, ask: differences },
  { name: "log --follow", weight: 1, ask: (w) => follow(w) },
  { name: "merge-base", weight: 4, ask: mergeBase },
  { name: "ahead and behind of many", weight: 1, ask: divergences },
  { name: "last-commits", weight: 1, ask: lastOnes },
];

function objects(w: World): Question {
  const a = w.commit();
  return { words: ["rev-list", "--objects", "-n30", a, `^${w.near(a)}`, ...w.pathWords(0.3)] };
}

function differences(w: World): Question {
  const formats = ["-p", "--stat", "--numstat", "--name-status", "--raw", "--name-only", "--shortstat", "--summary"];
  return {
    words: [
      "log",
      w.pick(formats),
      ...w.some(
        [[w.pick(formats)], ["--first-parent"], ["-C"], ["-M90%"], ["--no-renames"], ["-w"], ["-z"], ["--full-diff"]],
        0.15,
      ),
      ...w.some([[`--diff-filter=${w.pick(["A", "M", "D", "R", "AM", "a"])}`]], 0.1),
      ...w.pick([[], ["--oneline"], [`--format=${w.pick(FORMATS)}`], ["--pretty=fuller"]]),
      `-n${1 + w.number(12)}`,
      ...w.range(),
      ...w.pathWords(0.4),
    ],
  };
}

function follow(w: World): Question {
  const commit = w.commit();
  const files = gitText(["-C", w.repo, "ls-tree", "-r", "--name-only", commit])
    .split("\n")
    .filter((name) => name && !name.startsWith('"'));
  return {
    words: [
      "log",
      "--follow",
      "--format=%H",
      `-n${w.pick([20, 100, 1000])}`,
      commit,
      "--",
      files.length > 0 ? w.pick(files) : "none",
    ],
  };
}

function mergeBase(w: World): Question {
  const a = w.commit();
  const b = w.chance(0.5) ? w.near(a) : w.commit();
  return {
    words: [
      "merge-base",
      ...w.pick([
        ["--all", a, b],
        [a, b],
        ["--is-ancestor", a, b],
        ["--is-ancestor", b, a],
        ["--all", a, b, w.near(b)],
        ["--octopus", "--all", a, b, w.near(a)],
        ["--independent", a, b, w.near(a), w.near(b)],
      ]),
    ],
  };
}

function divergences(w: World): Question {
  const base = w.commit();
  const tips = Array.from({ length: 4 }, () => (w.chance(0.5) ? w.near(base) : w.commit()));
  return {
    words: ["(ahead and behind)", base, ...tips],
    ours: async () => {
      const repository = RepositoryFolder.open(w.repo);
      const found = aheadBehindAll(repository.commits, base, tips);
      repository.close();
      return { stdout: found.map(({ ahead, behind }) => `${ahead}\t${behind}\n`).join(""), status: 0 };
    },
    gits: () => {
      const lines = tips.map(
        (tip) => realGit(w.repo, ["rev-list", "--left-right", "--count", `${tip}...${base}`]).stdout,
      );
      return { stdout: lines.join(""), status: 0 };
    },
  };
}

function lastOnes(w: World): Question {
  const commit = w.commit();
  const file = w.path(commit);
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
  const tree = folder === "" ? commit : `${commit}:${folder}`;
  const names = gitText(["-C", w.repo, "ls-tree", "-z", "--name-only", tree]).split("\0").filter(Boolean);
  const start = w.number(names.length);
  const asked = names.slice(start, start + 3);
  const words = ["last-commits", commit, "--", folder];
  return {
    words,
    ours: async () => {
      const { stdout, status } = await hearthGit(w.repo, words);
      const lines = Buffer.from(stdout, "latin1").toString("utf8").split("\n");
      return {
        stdout: lines
          .filter((line) => asked.includes(line.slice(line.indexOf("\t") + 1)))
          .map((line) => `${line}\n`)
          .join(""),
        status,
      };
    },
    gits: () => {
      const lines = asked.map((name) => {
        const path = folder === "" ? name : `${folder}/${name}`;
        return `${realGit(w.repo, ["rev-list", "-n1", commit, "--", path]).stdout.trim()}\t${name}\n`;
      });
      return { stdout: lines.join(""), status: 0 };
    },
  };
}

/** Answers how many agree, and tells of those that do not. */
export async function askMany(
  world: World,
  count: number,
  tell: (line: string) => void,
  only: readonly string[] = [],
): Promise<{ asked: number; agreed: number }> {
  const chosen = kinds.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  const urn = chosen.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  const results = new Map(chosen.map((kind) => [kind.name, { asked: 0, agreed: 0, oursMs: 0, gitMs: 0 }]));
  for (let i = 0; i < count; i++) {
    const kind = world.pick(urn);
    const { words: asked, ours, gits } = kind.ask(world);
    // Where clocks were wrong, what git examines then depends on how its heap happens to lie.
    const words = asked.some((word) => /-order$/.test(word))
      ? asked.filter((word) => word !== "--first-parent")
      : asked;
    const began = performance.now();
    const theirs = gits ? gits() : realGit(world.repo, words);
    const between = performance.now();
    const mine = await (ours ? ours() : hearthGit(world.repo, words)).catch((error: Error) => ({
      stdout: `${error.stack}`,
      status: -1,
    }));
    const result = results.get(kind.name)!;
    result.asked++;
    result.gitMs += between - began;
    result.oursMs += performance.now() - between;
    if (mine.stdout === theirs.stdout && mine.status === theirs.status) result.agreed++;
    else
      tell(
        `DIFFERS: git -C ${world.repo} ${words.map((word) => (/^[\w@%=.^/:-]+$/.test(word) ? word : `'${word}'`)).join(" ")}\n${difference(mine, theirs)}`,
      );
  }
  let all = { asked: 0, agreed: 0 };
  for (const [name, { asked: n, agreed, oursMs, gitMs }] of results) {
    if (n > 0) tell(`${name.padEnd(28)} ${agreed} of ${n}   ours ${oursMs.toFixed(0)} ms, git ${gitMs.toFixed(0)} ms`);
    all = { asked: all.asked + n, agreed: all.agreed + agreed };
  }
  return all;
}

function difference(mine: Pick<Answer, "stdout" | "status">, theirs: Pick<Answer, "stdout" | "status">): string {
  const [a, b] = [mine.stdout.split("\n"), theirs.stdout.split("\n")];
  const at = a.findIndex((line, i) => line !== b[i]);
  return `  status ${mine.status}/${theirs.status}, lines ${a.length}/${b.length}, line ${at}: ours '${a[at]?.slice(0, 200)}' git '${b[at]?.slice(0, 200)}'`;
}

async function main([path, count, seed, ...only]: readonly string[]): Promise<number> {
  if (path === undefined || count === undefined) {
    console.error("usage: bun tests/git/history/questions.ts REPOSITORY N [SEED] [KIND…]");
    return 2;
  }
  const world = new World(resolve(path), random(seed === undefined ? newSeed() : Number(seed)));
  const { asked, agreed } = await askMany(world, Number(count), (line) => console.log(line), only);
  console.log(`${agreed} of ${asked} agree`);
  return agreed === asked ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
