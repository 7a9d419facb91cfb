import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { Mailmap } from "../../../src/git/mailmap/mailmap.ts";
import { encodeName } from "../../../src/git/objects/names.ts";
import { Abbreviator } from "../../../src/git/pretty/abbreviate.ts";
import { parseDateStyle, systemClock } from "../../../src/git/pretty/dates.ts";
import { decorationsOf } from "../../../src/git/pretty/decorations.ts";
import { compileFormat, type PrettyContext } from "../../../src/git/pretty/format.ts";
import { newSeed, random } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";

const NOW = 1_700_000_000;
const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());

const MESSAGES = [
  "subject\n",
  "subject without an end",
  "",
  "\n\n  \nlate subject  \nin two lines\t\n\n\nbody\twith\ttabs\n  indented\n\n\nend  \n\n",
  "Ünï title …\n\nböy\t日本語\ttab\n>From here\nFrom there\n",
  "one line\n\nBody text that is long enough to be wrapped at some column, with words of many different lengths.\n\nSigned-off-by: A <a@b>\nReviewed-by: X\n  continued\nCc: y\n",
  "...weird -- title!! (with) [brackets].lock..\n",
  "a very long title that goes on and on and on, beyond the seventy-eight columns which a mail header line may have at most\n\nb\n",
  "títle that is long and hás mány non-ascii letters in it so that several encoded words are needed =?x_y\n\nb\n",
  "x\n\nnot a trailer block\nSigned-off-by: B <b@c>\nother\nfoo: bar\nother\n",
  "x\n\nKey: value\nother-key : value two\n# comment\n",
  "x\n\nSigned-off-by: A <a@b>\n\nConflicts:\n\tfile\n\tother\n",
  "x\n\nConflicts:\n\tfile\nKey: value\n  \n",
  "raw bytes \xff\xfe here\n\nbody \x80\ttab\n",
  "emoji 😀 and wide 漢字 and combining e\u0301 end\n",
];
const NAMES = ["A U Thor", "", "Jöhn Dœ", 'Quoted "Q" Name, Jr.', "a@b (c)", "J", "Very Long Name ".repeat(8).trim()];
const MAILS = ["a@example.org", "", "noat", "UPPER@Example.ORG", "x@y@z"];
const DATES = [
  "1600000000 +0100",
  "1699999990 +0000",
  "1699990000 -0330",
  "0 +0000",
  "1 +1",
  "1699700000 +0545",
  "99999999999 +1400",
  "",
  "x",
  "1500000000",
  "1690000000 -0000",
];

const bytes = (text: string) =>
  Buffer.concat(
    [...text].map((c) =>
      c.codePointAt(0)! >= 0x80 && c.codePointAt(0)! <= 0xff && /[\x80-\x9f\xfe\xff]/.test(c)
        ? Buffer.from([c.codePointAt(0)!])
        : Buffer.from(c),
    ),
  );

/** Commits with every kind of oddity, each on a branch of its own. */
function oddCommits(repo: string, count: number, seed: number): string[] {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const tree = git(["-C", repo, "mktree"], { input: "" }).stdout.toString().trim();
  const made: string[] = [];
  for (let i = 0; i < count; i++) {
    const parents = made.length === 0 ? [] : [...new Set([pick(made), ...(next() < 0.4 ? [pick(made)] : [])])];
    const person = () => `${pick(NAMES)} <${pick(MAILS)}> ${pick(DATES)}`;
    const latin = next() < 0.15;
    const head = `tree ${tree}\n${parents.map((p) => `parent ${p}\n`).join("")}author ${person()}\ncommitter ${person()}\n${latin ? `encoding ${pick(["ISO-8859-1", "UTF-8", "nonsense", "windows-1252"])}\n` : ""}`;
    const body = `${head}\n${pick(MESSAGES)}`;
    const data = latin ? Buffer.from(body, "latin1") : bytes(body);
    made.push(
      git(["-C", repo, "hash-object", "-t", "commit", "-w", "--literally", "--stdin"], { input: data })
        .stdout.toString()
        .trim(),
    );
  }
  git(["-C", repo, "update-ref", "refs/heads/main", made.at(-1)!]);
  git(["-C", repo, "update-ref", "refs/heads/b/other", made.at(-1)!]);
  git(["-C", repo, "update-ref", "refs/tags/light", made.at(-1)!]);
  git(["-C", repo, "update-ref", "refs/remotes/o/x", made.at(-1)!]);
  git(["-C", repo, "update-ref", "refs/notes/n", made.at(-1)!]);
  git(["-C", repo, "tag", "-a", "-m", "t", "v1", made.at(-1)!]);
  return made;
}

