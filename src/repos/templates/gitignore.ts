/** Ignore files a new repository may start with. Names are plain words, so nothing can point outside the set. */

/** In byte order, as the API lists them. */
export const gitignoreNames = [
  "Android",
  "Angular",
  "C",
  "C++",
  "CMake",
  "Clojure",
  "D",
  "Dart",
  "Deno",
  "Dotnet",
  "Elixir",
  "Elm",
  "Emacs",
  "Erlang",
  "Flutter",
  "Fortran",
  "Go",
  "Godot",
  "Gradle",
  "Haskell",
  "Java",
  "Jekyll",
  "JetBrains",
  "Julia",
  "KiCad",
  "Kotlin",
  "Laravel",
  "Linux",
  "Lua",
  "Maven",
  "Nextjs",
  "Nim",
  "Nix",
  "Node",
  "OCaml",
  "Perl",
  "Python",
  "Qt",
  "R",
  "Rails",
  "Ruby",
  "Rust",
  "Scala",
  "Swift",
  "Symfony",
  "TeX",
  "Terraform",
  "Unity",
  "UnrealEngine",
  "Vim",
  "VisualStudio",
  "VisualStudioCode",
  "Windows",
  "WordPress",
  "Zig",
  "macOS",
] as const;
export type GitignoreName = (typeof gitignoreNames)[number];

export function isGitignoreName(name: string): name is GitignoreName {
  return gitignoreNames.some((known) => known === name);
}

/** The text of one template. */
export async function gitignoreText(name: GitignoreName): Promise<string> {
  const { gitignoreTexts } = await import("./gitignore-texts.ts");
  return gitignoreTexts[name];
}

/** A `.gitignore` made of these templates, each under a line with its name (contract repositories.md 5.2). */
export async function gitignoreFile(names: readonly GitignoreName[]): Promise<string> {
  const parts = await Promise.all(names.map(async (name) => `# ---> ${name}\n${await gitignoreText(name)}\n`));
  return parts.join("");
}
