// The texts of github.com/github/gitignore (CC0). Loaded by gitignore.ts on first use only.
import Android from "./gitignore/Android.txt" with { type: "text" };
import Angular from "./gitignore/Angular.txt" with { type: "text" };
import C from "./gitignore/C.txt" with { type: "text" };
import CPlusPlus from "./gitignore/C++.txt" with { type: "text" };
import Clojure from "./gitignore/Clojure.txt" with { type: "text" };
import CMake from "./gitignore/CMake.txt" with { type: "text" };
import D from "./gitignore/D.txt" with { type: "text" };
import Dart from "./gitignore/Dart.txt" with { type: "text" };
import Deno from "./gitignore/Deno.txt" with { type: "text" };
import Dotnet from "./gitignore/Dotnet.txt" with { type: "text" };
import Elixir from "./gitignore/Elixir.txt" with { type: "text" };
import Elm from "./gitignore/Elm.txt" with { type: "text" };
import Emacs from "./gitignore/Emacs.txt" with { type: "text" };
import Erlang from "./gitignore/Erlang.txt" with { type: "text" };
import Flutter from "./gitignore/Flutter.txt" with { type: "text" };
import Fortran from "./gitignore/Fortran.txt" with { type: "text" };
import Go from "./gitignore/Go.txt" with { type: "text" };
import Godot from "./gitignore/Godot.txt" with { type: "text" };
import Gradle from "./gitignore/Gradle.txt" with { type: "text" };
import Haskell from "./gitignore/Haskell.txt" with { type: "text" };
import Java from "./gitignore/Java.txt" with { type: "text" };
import Jekyll from "./gitignore/Jekyll.txt" with { type: "text" };
import JetBrains from "./gitignore/JetBrains.txt" with { type: "text" };
import Julia from "./gitignore/Julia.txt" with { type: "text" };
import KiCad from "./gitignore/KiCad.txt" with { type: "text" };
import Kotlin from "./gitignore/Kotlin.txt" with { type: "text" };
import Laravel from "./gitignore/Laravel.txt" with { type: "text" };
import Linux from "./gitignore/Linux.txt" with { type: "text" };
import Lua from "./gitignore/Lua.txt" with { type: "text" };
import Maven from "./gitignore/Maven.txt" with { type: "text" };
import macOS from "./gitignore/macOS.txt" with { type: "text" };
import Nextjs from "./gitignore/Nextjs.txt" with { type: "text" };
import Nim from "./gitignore/Nim.txt" with { type: "text" };
import Nix from "./gitignore/Nix.txt" with { type: "text" };
import Node from "./gitignore/Node.txt" with { type: "text" };
import OCaml from "./gitignore/OCaml.txt" with { type: "text" };
import Perl from "./gitignore/Perl.txt" with { type: "text" };
import Python from "./gitignore/Python.txt" with { type: "text" };
import Qt from "./gitignore/Qt.txt" with { type: "text" };
import R from "./gitignore/R.txt" with { type: "text" };
import Rails from "./gitignore/Rails.txt" with { type: "text" };
import Ruby from "./gitignore/Ruby.txt" with { type: "text" };
import Rust from "./gitignore/Rust.txt" with { type: "text" };
import Scala from "./gitignore/Scala.txt" with { type: "text" };
import Swift from "./gitignore/Swift.txt" with { type: "text" };
import Symfony from "./gitignore/Symfony.txt" with { type: "text" };
import Terraform from "./gitignore/Terraform.txt" with { type: "text" };
import TeX from "./gitignore/TeX.txt" with { type: "text" };
import Unity from "./gitignore/Unity.txt" with { type: "text" };
import UnrealEngine from "./gitignore/UnrealEngine.txt" with { type: "text" };
import Vim from "./gitignore/Vim.txt" with { type: "text" };
import VisualStudio from "./gitignore/VisualStudio.txt" with { type: "text" };
import VisualStudioCode from "./gitignore/VisualStudioCode.txt" with { type: "text" };
import Windows from "./gitignore/Windows.txt" with { type: "text" };
import WordPress from "./gitignore/WordPress.txt" with { type: "text" };
import Zig from "./gitignore/Zig.txt" with { type: "text" };
import type { GitignoreName } from "./gitignore.ts";

export const gitignoreTexts: Readonly<Record<GitignoreName, string>> = {
  Android,
  Angular,
  C,
  "C++": CPlusPlus,
  CMake,
  Clojure,
  D,
  Dart,
  Deno,
  Dotnet,
  Elixir,
  Elm,
  Emacs,
  Erlang,
  Flutter,
  Fortran,
  Go,
  Godot,
  Gradle,
  Haskell,
  Java,
  Jekyll,
  JetBrains,
  Julia,
  KiCad,
  Kotlin,
  Laravel,
  Linux,
  Lua,
  Maven,
  Nextjs,
  Nim,
  Nix,
  Node,
  OCaml,
  Perl,
  Python,
  Qt,
  R,
  Rails,
  Ruby,
  Rust,
  Scala,
  Swift,
  Symfony,
  TeX,
  Terraform,
  Unity,
  UnrealEngine,
  Vim,
  VisualStudio,
  VisualStudioCode,
  Windows,
  WordPress,
  Zig,
  macOS,
};