const MAILMAP = `# people
Proper <a@example.org>
New Name <new@x> <noat>
<only@mail> <upper@example.org>
Named <named@x> J <x@y@z>
Other Jöhn <o@x> Jöhn Dœ <>
`;

const repo = join(dir.path, "r.git");
const seed = newSeed();
const commits = oddCommits(repo, 120, seed);
const folder = RepositoryFolder.open(repo);
const decorations = decorationsOf({
  refs: folder.refs.list(),
  head: folder.refs.resolve("refs/heads/main") && { oid: commits.at(-1)!, ref: "refs/heads/main" },
});
const short = new Abbreviator(folder.store);
const mailmap = new Mailmap(MAILMAP);

function ours(format: string, oid: string, dates?: string, extra: Partial<PrettyContext> = {}): string {
  const compiled = compileFormat(format);
  const context: PrettyContext = {
    clock: { ...systemClock(), now: NOW, zoneAt: () => 0, zoneNameAt: () => "UTC" },
    abbreviate: (id) => short.abbreviate(id),
    mapIdentity: (name, email) => mailmap.map(name, email),
    decorations: (id) => decorations.get(id),
    ...(dates === undefined ? {} : { dates: parseDateStyle(dates) }),
    ...extra,
  };
  const text = compiled.print({ oid, data: folder.store.read(oid)!.data }, context);
  return Buffer.from(encodeName(text)).toString("latin1") + (compiled.terminated && !compiled.isEmpty ? "\n" : "");
}

/** Git ends so where it counts columns beyond the end of its own buffer. */
const GIT_FELL = 128;

function theirs(format: string, oids: readonly string[], more: readonly string[] = []): (string | undefined)[] {
  return oids.map((oid) => {
    const { stdout, code } = git(
      [
        "-C",
        repo,
        "-c",
        "mailmap.file=../mailmap",
        ...["log", "--no-walk", "--no-color", `--format=${format}`, ...more, oid],
      ],
      { mayFail: true, env: { LC_ALL: "C", TZ: "UTC", GIT_TEST_DATE_NOW: String(NOW) } },
    );
    return code === GIT_FELL ? undefined : stdout.toString("latin1");
  });
}

await Bun.write(join(dir.path, "mailmap"), MAILMAP);
await Bun.write(join(repo, "..", "mailmap"), MAILMAP);

const BUILT_IN = ["oneline", "short", "medium", "full", "fuller", "raw", "reference", "email", "mboxrd"];

for (const format of BUILT_IN) {
  test(`--format=${format} is git's`, () => {
    const expected = theirs(format, commits);
    for (const [i, oid] of commits.entries()) expect(ours(format, oid)).toBe(expected[i]!);
  });
}

