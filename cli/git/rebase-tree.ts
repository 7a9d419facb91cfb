import { Overlay } from "../../src/git/objects/overlay.ts";
import { rebase } from "../../src/git/replay/rebase.ts";
import { type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
import { personOf } from "./persons.ts";
import { commitNamed, tellOutcome } from "./replay-outcome.ts";
import { openForReading } from "./repository.ts";

export const rebaseTreeCommand: GitCommand = {
  name: "rebase-tree",
  usage: "[--onto <newbase>] [--no-ff] <upstream> [<branch>]",
  doc: "Replays a branch on another commit and prints the result, without touching a branch",
  run(words, terminal) {
    const options = readWords(words, { "--onto": ["value", "onto"], "--no-ff": ["flag", "always"] });
    const [upstreamName, branchName = "HEAD", ...more] = [...options.rest, ...(options.paths ?? [])];
    if (upstreamName === undefined || more.length > 0) throw new GitUsage("");
    const repository = openForReading(terminal);
    try {
      const overlay = new Overlay(repository.store);
      const upstream = commitNamed(repository, upstreamName);
      const onto = commitNamed(repository, options.value("onto") ?? upstreamName);
      const branch = commitNamed(repository, branchName);
      const replayer = { committer: personOf(repository, terminal, "COMMITTER") };
      const always = options.has("always");
      const outcome = rebase(repository.commits, overlay, { onto, upstream, branch }, replayer, { always });
      return tellOutcome(repository, overlay, outcome, terminal);
    } finally {
      repository.close();
    }
  },
};
