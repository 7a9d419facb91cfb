import { oldTreeOf, treeOf } from "../diff/diff.job.ts";
import { diffOfTrees } from "../diff/file-diff.ts";
import type { Commits } from "../graph/commits.ts";
import { log } from "../history/log.ts";
import { parseCommit } from "../objects/commit.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { RangeDiffCommit } from "./range-diff.ts";

/** Versions with more commits are not compared, because every commit is compared with every other. */
const MAX_COMMITS = 100;
const DIFF = { words: false, maxFileLines: 3_000, maxFileBytes: 512 * 1024, maxBytes: 8 * 1024 * 1024 };

/** The commits of a tip that the base does not have, oldest first, without merges; undefined if there are too many. */
export function versionOf(
  store: ObjectSource,
  commits: Commits,
  base: Oid,
  tip: Oid,
): readonly RangeDiffCommit[] | undefined {
  const { oids } = log(commits, { tips: [tip], not: [base] }, 0, MAX_COMMITS + 1);
  if (oids.length > MAX_COMMITS) return undefined;
  return oids.toReversed().flatMap((oid) => commitOf(store, oid) ?? []);
}

/** Undefined for a merge, which range-diff leaves out. */
function commitOf(store: ObjectSource, oid: Oid): RangeDiffCommit | undefined {
  const object = store.read(oid);
  if (!object) throw new Error(`commit ${oid} is not there`);
  const { author, message, parents } = parseCommit(object.data);
  if (parents.length > 1) return undefined;
  const { files } = diffOfTrees(store, oldTreeOf(store, parents[0], oid), treeOf(store, oid), DIFF);
  const text = message.trim().split("\n");
  return {
    oid,
    subject: text[0] ?? "",
    head: [`${author.name} <${author.email}>`, "", ...text, ""],
    patch: files.flatMap(({ hunks, newOid = "", newPath, oldOid = "", oldPath, status }) => {
      const name = status === "renamed" ? `${oldPath} => ${newPath}` : newPath;
      const note = status === "added" ? " (new)" : status === "deleted" ? " (deleted)" : "";
      // A change without lines is identified by its ids.
      const content = hunks.length === 0 ? [`${oldOid}..${newOid}`] : [];
      return [
        ` ## ${name}${note} ##`,
        ...content,
        ...hunks.flatMap(({ heading, lines }) => [
          `@@${heading === "" ? "" : ` ${heading}`}`,
          ...lines.map(({ kind, text: line }) => SIGNS[kind] + line),
        ]),
      ];
    }),
  };
}

const SIGNS = { context: " ", added: "+", deleted: "-" } as const;
