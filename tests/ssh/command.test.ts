import { expect, test } from "bun:test";
import { BadCommand, type Command, type GitService, parseCommand } from "../../src/ssh/command.ts";

const path = { owner: "ada", name: "x.git" };
const git = (service: GitService): Command => ({ kind: "git", service, path });

test.each([
  ["git-upload-pack 'ada/x.git'", git("git-upload-pack")],
  ["git-upload-pack '/ada/x.git'", git("git-upload-pack")],
  ["git-upload-pack /ada/x.git/", git("git-upload-pack")],
  ['git-receive-pack "ada/x.git"', git("git-receive-pack")],
  ["git upload-archive 'ada/x.git'", git("git-upload-archive")],
  ["  git-upload-pack   'ada'/x'.git' ", git("git-upload-pack")],
  ["git-upload-pack ada\\/x.git", git("git-upload-pack")],
  ["ssh_info", { kind: "info" }],
  ["git-lfs-authenticate ada/x.git upload", { kind: "lfs", operation: "upload", path }],
  ["git-lfs-authenticate '/ada/x.git' download 0123", { kind: "lfs", operation: "download", path }],
] as const)("%s", (text, command) => {
  expect(parseCommand(text)).toEqual(command);
});

const UNKNOWN = "Unknown git command";
test.each([
  ["", "Too few arguments"],
  ["bash", "Too few arguments"],
  ["git-upload-pack", "Too few arguments"],
  ["git-lfs-authenticate ada/x", "Too few arguments"],
  ["git-lfs-authenticate ada/x foo", "Unknown LFS operation"],
  ["git-lfs-transfer ada/x upload", "LFS SSH transfer is not enabled"],
  ["git-upload-pack x", "Invalid repository path"],
  ["git-upload-pack ''", "Invalid repository path"],
  ["git-upload-pack /", "Invalid repository path"],
  ["git-upload-pack a/b/c", "Invalid repository path"],
  ["git-upload-pack ../../etc/passwd", "Invalid repository path"],
  ["git-upload-pack ada/..", "Invalid repo name"],
  ["git-upload-pack 'ada/x y'", "Invalid repo name"],
  ["git-upload-pack 'ada/%2e%2e'", "Invalid repo name"],
  ["git-upload-pack ada/x ada/y", UNKNOWN],
  ["git-upload-pack --strict ada/x", "Invalid repository path"],
  ["git-frobnicate ada/x", UNKNOWN],
  ["scp -f a/x", "Invalid repository path"],
  ["git-upload-pack 'ada/x'; id", UNKNOWN],
  ["git-upload-pack $(id)", UNKNOWN],
  ["git-upload-pack `id`", UNKNOWN],
  ["git-upload-pack ada/x | sh", UNKNOWN],
  ["git-upload-pack ada/x\nid", UNKNOWN],
  ["git-upload-pack 'ada/x", UNKNOWN],
  ['git-upload-pack "ada/$HOME"', UNKNOWN],
  ["git-upload-pack 'ada/\u0000x'", UNKNOWN],
  [`git-upload-pack '${"x".repeat(5000)}'`, UNKNOWN],
])("%j is refused", (text, words) => {
  expect(() => parseCommand(text)).toThrow(new BadCommand(words));
});
