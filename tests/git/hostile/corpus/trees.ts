import { bytesOf, type CorpusObject, EMPTY_TREE, type Entry, object, treeOf, utf8 } from "./objects.ts";

const IGNORED_BY_HFS = ["\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202e", "\u206a", "\u206f", "\ufeff"];
const ALMOST_IGNORED = ["\u200b", "\u2010", "\u2029", "\u202f", "\u2069", "\u2070", "\u2060", "\ufefe", "\u0301"];
const SPECIAL = ["gitmodules", "gitattributes", "gitignore", "mailmap"];
const SHORT = ["gitmod", "gitatt", "gitign", "mailma"];
const FALLBACK = ["gi7eba", "gi7d29", "gi250a", "maba30"];

function dotGitNames(): string[] {
  const ends = [
    "",
    " ",
    ".",
    " . ",
    "  ...",
    "/",
    "\\",
    ":",
    "::$INDEX_ALLOCATION",
    ":x",
    " :x",
    "x",
    "\t",
    "\0x",
    "~1",
  ];
  const starts = [
    ".git",
    ".GIT",
    ".Git",
    ".giT",
    "git~1",
    "GIT~1",
    "git~2",
    "git~10",
    "gıt~1",
    "git",
    "..git",
    ".git~1",
  ];
  const variants = starts.flatMap((start) => ends.map((end) => start + end));
  const hfs = [...IGNORED_BY_HFS, ...ALMOST_IGNORED].flatMap((point) => [
    utf8(`${point}.git`),
    utf8(`.${point}git`),
    utf8(`.g${point}I${point}t`),
    utf8(`.git${point}`),
    utf8(`.git${point}x`),
    utf8(`.git${point} `),
    utf8(`git~1${point}`),
  ]);
  const behind = ["a\\", "\\", "a\\\\", "\\a\\", "a/", "a:", ".\\", "\xff\\"].flatMap((start) =>
    [
      ".git",
      "git~1",
      ".GIT .",
      ".git:x",
      ".git\\x",
      ".gitmodules",
      "gitmod~1",
      "gi7eba~1",
      ".gitattributes",
      utf8(".g\u200cit"),
    ].map((name) => start + name),
  );
  return [...variants, ...hfs, ...behind];
}

function brokenUtf8Names(): string[] {
  const broken = [
    "\xff",
    "\xc0",
    "\xc0\x80",
    "\xe2",
    "\xe2\x80",
    "\xe2\x80\x8c",
    "\xe2\x28\xa1",
    "\xf0\x9f",
    "\xf8\x88\x80\x80\x80",
  ];
  return broken.flatMap((bytes) => [
    `.git${bytes}`,
    `${bytes}.git`,
    `.g${bytes}it`,
    `.gitmodules${bytes}`,
    `.git${bytes}modules`,
    `.git${bytes}x`,
    `.gitattributes${bytes}`,
  ]);
}

function specialNames(): string[] {
  return SPECIAL.flatMap((word, i) => {
    const short = SHORT[i]!;
    const fallback = FALLBACK[i]!;
    return [
      `.${word}`,
      `.${word.toUpperCase()}`,
      `.${word} `,
      `.${word}.`,
      `.${word} . .`,
      `.${word}:x`,
      `.${word} :x`,
      `.${word}x`,
      `.${word.slice(0, -1)}`,
      word,
      `${word}~1`,
      ...[1, 2, 3, 4, 5, 9, 10].map((n) => `${short}~${n}`),
      `${short}~1 `,
      `${short}~1x`,
      `${short}~1:x`,
      `${short}~`,
      `${short.toUpperCase()}~1`,
      ...[0, 1, 5, 9, 10].map((n) => `${fallback}~${n}`),
      `${fallback.slice(0, 5)}~10`,
      `${fallback.slice(0, 4)}~100`,
      `${fallback.slice(0, 2)}~12345`,
      `${fallback.slice(0, 1)}~123456`,
      `${fallback.slice(0, 1)}~012345`,
      `${fallback}~1. .`,
      `${fallback}~1:`,
      `${fallback}~1\\`,
      `${fallback.toUpperCase()}~1`,
      `${fallback}~`,
      utf8(`.${word.slice(0, 3)}\u200c${word.slice(3)}`),
      utf8(`.${word}\u200d`),
      utf8(`${short}\u200c~1`),
      `a\\.${word}`,
      `a\\${short}~1`,
      `a\\${fallback}~1`,
    ];
  });
}

