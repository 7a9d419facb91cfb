import { Overlay } from "../../src/git/objects/overlay.ts";
import { cherryPick } from "../../src/git/replay/pick.ts";
import { type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";
import { personOf } from "./persons.ts";
import { commitNamed, tellOutcome } from "./replay-outcome.ts";
import { openForReading } from "./repository.ts";

export const cherryPickTreeCommand: GitCommand = {
  name: "cherry-pick-tree",
  usage: "[--onto <rev>] [-m <parent>] [-x] [--allow-empty | --drop-empty] <commit>…",
  doc: "Replays commits on another one and prints the result, without touching a branch",
  run(words, terminal) {
    const options = readWords(words, {
      "--onto": ["value", "onto"],
      "-m": ["value", "mainline"],
      "--mainline": ["value", "mainline"],
      "-x": ["flag", "origin"],
      "--allow-empty": ["flag", "keep"],
      "--drop-empty": ["flag", "drop"],
    });
    const names = [...options.rest, ...(options.paths ?? [])];
    if (names.length === 0) throw new GitUsage("");
    const mainline = options.value("mainline");
    if (mainline !== undefined && !/^[1-9][0-9]{0,3}$/.test(mainline))
      throw new GitUsage("option `mainline' expects a number greater than zero");
    const repository = openForReading(terminal);
    try {
      const overlay = new Overlay(repository.store);
      const outcome = cherryPick(
        overlay,
        commitNamed(repository, options.value("onto") ?? "HEAD"),
        names.map((name) => commitNamed(repository, name)),
        { committer: personOf(repository, terminal, "COMMITTER") },
        {
          onEmpty: options.has("keep") ? "keep" : options.has("drop") ? "drop" : "stop",
          tellOrigin: options.has("origin"),
          ...(mainline === undefined ? {} : { mainline: Number(mainline) }),
        },
      );
      return tellOutcome(repository, overlay, outcome, terminal);
    } finally {
      repository.close();
    }
  },
};