const ATOMS =
  "%H %h %T %t %P %p %an %aN %ae %aE %al %aL %ad %aD %ar %at %ai %aI %as %ah %cn %cN %ce %cE %cl %cL %cd %cD %cr %ct %ci %cI %cs %ch %d %D %e %s %f %b %B %N %GG %G? %GS %GK %GT %gD %gd %gs %n %% %x00 %x41 %xe9 %xzz %m %S %y %a %C(red) %Cgreen %C(auto) %C(always,bold red) %Cfoo %(trailers) %(trailers:only) %(trailers:unfold,only=yes) %(trailers:key=signed-off-by) %(trailers:key=Cc:,valueonly) %(trailers:separator=%x2C ,keyonly) %(trailers:key_value_separator==>) %(trailers:nonsense) %+s %-b % b %+y %+d %-d % d %w(20,2,4) %w() %<(10) %<(8,trunc) %<(8,ltrunc) %<(9,mtrunc) %>(12) %>>(14) %><(15) %<|(30) %>|(20,trunc) %>>|(9) %<(0) %<(x) %w(99999)".split(
    / (?=%)/,
  );

test("any mix of placeholders is git's", () => {
  const next = random(seed + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  for (let i = 0; i < 250; i++) {
    const format = `format:${Array.from({ length: 1 + Math.floor(next() * 6) }, () => pick(ATOMS) + pick(["", "", " ", "|", "\n", "ab "])).join("")}`;
    // Where git looks for the column it is in, a NUL ends the text for it.
    if (format.includes("%x00") && format.includes("|(")) continue;
    const some = [pick(commits), commits.at(-1)!];
    const expected = theirs(format, some);
    for (const [at, oid] of some.entries())
      expect({ format, oid, text: ours(format, oid, undefined, { source: (id) => id }) }).toEqual({
        format,
        oid,
        text: expected[at] ?? expect.any(String),
      });
  }
});

test("dates are git's", () => {
  const styles = [
    "default",
    "iso",
    "iso8601",
    "iso-strict",
    "rfc",
    "short",
    "unix",
    "raw",
    "human",
    "relative",
    "local",
    "default-local",
    "iso-local",
    "short-local",
    "raw-local",
    "human-local",
    "rfc-local",
    "format:%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %p %P %r %R %s %S %T %u %U %V %w %W %x %X %y %Y %z [%Z] %-d %_H %% %5Y %^a",
    "format-local:%c %z %Z %s",
  ];
  const secs = [
    0,
    50000,
    59000,
    86399,
    951782400,
    1078012800,
    NOW,
    NOW - 10,
    NOW - 89,
    NOW - 90,
    NOW - 3000,
    NOW - 5400,
    NOW - 100000,
    NOW - 86400 * 3,
    NOW - 86400 * 6,
    NOW - 86400 * 13,
    NOW - 86400 * 40,
    NOW - 86400 * 100,
    NOW - 86400 * 360,
    NOW - 86400 * 500,
    NOW - 86400 * 1820,
    NOW - 86400 * 5000,
    NOW + 10,
    NOW + 86400 * 5,
    4000000000,
  ];
  // git gives %s up only to 2099.
  const next = random(seed + 2);
  for (let i = 0; i < 30; i++) secs.push(Math.floor(next() * 3e9));
  const made = secs.map((sec, i) => {
    const zone = ["+0000", "+0100", "-0330", "+1345", "-1200"][i % 5];
    const input = `tree ${"0".repeat(40)}\nauthor A <a> ${sec} ${zone}\ncommitter A <a> ${sec} ${zone}\n\nx\n`;
    return git(["-C", repo, "hash-object", "-t", "commit", "-w", "--literally", "--stdin"], { input })
      .stdout.toString()
      .trim();
  });
  for (const style of styles) {
    const { stdout } = git(["-C", repo, "log", "--no-walk=unsorted", "--format=%ad", `--date=${style}`, ...made], {
      env: { LC_ALL: "C", TZ: "UTC", GIT_TEST_DATE_NOW: String(NOW) },
    });
    const mine = made.map((oid) => ours("%ad", oid, style)).join("");
    expect({ style, mine: mine.split("\n") }).toEqual({ style, mine: stdout.toString("latin1").split("\n") });
  }
});

test("a format or a date style that is none is refused", () => {
  expect(() => compileFormat("nonsense")).toThrow("invalid --pretty format: nonsense");
  expect(() => parseDateStyle("nonsense")).toThrow("unknown date format nonsense");
});
