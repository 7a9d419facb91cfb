import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLog } from "../../src/kernel/log.ts";
import { LabelSets } from "../../src/repos/templates/label-sets.ts";

/** The sets of a data folder with these files, and what the log said while they were read. */
function setsOf(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), "hearth-labels-"));
  const lines: string[] = [];
  try {
    mkdirSync(join(dir, "label-templates"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, "label-templates", name), text);
    symlinkSync("/etc/hostname", join(dir, "label-templates", "Linked.yaml"));
    mkdirSync(join(dir, "label-templates", "Folder.yaml"));
    const sets = new LabelSets(dir, makeLog({ level: "warn", format: "text", write: (line) => lines.push(line) }));
    return { sets, lines };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("files add sets, take the place of built-in ones, and what is none is left out with a word in the log", () => {
  const { sets, lines } = setsOf({
    "Team.yaml":
      'labels:\n  - name: kind/bug\n    color: "#ABC"\n    exclusive: true\n    exclusive_order: 2\n  - name: dark\n    color: 000000\n    description: 暗い\n',
    "Default.txt": "#ee0701 bug ; Something is not working\n#0ab  help wanted\n",
    "Broken.yaml": "labels: [",
    "NoColor.yml": "labels:\n  - name: x\n    color: reddish\n",
    "Words.txt": "this is a letter",
    "Big.yaml": `labels:\n${"# \n".repeat(200_000)}`,
  });
  expect(sets.names()).toEqual(["Advanced", "Default", "Team"]);
  expect(sets.find("Team")).toEqual([
    { name: "kind/bug", color: "aabbcc", description: "", exclusive: true, exclusiveOrder: 2 },
    { name: "dark", color: "000000", description: "暗い", exclusive: false },
  ]);
  expect(sets.find("Default")).toEqual([
    { name: "bug", color: "ee0701", description: "Something is not working", exclusive: false },
    { name: "help wanted", color: "00aabb", description: "", exclusive: false },
  ]);
  for (const name of ["Broken", "NoColor", "Words", "Big", "Linked", "Folder"])
    expect([name, lines.some((line) => line.includes(name))]).toEqual([name, true]);
});

test("without the folder there are the built-in sets, and no name leads elsewhere", () => {
  const sets = new LabelSets(
    join(tmpdir(), `none-${crypto.randomUUID()}`),
    makeLog({ level: "warn", format: "text", write: () => {} }),
  );
  expect(sets.names()).toEqual(["Advanced", "Default"]);
  for (const name of ["__proto__", "constructor", "../../etc/passwd", ""]) expect(sets.find(name)).toBeUndefined();
});
