import { expect, test } from "bun:test";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { cherryPick } from "../../../src/git/replay/pick.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { oursOf, REPLAYER, Scratch } from "./outcomes.ts";

const ORDINARY = ["", "\n", " ", "\n\nsubject\n", "subject\n\n\n", "  subject  \n", "s\r\n\r\nbody\r\n", "#s\n\n# b\n"];
const WITH_TRAILERS = [
  "s\n\nFoo: bar\n",
  "s\n\nFoo : bar\n cont\n",
  "s\n\nFoo:\n",
  "s\n\nFoo: a\n\n\n",
  "s\n\nFoo: a\n# comment\n",
  "s\n\nFoo: a\nbar\n",
  "s\n\nSigned-off-by: A <a>\nnot a trailer\n",
  "s\n\none\ntwo\nthree\nfour\nSigned-off-by: A <a>\n",
  "s\n\n---\nFoo: a\n",
  "Foo: a\n",
];
const NOT_UTF8 = [Buffer.from("caf\xe9\n\n\xc3\xa9 \xff\n", "latin1")];

test("messages of picked commits are what git makes of them", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const put = (type: string, data: string | Uint8Array) =>
    gitText(["-C", repo, "hash-object", "-w", "--stdin", "-t", type], { input: data });
  const blob = put("blob", "x\n");
  const tree = (...names: string[]) =>
    gitText(["-C", repo, "mktree"], { input: names.map((name) => `100644 blob ${blob}\t${name}\n`).join("") });
  const commit = (treeOid: string, parents: readonly string[], message: string | Uint8Array) => {
    const person = "A <a@x> 1600000000 +0000";
    const links = parents.map((parent) => `parent ${parent}\n`).join("");
    const head = `tree ${treeOid}\n${links}author ${person}\ncommitter ${person}\n\n`;
    return put("commit", Buffer.concat([Buffer.from(head), Buffer.from(message)]));
  };
  const root = commit(tree("a"), [], "root\n");
  const onto = commit(tree("a", "z"), [root], "onto\n");
  git(["-C", repo, "update-ref", "refs/heads/main", onto]);
  const messages = [...ORDINARY, ...WITH_TRAILERS, ...NOT_UTF8];
  const tips = messages.map((message) => commit(tree("a", "b"), [root], message));
  for (const [i, tip] of tips.entries()) git(["-C", repo, "update-ref", `refs/heads/t${i}`, tip]);
  const store = ObjectStore.open(repo);
  const scratch = Scratch.of(repo, join(dir.path, "scratch"));
  for (const [i, tip] of tips.entries()) {
    for (const tellOrigin of [false, true]) {
      const picked = oursOf(store, repo, (_, overlay) => cherryPick(overlay, onto, [tip], REPLAYER, { tellOrigin }));
      // Git takes no empty message without being told to, but what is added to one.
      const words = ["cherry-pick", "--allow-empty-message", ...(tellOrigin ? ["-x"] : []), tip];
      expect([messages[i], tellOrigin, picked]).toEqual([messages[i], tellOrigin, scratch.run(onto, words)]);
    }
  }
  store.close();
});
