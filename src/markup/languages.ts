/** Determines the highlight.js language of a file: by its whole name, its extension, or its first line. */

const BY_NAME: Record<string, string> = {
  makefile: "makefile",
  gnumakefile: "makefile",
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  "cmakelists.txt": "cmake",
  jenkinsfile: "groovy",
  vagrantfile: "ruby",
  gemfile: "ruby",
  rakefile: "ruby",
  "nginx.conf": "nginx",
  "bun.lock": "json",
  ".babelrc": "json",
  ".eslintrc": "json",
  ".prettierrc": "json",
  ".gitconfig": "ini",
  ".editorconfig": "ini",
  ".npmrc": "ini",
  ".bashrc": "bash",
  ".zshrc": "bash",
  ".profile": "bash",
  "go.mod": "go",
};

/** Extensions that highlight.js has no alias for. */
const BY_EXTENSION: Record<string, string> = {
  mjs: "javascript",
  cjs: "javascript",
  mts: "typescript",
  cts: "typescript",
  hh: "cpp",
  hxx: "cpp",
  cxx: "cpp",
  h: "c",
  toml: "ini",
  lock: "ini",
  cfg: "ini",
  conf: "ini",
  service: "ini",
  svg: "xml",
  vue: "xml",
  svelte: "xml",
  astro: "xml",
  htm: "xml",
  jsonc: "json",
  json5: "json",
  webmanifest: "json",
  ipynb: "json",
  bats: "bash",
  ksh: "bash",
  pyi: "python",
  rake: "ruby",
  gemspec: "ruby",
  gradle: "groovy",
  kts: "kotlin",
  sbt: "scala",
  ex: "elixir",
  exs: "elixir",
  hrl: "erlang",
  psm1: "powershell",
  mk: "makefile",
  patch: "diff",
  markdown: "markdown",
  tex: "latex",
  proto: "protobuf",
  m: "objectivec",
  r: "r",
  txt: "",
  text: "",
  log: "",
};

const BY_INTERPRETER: Record<string, string> = {
  sh: "bash",
  bash: "bash",
  dash: "bash",
  zsh: "bash",
  node: "javascript",
  bun: "typescript",
  deno: "typescript",
  python: "python",
  python3: "python",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  lua: "lua",
};

/** The name or alias of the language, or an empty string for plain text. */
export function languageOf(fileName: string, firstLine: string): string {
  const name = fileName.slice(fileName.lastIndexOf("/") + 1).toLowerCase();
  const byName = known(BY_NAME, name);
  if (byName !== undefined) return byName;
  const dot = name.lastIndexOf(".");
  if (dot >= 0) {
    const extension = name.slice(dot + 1);
    return known(BY_EXTENSION, extension) ?? extension;
  }
  const interpreter = /^#!\s*(?:\S*\/)?([a-z0-9]+)(?:\s+(?:-S\s+)?([a-z0-9]+))?/i.exec(firstLine);
  const command = interpreter?.[1] === "env" ? interpreter[2] : interpreter?.[1];
  return command ? (known(BY_INTERPRETER, command.toLowerCase()) ?? "") : "";
}

/** A file may be named `constructor`, which every object has (security rule F13). */
function known(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