function names(): CorpusObject[] {
  const plain = [
    ".",
    "..",
    "...",
    ". ",
    ".. ",
    ".\\",
    "..\\",
    "~1000000",
    "~9999999",
    "a",
    " ",
    "-",
    "a/b",
    "/",
    "/a",
    "a/",
    "./a",
    "\x01",
    "\n",
    "\r",
    "a\nb",
    "\x7f",
    "\xff",
    "aux",
    "con.txt",
    "a:b",
    "a.",
    "a ",
  ];
  const all = new Set([...plain, ...dotGitNames(), ...brokenUtf8Names(), ...specialNames()]);
  return [...all]
    .filter((name) => !name.startsWith("\0"))
    .flatMap((name) =>
      ["100644", "120000", "40000", "160000"].map((mode) =>
        object("tree", `the name ${JSON.stringify(name)} with mode ${mode}`, treeOf([mode, name])),
      ),
    );
}

function long(length: number, mode: string): CorpusObject {
  return object("tree", `a name of ${length} bytes with mode ${mode}`, treeOf([mode, "n".repeat(length)]));
}

function modes(): CorpusObject[] {
  const given = [
    "100644",
    "100755",
    "120000",
    "40000",
    "160000",
    "100664",
    "100600",
    "100666",
    "100777",
    "100640",
    "40755",
    "040000",
    "0100644",
    "00100644",
    "000000000100644",
    "0",
    "00",
    "7",
    "644",
    "755",
    "20000",
    "60000",
    "140000",
    "1",
    "177777",
    "777777",
    "120777",
    "160644",
    "200000",
    "1000000",
    "37777777777",
    "40000000000",
    "100000000000",
  ];
  const broken = ["", " ", "8", "10064x", "100648", "-100644", "+100644", "0x81a4", "100644\t", "１"];
  return [
    ...given.map((mode) => object("tree", `mode ${mode}`, treeOf([mode, "a"]))),
    ...broken.map((mode) => object("tree", `the malformed mode ${JSON.stringify(mode)}`, treeOf([mode, "a"]))),
    ...given.map((mode) =>
      object(
        "tree",
        `mode ${mode} before an entry that is cut`,
        Buffer.concat([treeOf([mode, "a"]), Buffer.alloc(21)]),
      ),
    ),
  ];
}

