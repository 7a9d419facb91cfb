import { expect, test } from "bun:test";
import { addressOf, checkTitle, fileOf, filesOfAddress, titleOfAddress, titleOfFile } from "../../../src/wiki/names.ts";
import { newSeed, random } from "../../random.ts";

/** The three forms of a page's name (contract repositories.md 16). */

test("the contract's table", () => {
  const forms: [title: string, address: string, file: string][] = [
    ["Home", "Home", "Home.md"],
    ["New page", "New-page", "New-page.md"],
    ["wiki-name", "wiki-name.-", "wiki-name.-.md"],
    ["the wiki-name", "the+wiki-name.-", "the wiki-name.-.md"],
    ["title.md", "title.md.-", "title.md.-.md"],
    ["a/b", "a%2Fb", "a%2Fb.md"],
    ["a%b", "a%25b", "a%25b.md"],
    ["a.-", "a.-.-", "a.-.-.md"],
  ];
  for (const [title, address, file] of forms) {
    expect([title, addressOf(title), fileOf(title)]).toEqual([title, address, file]);
    expect([titleOfAddress(address), titleOfFile(file)]).toEqual([title, title]);
    expect(filesOfAddress(address)[0]).toBe(file);
  }
  expect(titleOfAddress("a/b")).toBe("a/b");
  expect(titleOfAddress("New%20page")).toBe("New page");
  expect(titleOfAddress("New+page")).toBe("New page");
  expect(titleOfFile(".md")).toBeUndefined();
  expect(titleOfFile("picture.png")).toBeUndefined();
});

test("whatever a title is, it comes back from its address and its file, which is one entry of a tree", () => {
  const seed = newSeed();
  const next = random(seed);
  const below = (max: number) => Math.floor(next() * max);
  const letters = [..." -.%+/\\?#&=~!'()*<>\"aBmd_é☃🎉\u0301ж"];
  for (let round = 0; round < 2_000; round++) {
    const given = Array.from({ length: 1 + below(12) }, () => letters[below(letters.length)]).join("");
    let title: string;
    try {
      title = checkTitle(given);
    } catch {
      continue;
    }
    const [address, file] = [addressOf(title), fileOf(title)];
    expect([seed, title, titleOfAddress(address)]).toEqual([seed, title, title]);
    expect([seed, title, titleOfFile(file)]).toEqual([seed, title, title]);
    expect([seed, filesOfAddress(address)[0]]).toEqual([seed, file]);
    expect([seed, /^[A-Za-z0-9._~%+-]+$/.test(address), file.includes("/")]).toEqual([seed, true, false]);
  }
});

test("bytes that are no UTF-8 and broken escapes lead somewhere, and never throw", () => {
  for (const address of ["%", "%zz", "%ff%fe", "%E2%98", "..", "a%2F..%2Fb", "%00", "\ud800"]) {
    expect(() => filesOfAddress(address)).not.toThrow();
    expect(filesOfAddress(address).some((file) => file.includes("/"))).toBe(false);
  }
  expect(addressOf(titleOfFile("\udcff\udcfe.md") ?? "")).toBe("%FF%FE");
});

test("titles that no page may have", () => {
  const codeOf = (title: string) => {
    try {
      return checkTitle(title);
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(["", "  ", "_new", "_pages", "_edit", "raw", "a\nb", "a\0b"].map(codeOf)).toEqual([
    "wiki.untitled",
    "wiki.untitled",
    "wiki.title-reserved",
    "wiki.title-reserved",
    "wiki.title-reserved",
    "wiki.title-reserved",
    "wiki.bad-title",
    "wiki.bad-title",
  ]);
  expect([".", "..", " Raw ", "x".repeat(252)].map(codeOf)).toEqual(["unnamed", "unnamed", "Raw", "x".repeat(252)]);
  expect(["x".repeat(253), "é".repeat(43), "y".repeat(10_000)].map(codeOf)).toEqual(
    Array(3).fill("wiki.title-too-long"),
  );
});
