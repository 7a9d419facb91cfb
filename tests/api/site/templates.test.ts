import { expect, test } from "bun:test";
import { gitignoreFile, gitignoreNames, isGitignoreName } from "../../../src/repos/templates/gitignore.ts";
import { isLicenseId, licenseFile, licenseIds, licenseText } from "../../../src/repos/templates/licenses.ts";
import { readmeFrom } from "../../../src/repos/templates/readme.ts";

test("an ignore file names the templates it is made of", async () => {
  const file = await gitignoreFile(["Go", "C++"]);
  expect(file).toStartWith("# ---> Go\n");
  expect(file).toContain("*.exe");
  expect(file).toContain("\n# ---> C++\n");
  expect(isGitignoreName("../Go")).toBe(false);
  expect([...gitignoreNames] as string[]).toEqual([...gitignoreNames].sort());
  expect(await gitignoreFile(gitignoreNames)).not.toContain("undefined");
});

test("every licence has its words, and holder and year are filled in", async () => {
  for (const id of licenseIds) expect((await licenseText(id)).length).toBeGreaterThan(400);
  const file = await licenseFile("MIT", {
    owner: "Ada $& Lovelace",
    email: "ada@example.org",
    year: 2026,
    repo: "engine",
  });
  expect(file).toStartWith("MIT License\n\nCopyright (c) 2026 Ada $& Lovelace\n");
  expect(isLicenseId("constructor")).toBe(false);
  expect([...licenseIds] as string[]).toEqual([...licenseIds].sort());
});

test("a README has name and description", () => {
  expect(readmeFrom({ name: "r", description: " d " })).toBe("# r\n\nd");
  expect(readmeFrom({ name: "r", description: "" })).toBe("# r\n\n");
});