function shapes(): CorpusObject[] {
  const zero = "0".repeat(40);
  const good = treeOf(["100644", "a"]);
  const cut = (story: string, bytes: Uint8Array) => object("tree", story, bytes);
  const lists: [string, ...Entry[]][] = [
    ["two in order", ["100644", "a"], ["100644", "b"]],
    ["two out of order", ["100644", "b"], ["100644", "a"]],
    ["the same twice", ["100644", "a"], ["100644", "a"]],
    ["the same twice, apart", ["100644", "a"], ["100644", "b"], ["100644", "a"]],
    ["three of one name", ["100644", "a"], ["100755", "a"], ["120000", "a"]],
    ["file and folder of one name", ["100644", "a"], ["40000", "a"]],
    ["folder and file of one name", ["40000", "a"], ["100644", "a"]],
    ["two folders of one name", ["40000", "a"], ["40000", "a"]],
    ["file and folder with a dot between", ["100644", "a"], ["100644", "a.c"], ["40000", "a"]],
    [
      "file and folder with three between",
      ["100644", "a"],
      ["100644", "a b"],
      ["100644", "a-c"],
      ["100644", "a.d"],
      ["40000", "a"],
    ],
    ["nested shared names", ["100644", "a"], ["100644", "a.b"], ["100644", "a.b.c"], ["40000", "a.b"], ["40000", "a"]],
    [
      "nested shared names, inner only",
      ["100644", "a"],
      ["100644", "a.b"],
      ["100644", "a.b.c"],
      ["40000", "a.b"],
      ["100644", "a.c"],
    ],
    [
      "shared name behind another folder",
      ["100644", "a"],
      ["100644", "a.b"],
      ["40000", "a.b"],
      ["100644", "a.c"],
      ["40000", "a"],
    ],
    ["submodule and folder of one name", ["160000", "a"], ["100644", "a.c"], ["40000", "a"]],
    ["symlink and folder of one name", ["120000", "a"], ["100644", "a.c"], ["40000", "a"]],
    ["folder before its file's sibling", ["40000", "a"], ["100644", "a.c"]],
    ["folder behind its file's sibling", ["100644", "a.c"], ["40000", "a"]],
    ["folder before a zero", ["40000", "a"], ["100644", "a0"]],
    ["folder behind a zero", ["100644", "a0"], ["40000", "a"]],
    ["candidate that a later name drops", ["100644", "a"], ["100644", "a.b"], ["100644", "aa"], ["40000", "a"]],
    [
      "out of order with a shared name far away",
      ["100644", "a"],
      ["100644", "a.b"],
      ["100644", "b"],
      ["40000", "a"],
      ["100644", "a.c"],
    ],
    ["upper case is another name", ["100644", "A"], ["100644", "a"]],
    ["high bytes sort high", ["100644", "a\x80"], ["100644", "a\xff"]],
    ["high bytes out of order", ["100644", "a\xff"], ["100644", "a\x80"]],
    ["a slash sorts as folder", ["40000", "a"], ["100644", "a/b"]],
    ["a null id", ["100644", "a", zero]],
    ["a null id of a submodule", ["160000", "a", zero]],
    ["a null id of a folder", ["40000", "a", zero]],
    ["all at once", ["0100664", ".."], ["100644", ".git", zero], ["100644", "."], ["40000", "."], ["100644", "a/b"]],
    ["two modules and a link", ["100644", ".gitmodules"], ["120000", ".gitmodules"]],
    ["empty tree within", ["40000", "a", EMPTY_TREE]],
  ];
  return [
    object("tree", "nothing", Buffer.alloc(0)),
    ...lists.map(([story, ...entries]) => object("tree", story, treeOf(...entries))),
    cut("only a mode", bytesOf("100644")),
    cut("a mode and a space", bytesOf("100644 ")),
    cut("no NUL", bytesOf("100644 a")),
    cut("an id of three bytes", bytesOf("100644 a\0abc")),
    cut("an id of nineteen bytes", good.subarray(0, good.length - 1)),
    cut("one byte too many", Buffer.concat([good, bytesOf("x")])),
    cut("a NUL too many", Buffer.concat([good, Buffer.of(0)])),
    cut("thirty NULs behind", Buffer.concat([good, Buffer.alloc(30)])),
    cut("an empty name", treeOf(["100644", ""])),
    cut("an empty name behind a good one", treeOf(["100644", "a"], ["100644", ""])),
    cut("an empty name before a good one", treeOf(["100644", ""], ["100644", "a"])),
    cut("no mode behind a good entry", Buffer.concat([good, bytesOf(" b\0"), Buffer.alloc(20, 1)])),
    cut("bad mode, then cut", Buffer.concat([treeOf(["100600", "b"], ["100644", "a"]), Buffer.alloc(24, 0x31)])),
    cut("only NULs", Buffer.alloc(23)),
    cut("only spaces", Buffer.alloc(40, 0x20)),
    cut("only digits", Buffer.alloc(40, 0x31)),
    cut("a name of NULs to the end", Buffer.concat([bytesOf("100644 "), Buffer.alloc(21)])),
    cut("text", bytesOf("tree of nothing, really, only a long line of text without any sense\n")),
    ...["100644", "40000"].flatMap((mode) => [255, 256, 4096, 4097, 10_000].map((length) => long(length, mode))),
  ];
}

/** Names, modes, order and shapes of trees. */
export function corpusOfTrees(): CorpusObject[] {
  return [...names(), ...modes(), ...shapes()];
}
