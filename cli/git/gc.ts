import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { gc } from "../../src/git/maintenance/gc.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { parseGitDate } from "./dates.ts";
import { readWords } from "./options.ts";

/** git's threshold: fewer loose objects than this are left alone by `--auto`. */
const AUTO_LOOSE = 6700;
const AUTO_PACKS = 50;
const USUAL_PRUNE = "2.weeks.ago";

export const gcCommand: GitCommand = {
  name: "gc",
  usage: "[--prune=<date> | --no-prune] [--aggressive] [--auto] [-q] [--force] [--keep-largest-pack]",
  doc: "Packs objects and refs, drops old objects that nothing leads to",
  async run(words, terminal) {
    const { rest, has, options } = readWords(words, {
      "-q": ["flag", "quiet"],
      "--quiet": ["flag", "quiet"],
      "--auto": ["flag", "auto"],
      "--aggressive": ["flag", "aggressive"],
      "--force": ["flag", "force"],
      "--keep-largest-pack": ["flag", "keep-largest"],
      "--prune": ["attached", "prune"],
      "--no-prune": ["flag", "no-prune"],
    });
    if (rest.length > 0) throw new GitUsage("");
    const prune = options.filter(({ name }) => name === "prune" || name === "no-prune").at(-1);
    const date = prune?.name === "no-prune" ? "never" : prune?.value || USUAL_PRUNE;
    const now = Math.floor(Date.now() / 1000);
    const pruneBefore = pruneTime(date, now);
    if (Number.isNaN(pruneBefore)) throw new Fatal(`failed to parse prune expiry value ${date}`, 128);
    const repository = RepositoryFolder.open(terminal.directory);
    try {
      if (has("auto") && !isMuch(repository.gitDir)) return 0;
      await gc(repository, {
        pruneBefore,
        aggressive: has("aggressive"),
        force: has("force"),
        keepLargest: has("keep-largest"),
      });
      return 0;
    } finally {
      repository.close();
    }
  },
};

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
};

/**
 * The prune cutoff: `now`, `never` (undefined), `2.weeks.ago`, or a date. NaN when it is none of these.
 * @param now seconds since 1970
 */
export function pruneTime(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase();
  if (words === "never" || words === "false") return undefined;
  // One second after now, so that objects written at this very moment are pruned too.
  if (words === "now" || words === "all") return now + 1;
  const relative = /^(\d+)[. ]+(second|minute|hour|day|week|month|year)s?([. ]+ago)?$/.exec(words);
  if (relative) return now - Number(relative[1]) * UNIT_SECONDS[relative[2]!]!;
  if (words === "yesterday") return now - UNIT_SECONDS["day"]!;
  return parseGitDate(/^\d{4}-\d{1,2}-\d{1,2}$/.test(words) ? `${words} 00:00:00` : text)?.timestamp ?? Number.NaN;
}

/** Whether `git gc --auto` would run; the number of loose objects is estimated from one directory. */
function isMuch(gitDir: string): boolean {
  const objectsDir = join(gitDir, "objects");
  const namesIn = (directory: string) => {
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  };
  const packs = namesIn(join(objectsDir, "pack"));
  const kept = new Set(packs.filter((name) => name.endsWith(".keep")).map((name) => name.slice(0, -".keep".length)));
  const counted = packs.filter((name) => name.endsWith(".pack") && !kept.has(name.slice(0, -".pack".length)));
  return counted.length > AUTO_PACKS || namesIn(join(objectsDir, "17")).length > (AUTO_LOOSE + 255) / 256;
}
