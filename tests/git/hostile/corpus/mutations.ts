import type { ObjectType } from "../../../../src/git/objects/types.ts";
import { random } from "../../../random.ts";
import { bytesOf, type CorpusObject, EMPTY_BLOB, EMPTY_TREE, object, oidOf, PARENT, treeOf, utf8 } from "./objects.ts";

const WHO = "A U Thor <a@b.c> 1700000000 +0130";
const ALPHABET = bytesOf(' \n\0<>+-019az./\\~:\xff\t\r"[]=;%GIT!g');
const WORDS = [
  "tree ",
  "parent ",
  "author ",
  "committer ",
  "object ",
  "type ",
  "tag ",
  "tagger ",
  "\n\n",
  "<>",
  " 0 ",
  ".git",
  "git~1",
  utf8("\u200c"),
  "100644 ",
  "40000 ",
  "\0",
  "..",
  "[submodule",
  "url = -",
  "../",
  "%0a",
  "::",
  "://",
].map(bytesOf);

function seeds(): { type: ObjectType; data: Buffer; role?: "gitmodules" }[] {
  const commit = `tree ${EMPTY_TREE}\nparent ${oidOf(PARENT)}\nauthor ${WHO}\ncommitter ${WHO}\nencoding UTF-8\n\nmessage\n`;
  return [
    { type: "commit", data: bytesOf(commit) },
    { type: "commit", data: bytesOf(commit.replace(/parent.*\n/, "").replace(/encoding.*\n/, "")) },
    { type: "tag", data: bytesOf(`object ${EMPTY_BLOB}\ntype blob\ntag v1\ntagger ${WHO}\n\nmessage\n`) },
    { type: "tree", data: treeOf(["100644", "a"], ["100644", "a.b"], ["40000", "c"], ["100755", "d"]) },
    {
      type: "tree",
      data: treeOf(["100644", ".git"], ["100644", ".gitattributes"], ["100644", "a\\.git"], ["40000", "git~1"]),
    },
    { type: "tree", data: treeOf(["100644", utf8(".g\u200cit")], ["100644", ".gitmodules"], ["120000", "gi7eba~1"]) },
    {
      type: "tree",
      data: treeOf(["100644", "a"], ["100644", "a.b"], ["100644", "a.b.c"], ["40000", "a.b"], ["40000", "a"]),
    },
    {
      type: "blob",
      role: "gitmodules",
      data: bytesOf(
        '[submodule "a/b"]\n\tpath = a/b\n\turl = https://u:p@h.org/x%20y\n\tupdate = merge\n[submodule "c"]\n\turl = ../../c ; d\n',
      ),
    },
  ];
}

/** Good objects with one to four bytes or words changed, made repeatably. */
export function mutatedObjects(seed: number, count: number): CorpusObject[] {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  const from = seeds();
  const found: CorpusObject[] = [];
  for (let i = 0; i < count; i++) {
    const { type, data, role } = from[pick(from.length)]!;
    const bytes = [...data];
    for (let k = 1 + pick(4); k > 0; k--) mutate(bytes, pick);
    found.push(object(type, `mutation ${i} of seed ${seed}`, Uint8Array.from(bytes), role));
  }
  return found;
}

function mutate(bytes: number[], pick: (n: number) => number): void {
  const at = pick(bytes.length + 1);
  const word = WORDS[pick(WORDS.length)]!;
  const kind = pick(8);
  if (kind === 0) bytes[Math.min(at, bytes.length - 1)] = ALPHABET[pick(ALPHABET.length)]!;
  else if (kind === 1) bytes.splice(at, 1);
  else if (kind === 2) bytes.splice(at, 0, ALPHABET[pick(ALPHABET.length)]!);
  else if (kind === 3) bytes.splice(at, 0, ...word);
  else if (kind === 4) bytes.splice(at, word.length, ...word);
  else if (kind === 5 && at < bytes.length) bytes[at]! ^= 1 << pick(8);
  else if (kind === 6) bytes.splice(at, 1 + pick(24));
  else bytes.splice(at, 0, ...bytes.slice(pick(bytes.length + 1)).slice(0, 1 + pick(60)));
}
