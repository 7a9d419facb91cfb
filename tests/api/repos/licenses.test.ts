import { expect, test } from "bun:test";
import { isLicenseName, LicenseMatcher } from "../../../src/repos/maintenance/licenses.ts";
import { licenseFile, licenseIds } from "../../../src/repos/templates/licenses.ts";

test("every licence a repository can be made with is recognised, filled in or wrapped otherwise", async () => {
  const matcher = await LicenseMatcher.load();
  for (const id of licenseIds) {
    const text = await licenseFile(id, { owner: "Ann B. Holder", email: "ann@example.org", year: 2026, repo: "book" });
    expect(matcher.match(text, [id])).toBe(id);
    expect(matcher.match(`# Licence\n\n${text.replace(/(\S)\n(?=\S)/g, "$1 ")}`, [id])).toBe(id);
  }
  const gpl = await licenseFile("GPL-2.0-or-later", { owner: "A", email: "a@x", year: 2026, repo: "b" });
  expect(matcher.match(gpl)).toBe("GPL-2.0-only");
  expect(matcher.match("")).toBeUndefined();
  expect(matcher.match("All rights reserved. Do as I say.")).toBeUndefined();
  expect(matcher.match("permission is hereby granted ".repeat(4000))).toBeUndefined();
});

test("only files named for it are looked at", () => {
  for (const name of ["LICENSE", "licence.md", "COPYING", "LICENSE-MIT", "COPYING.LESSER"])
    expect(isLicenseName(name)).toBe(true);
  for (const name of ["LICENSES", "README.md", "copyings", "license/x"]) expect(isLicenseName(name)).toBe(false);
});
