import { describe, expect, test } from "bun:test";
import { editorDefinition } from "../../../src/content/editorconfig/definition.ts";
import { contentOf } from "../../../src/content/edits/bodies.ts";
import { defaultMessage, storedMessage } from "../../../src/content/edits/message.ts";
import { encodePath } from "../../../src/content/paths.ts";
import { parseRfc3339, readPath, writePath } from "../../../src/content/values.ts";
import { submoduleUrls } from "../../../src/git/config/gitmodules.ts";
import { parseLfsPointer } from "../../../src/git/lfs/pointer.ts";
import { disposition } from "../../../src/http/file-answer.ts";
import { parseRange } from "../../../src/http/range.ts";
import { contentPolicyOf, mediaTypeOf } from "../../../src/kernel/media-type.ts";

const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, "latin1"));

describe("the type a file is served with", () => {
  test.each([
    ["", "text/plain; charset=utf-8"],
    ["plain", "text/plain; charset=utf-8"],
    ["<!doctype html><script>alert(1)</script>", "text/plain; charset=utf-8"],
    ["<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "text/plain; charset=utf-8"],
    ["GIF89a/*<script>*/=1", "image/gif"],
    ["BMW is a car", "text/plain; charset=utf-8"],
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["%PDF-1.7", "application/pdf"],
    ["<?xml version='1.0'?>\n<!-- a -->\n<svg><script/></svg>", "image/svg+xml"],
    ["<svgfoo>", "text/plain; charset=utf-8"],
    ["RIFF....WEBPVP8", "image/webp"],
    ["\0\0\0\x18ftypmp42", "video/mp4"],
    ["a\0b", "application/octet-stream"],
    ["caf\xe9", "text/plain; charset=iso-8859-1"],
    [`${"a".repeat(1023)}\xc3\xa9`, "text/plain; charset=utf-8"],
  ])("%j is %s", (content, type) => expect(mediaTypeOf(bytes(content))).toBe(type));

  test("everything but sound and film is shut in", () => {
    for (const type of ["text/plain; charset=utf-8", "image/svg+xml", "application/octet-stream"])
      expect(contentPolicyOf(type)).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(contentPolicyOf("application/pdf")).not.toContain("sandbox");
    expect(contentPolicyOf("video/mp4")).toBeUndefined();
  });
});

describe("the part of a file", () => {
  test.each([
    ["bytes=2-5", { start: 2, end: 5 }],
    ["bytes=7-", { start: 7, end: 9 }],
    ["bytes=4-99", { start: 4, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-99", { start: 0, end: 9 }],
    ["lines=1-2", undefined],
  ])("%s", (header, part) => expect(parseRange(header, 10)).toEqual(part));

  test.each([
    ["bytes=10-12", 416],
    ["bytes=-0", 416],
    ["bytes=x-", 416],
    ["bytes=", 416],
    ["bytes=5-2", 400],
    ["bytes=1-x", 400],
    ["bytes=0-1,3-4", 400],
    ["bytes=99999999999999999999-", 416],
  ])("%s is refused with %i", (header, status) => {
    expect(() => parseRange(header, 10)).toThrow(expect.objectContaining({ status }));
  });

  test("of nothing is nothing", () => expect(parseRange("bytes=0-", 0)).toBeUndefined());
});

test("names for saving break no header", () => {
  expect(disposition("a.txt", "inline")).toBe("inline; filename=a.txt");
  expect(disposition("test ❌.txt", "inline")).toBe(
    `inline; filename="test _.txt"; filename*=utf-8''test%20%E2%9D%8C.txt`,
  );
  expect(disposition('a"\\\r\nb', "inline")).toBe(`inline; filename="a\\"\\\\__b"; filename*=utf-8''a%22%5C%0D%0Ab`);
  expect(disposition("\udcff", "inline", encodePath("\udcff"))).toBe("inline; filename=_; filename*=utf-8''%FF");
});

test("paths are cleaned, escaped and, for writing, judged", () => {
  expect(readPath("/a//./b/../c/")).toBe("a/c");
  expect(readPath("")).toBe("");
  expect(() => readPath("a/..")).toThrow("malformed");
  expect(encodePath("ä b/%?#\udc80")).toBe("%C3%A4%20b/%25%3F%23%80");
  for (const path of ["", ".", "a/../..", "x/.gIt/y", "a/.git ./b", "\0"])
    expect(() => writePath(path)).toThrow("malformed");
  for (const path of [".gitignore", "git", ".github/x", "a.git/b", "...", "-"]) expect(writePath(path)).toBe(path);
});

test("submodules are read as git reads them", () => {
  const text =
    '[submodule "a"]\n\tpath = lib/a\n\turl = "https://x.example/a b.git" # here\n[submodule "b"]\nurl=../b\npath=b\n[core]\n\turl = no\n';
  expect([...submoduleUrls(bytes(text))]).toEqual([
    ["lib/a", "https://x.example/a b.git"],
    ["b", "../b"],
  ]);
});

test("only exact LFS pointers count", () => {
  const oid = "a".repeat(64);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12\n`;
  expect(parseLfsPointer(bytes(pointer))).toEqual({ oid, sizeBytes: 12 });
  for (const other of [
    pointer.trimEnd(),
    pointer.replace("12", "-1"),
    pointer.toUpperCase(),
    `x${pointer}`,
    pointer + "x\n".repeat(600),
  ])
    expect(parseLfsPointer(bytes(other))).toBeUndefined();
});

test("base64 and dates are strict", () => {
  expect(Buffer.from(contentOf("aGk=\n")).toString()).toBe("hi");
  expect(contentOf("")).toHaveLength(0);
  for (const text of ["a", "aGk", "aGk==", "a=k=", "aG-_", "ä", "not base64!"])
    expect(() => contentOf(text)).toThrow("base64");
  expect(parseRfc3339("2017-08-01T14:00:00+02:00")).toEqual({ timestamp: 1_501_588_800, offsetMinutes: 120 });
  for (const text of ["2017-08-01", "2017-02-29T00:00:00Z", "2017-08-01T24:00:00Z", "1960-01-01T00:00:00Z", "now"])
    expect(parseRfc3339(text)).toBeUndefined();
});

test("messages name the files, and are signed off once", () => {
  const operations = [
    { kind: "delete", path: "d" },
    { kind: "create", path: "a" },
    { kind: "rename", path: "c" },
    { kind: "update", path: "b" },
  ] as const;
  expect(defaultMessage(operations)).toBe("Add a\nUpdate c, b\nDelete d\n");
  const ann = { name: "Ann", email: "a@x" };
  expect(storedMessage(" s \n\n", undefined)).toBe("s\n");
  expect(storedMessage("s", ann)).toBe("s\n\nSigned-off-by: Ann <a@x>\n");
  expect(storedMessage("s\n\nCo-authored-by: B <b@x>", ann)).toBe(
    "s\n\nCo-authored-by: B <b@x>\nSigned-off-by: Ann <a@x>\n",
  );
});

test("editor settings of later sections win", () => {
  const text =
    "root = true\n[*]\nend_of_line = lf\ncharset = UTF-8\nother = 1\n[*.{go,mod}]\nindent_style = tab\n[x.go]\nend_of_line = unset\n[{]\ncharset = bad\n";
  expect(editorDefinition(text, "x.go")).toEqual({ charset: "utf-8", indent_style: "tab" });
  expect(editorDefinition(text, "x.py")).toEqual({ charset: "utf-8", end_of_line: "lf" });
});
