import { expect, test } from "bun:test";
import { checkObject } from "../../../src/git/object-checks/fsck.ts";
import { FSCK_LEVEL } from "../../../src/git/object-checks/problems.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import type { ObjectType } from "../../../src/git/objects/types.ts";
import { expectLinear } from "../../growth.ts";
import { newSeed } from "../../random.ts";
import { corpusOfCommits, corpusOfTags } from "./corpus/commits.ts";
import { mutatedObjects } from "./corpus/mutations.ts";
import { bytesOf, type CorpusObject, EMPTY_TREE, object, oidOf, treeOf } from "./corpus/objects.ts";
import { PushTarget } from "./corpus/pushes.ts";
import { corpusOfSpecialFiles } from "./corpus/special-files.ts";
import { corpusOfTrees } from "./corpus/trees.ts";
import { compareVerdicts, gitVerdicts, ourVerdict } from "./corpus/verdicts.ts";

function wholeCorpus(): CorpusObject[] {
  return [...corpusOfTrees(), ...corpusOfCommits(), ...corpusOfTags(), ...corpusOfSpecialFiles()];
}

/** Differences that no one has explained. */
function surprises(objects: readonly CorpusObject[]) {
  return compareVerdicts(objects).differences;
}

test("the whole corpus is judged as git fsck --strict judges it, message by message", () => {
  const corpus = wholeCorpus();
  expect(corpus.length).toBeGreaterThan(3500);
  expect(surprises(corpus)).toEqual([]);
});

test("mutated objects are judged as git judges them", () => {
  expect(surprises(mutatedObjects(newSeed(), 1500))).toEqual([]);
});

test("every message id that an object alone can have is in the corpus", () => {
  const seen = new Set(wholeCorpus().flatMap((each) => ourVerdict(each).map((line) => line.split(": ")[1])));
  // Those of linked objects are pushed below, those of size cost hundreds of megabytes, and the last three cannot
  // happen: other checks of git come before them.
  const elsewhere = /^(?:git(?:modules|attributes)(?:Blob|Missing|Large)|emptyName|missingTag|missingType)$/;
  expect(Object.keys(FSCK_LEVEL).filter((id) => !elsewhere.test(id) && !seen.has(id))).toEqual([]);
});

test("a push is refused for the reasons git receive-pack has, one object for each reason", async () => {
  using target = new PushTarget();
  const examples = new Map<string, CorpusObject>();
  for (const each of wholeCorpus()) for (const line of ourVerdict(each)) examples.set(line.split(": ")[1]!, each);
  const blob = object("blob", "b", "x");
  const cases = [
    ...examples.values(),
    object("tree", "a .gitmodules that is not there", treeOf(["100644", ".gitmodules", oidOf(blob)])),
    object("tree", "a .gitattributes that is not there", treeOf(["100644", ".gitattributes", oidOf(blob)])),
    object("tree", "a .gitmodules that is a folder", treeOf(["40000", ".gitmodules", EMPTY_TREE])),
    object("tree", "a .gitattributes that is a folder", treeOf(["40000", ".gitattributes", EMPTY_TREE])),
  ];
  for (const each of cases) {
    const theirs = target.throughReceivePack(each);
    const ours = await target.ours(each);
    const shown = { story: each.story, theirs: theirs.words, ours: ours.words };
    expect({ ...shown, accepted: ours.accepted }).toEqual({ ...shown, accepted: theirs.accepted });
    // Git's reader of objects refuses some before fsck gives its reason.
    if (!theirs.reasons.includes("other"))
      expect({ ...shown, reasons: ours.reasons }).toEqual({ ...shown, reasons: theirs.reasons });
  }
  expect(cases.length).toBeGreaterThan(45);
});

test("a .gitmodules that is a submodule is refused as git fsck has it", async () => {
  // What git receive-pack does is a matter of luck: its index-pack names the blob on a pipe that may be closed already.
  using target = new PushTarget();
  const tree = object("tree", "a submodule", treeOf(["160000", ".gitmodules", oidOf(object("blob", "b", "x"))]));
  expect((await target.ours(tree)).reasons).toEqual(["gitmodulesMissing"]);
  expect([...gitVerdicts([tree]).values()].flat()).toEqual([
    "error: gitmodulesMissing: unable to read .gitmodules blob",
  ]);
});

test("a .gitmodules that another tree names .gitattributes is still read as .gitmodules", async () => {
  using target = new PushTarget();
  const modules = object("blob", "bad", '[submodule "m"]\n\turl = -u\n');
  const oid = oidOf(modules);
  const tree = object("tree", "both names", treeOf(["100644", ".gitmodules", oid], ["100644", "gitatt~1", oid]));
  const { accepted, reasons } = await target.oursOf([modules, tree]);
  expect({ accepted, reasons }).toEqual({ accepted: false, reasons: ["gitmodulesUrl"] });
});

function errors(type: ObjectType, data: Uint8Array): string[] {
  return checkObject(SHA1, type, data).flatMap(({ id, severity }) => (severity === "error" ? [id] : []));
}

test("names, dates and settings made to cost time cost what their length explains", () => {
  const names: ((n: number) => string)[] = [
    (n) => "\\".repeat(n),
    (n) => `.git${" ".repeat(n)}x`,
    (n) => "\\.gitmodules".repeat(n / 12),
  ];
  for (const name of names)
    expectLinear(250_000, (n) => expect(errors("tree", treeOf(["100644", name(n)]))).toEqual([]));
  const nested = Array.from({ length: 3000 }, (_, i) => ["100644", "-".repeat(i + 1)] as const);
  expect(errors("tree", treeOf(...nested))).toEqual([]);
  const dates: ((n: number) => string)[] = [
    (n) => "9".repeat(n),
    (n) => `-${"9".repeat(n)}`,
    (n) => `${" ".repeat(n / 2)}9`.padEnd(n, "9"),
  ];
  for (const digits of dates)
    expectLinear(250_000, (n) => {
      const date = `A <a@b.c> ${digits(n)} +0000`;
      const text = `tree ${EMPTY_TREE}\nauthor ${date}\ncommitter ${date}\n\n`;
      expect(errors("commit", bytesOf(text))).toEqual(["badDateOverflow"]);
    });
  const settings: ((n: number) => string)[] = [
    (n) => "[".repeat(n),
    (n) => "a".repeat(n),
    (n) => `[a "${"\\a".repeat(n / 2)}`,
    (n) => `[a]\n${"b=\\\n".repeat(n / 5)}`,
    (n) => `[submodule "${"../".repeat(n / 3)}x"]\nurl=${"./".repeat(n / 3)}`,
  ];
  for (const text of settings) expectLinear(250_000, (n) => checkObject(SHA1, "blob", bytesOf(text(n)), "gitmodules"));
});
