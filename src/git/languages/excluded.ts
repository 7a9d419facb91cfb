import type { Language } from "./table.ts";

/** Directories of other people's code, by name anywhere in the path. */
const VENDORED_DIRECTORIES = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "vendors",
  "third_party",
  "third-party",
  "thirdparty",
  "3rdparty",
  "external",
  "externals",
  "extern",
  "deps",
  "Godeps",
  "Pods",
  "Carthage",
  ".yarn",
  ".venv",
  "site-packages",
  "jspm_packages",
  "testdata",
  "fixtures",

  "dist",
  ".git",
  "gradle",
]);

const DOCUMENTATION_DIRECTORIES = new Set([
  "doc",
  "docs",
  "Documentation",
  "javadoc",
  "man",
  "examples",
  "samples",
  "demos",
]);

/** Documents that a project keeps beside its code. */
const DOCUMENT = /^(README|CHANGELOG|CHANGES|CITATION|CONTRIBUTING|COPYING|INSTALL|LICEN[CS]E)(\.|$)/i;

/** Languages that set programs up, or hold what they work on. */
const CONFIGURATION = new Set(["INI", "JSON", "SQL", "TOML", "XML", "YAML"]);

const GENERATED_NAMES = new Set([
  "package-lock.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "Cargo.lock",
  "composer.lock",
  "Gemfile.lock",
  "poetry.lock",
  "uv.lock",
  "go.sum",
  "mix.lock",
  "flake.lock",
  "configure",
  "config.guess",
  "config.sub",
  "install-sh",
  "ltmain.sh",
  "libtool.m4",
  "aclocal.m4",
  "gradlew",
  "gradlew.bat",
  "mvnw",
  "mvnw.cmd",
]);

const VENDORED_FILE =
  /^(jquery|bootstrap|angular|modernizr|d3|three|moment|underscore|lodash|backbone|require)([-.]v?\d[\d.]*)?([-.][a-z]+)*\.(js|css|ts)$/;
const GENERATED_FILE =
  /([.-]min\.(js|css)|\.(pb\.(go|cc|h)|pb\.gw\.go|generated\.[a-z]+|g\.dart|freezed\.dart|designer\.cs|js\.map|css\.map|bundle\.js)|_pb2(_grpc)?\.py|_generated\.go|\.gen\.go)$/i;

export function isVendored(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop()!;
  return parts.some((part) => VENDORED_DIRECTORIES.has(part)) || VENDORED_FILE.test(name);
}

/** Files that a program wrote. Only their names are examined. */
export function isGenerated(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return GENERATED_NAMES.has(name) || GENERATED_FILE.test(name);
}

export function isDocumentation(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop()!;
  return parts.some((part) => DOCUMENTATION_DIRECTORIES.has(part)) || DOCUMENT.test(name);
}

export function isDotFile(path: string): boolean {
  return path.startsWith(".", path.lastIndexOf("/") + 1);
}

export function isConfiguration({ name }: Language): boolean {
  return CONFIGURATION.has(name);
}
