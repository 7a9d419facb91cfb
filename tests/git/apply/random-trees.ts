import { random } from "../../random.ts";
import { git, gitText } from "../objects/real-git.ts";

const NAMES = [
  "a",
  "b.txt",
  "dir/c",
  "dir/d e",
  "dir/deep/f",
  "ä",
  "link",
  "run.sh",
  "blob.bin",
  'q"uote',
  "tab\tname",
  "dir.x",
];

/** A bare repository with trees that follow on each other: files edited, moved, copied, made executable or links. */
export function randomTrees(dir: string, count: number, seed: number): string[] {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  git(["init", "-q", "--bare", dir]);
  const files = new Map<string, { mode: string; data: Buffer }>();
  const lines = (n: number) => Array.from({ length: n }, () => (pick(4) === 0 ? "" : `line ${pick(60)} here`));
  const trees: string[] = [];
  for (let step = 0; step < count; step++) {
    for (let edits = step === 0 ? 8 : 1 + pick(4); edits > 0; edits--) {
      const name = NAMES[pick(NAMES.length)]!;
      const old = files.get(name);
      const how = pick(12);
      if (name === "blob.bin") files.set(name, { mode: "100644", data: binary(pick, old?.data) });
      else if (name === "link")
        files.set(name, { mode: pick(4) === 0 ? "100644" : "120000", data: Buffer.from(`a${pick(3)}`) });
      else if (!old || how === 0)
        files.set(name, {
          mode: "100644",
          data: Buffer.from(lines(pick(40)).join("\n") + (pick(4) === 0 ? "" : "\n")),
        });
      else if (how === 1) files.delete(name);
      else if (how === 2) files.set(name, { ...old, mode: old.mode === "100644" ? "100755" : "100644" });
      else if (how === 3) {
        files.delete(name);
        files.set(`${name}-${pick(3)}`, old);
      } else if (how === 4) files.set(`copy-${pick(3)}`, old);
      else {
        const text = old.data.toString("latin1").split("\n");
        text.splice(pick(text.length + 1), pick(3), ...lines(pick(3)));
        if (pick(2) === 0) text.splice(pick(text.length + 1), pick(2), ...lines(pick(2)));
        files.set(name, { ...old, data: Buffer.from(text.join("\n"), "latin1") });
      }
    }
    trees.push(storeTree(dir, files));
  }
  return trees;
}

function binary(pick: (n: number) => number, old: Buffer | undefined): Buffer {
  const data = old ? Buffer.from(old) : Buffer.from(Array.from({ length: 300 + pick(600) }, () => pick(256)));
  data[0] = 0;
  for (let i = 0; i < 5; i++) data[pick(data.length)] = pick(256);
  return data;
}

function storeTree(dir: string, files: ReadonlyMap<string, { mode: string; data: Buffer }>): string {
  const script: Buffer[] = [Buffer.from("commit refs/heads/t\ncommitter C <c@x> 0 +0000\ndata 0\ndeleteall\n")];
  for (const [name, { mode, data }] of files) {
    script.push(
      Buffer.from(`M ${mode} inline "${name.replace(/["\\]/g, "\\$&").replace("\t", "\\t")}"\ndata ${data.length}\n`),
    );
    script.push(data, Buffer.from("\n"));
  }
  git(["-C", dir, "update-ref", "-d", "refs/heads/t"]);
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: Buffer.concat(script) });
  return gitText(["-C", dir, "rev-parse", "refs/heads/t^{tree}"]);
}
