import { trimEndOf } from "../text-ends.ts";
/** A programming or markup language, as displayed in a repository's language bar. */
export interface Language {
  readonly name: string;
  /** `#rrggbb` */
  readonly colour: string;
  /** Whether it counts by default; data and prose count only if `.gitattributes` says so. */
  readonly counted: boolean;
}

/**
 * Name | colour | extensions | file names | interpreters. A name that begins with `-` is data or prose. If two
 * languages share an extension, the first one gets it.
 */
const ROWS = `
ABAP|#e8274b|abap
ActionScript|#882b0f|as
Ada|#02f88c|adb ads ada
Agda|#315665|agda
Apex|#1797c0|cls trigger
AppleScript|#101f1f|applescript scpt||osascript
Assembly|#6e4c13|asm s nasm
Astro|#ff5a03|astro
AutoHotkey|#6594b9|ahk ahkl
Awk|#c30e9b|awk gawk mawk||awk gawk mawk
Ballerina|#ff5000|bal
Batchfile|#c1f12e|bat cmd
Bicep|#519aba|bicep
BitBake|#00bce4|bb bbclass
C|#555555|c h idc
C#|#178600|cs csx cake
C++|#f34b7d|cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp ixx cppm
Cairo|#ff4a48|cairo
Clojure|#db5855|clj cljs cljc cljx boot edn
CMake|#da3434|cmake|CMakeLists.txt
COBOL|#005ca5|cob cbl cpy
CoffeeScript|#244776|coffee cson litcoffee|Cakefile|coffee
Common Lisp|#3fb68b|lisp lsp asd ny
Coq|#d0b68c|coq
Crystal|#000100|cr||crystal
CSS|#663399|css
Cuda|#3a4e3a|cu cuh
Cython|#fedf5b|pyx pxd pxi
D|#ba595e|d di
Dart|#00b4ab|dart||dart
Dhall|#dfafff|dhall
Dockerfile|#384d54|dockerfile containerfile|Dockerfile Containerfile
Elixir|#6e4a7e|ex exs|mix.lock|elixir
Elm|#60b5cc|elm
Emacs Lisp|#c065db|el|.emacs .spacemacs
Erlang|#b83998|erl hrl escript xrl yrl|rebar.config|escript
F#|#b845fc|fs fsi fsx
Factor|#636746|factor
Fennel|#fff3d7|fnl||fennel
Fish|#4aae47|fish||fish
Forth|#341708|fth 4th forth
Fortran|#4d41b1|f f90 f95 f03 f08 for f77
FreeMarker|#0050b2|ftl
GDScript|#355570|gd
Gherkin|#5b2063|feature
Gleam|#ffaff3|gleam
GLSL|#5686a5|glsl vert frag geom comp tesc tese vsh fsh
Go|#00add8|go
Groovy|#4298b8|groovy gvy gradle|Jenkinsfile|groovy
Hack|#878787|hack hhi
Handlebars|#f7931e|handlebars hbs
Haskell|#5e5086|hs hsc lhs||runghc runhaskell
Haxe|#df7900|hx hxsl
HCL|#844fba|hcl tf tfvars nomad
HLSL|#aace60|hlsl fx
HTML|#e34c26|html htm xht xhtml
Idris|#b30000|idr lidr
Inno Setup|#264b99|iss
Isabelle|#fefe00|thy
Janet|#0886a5|janet
Java|#b07219|java jav
JavaScript|#f1e05a|js mjs cjs jsx es6 jsm|Jakefile|node nodejs deno
Jinja|#a52a22|jinja jinja2 j2
jq|#c7254e|jq||jq
Jsonnet|#0064bd|jsonnet libsonnet
Julia|#a270ba|jl||julia
Just|#384d54|just|justfile Justfile .justfile
Kotlin|#a97bff|kt kts ktm
Lean|#3d9970|lean
Less|#1d365d|less
Liquid|#67b8de|liquid
LLVM|#185619|ll
Lua|#000080|lua nse rockspec||lua luajit
M4|#b0b0b0|m4 mc|configure.ac
Makefile|#427819|mk mak make|Makefile GNUmakefile makefile Kbuild|make
Mako|#7e858d|mako
Mathematica|#dd1100|nb wl wlt mathematica
MATLAB|#e16737|matlab
Mercury|#ff2b2b|moo
Meson|#007800|meson|meson.build meson_options.txt
Mojo|#ff4c1f|mojo
Mustache|#724b3b|mustache
Nextflow|#3ac486|nf
Nim|#ffc200|nim nims nimble nimrod
Nix|#7e7eff|nix
Nushell|#4e9906|nu||nu
Objective-C|#438eff|m
Objective-C++|#6866fb|mm
OCaml|#ef7a08|ml mli mll mly eliom|dune dune-project|ocaml
Odin|#60affe|odin
OpenSCAD|#e5cd45|scad
Pascal|#e3f171|pas pp lpr dpr dfm
Perl|#0298c3|pl pm pod t psgi plx perl|Makefile.PL cpanfile|perl
PHP|#4f5d95|php php3 php4 php5 phtml phps inc||php
PLpgSQL|#336790|pgsql plsql
PowerShell|#012456|ps1 psm1 psd1||pwsh
Prolog|#74283c|pro prolog yap||swipl
Pug|#a86454|pug jade
Puppet|#302b6d|epp
PureScript|#1d222d|purs
Python|#3572a5|py pyw pyi gyp gypi wsgi|SConstruct SConscript wscript|python python2 python3 uv
QML|#44a51c|qml qbs
R|#198ce7|r rd rsx|.Rprofile|Rscript
Racket|#3c5caa|rkt rktd rktl||racket
Raku|#0000fb|raku rakumod p6 pm6||raku perl6
ReScript|#ed5051|res resi
Roff|#ecdebe|1 2 3 4 5 6 7 8 9 man mdoc roff
Ruby|#701516|rb rbw rake gemspec ru podspec jbuilder|Gemfile Rakefile Vagrantfile Podfile Fastfile Brewfile|ruby jruby
Rust|#dea584|rs
Sass|#a53b70|sass
Scala|#c22d40|scala sbt sc||scala
Scheme|#1e4aec|scm ss sls sld||guile scheme
SCSS|#c6538c|scss
Shell|#89e051|sh bash zsh ksh ebuild bats|.bashrc .profile .zshrc PKGBUILD configure gradlew|sh bash zsh ksh dash ash
Slim|#2b2b2b|slim
Smalltalk|#596706|st
Smarty|#f0c040|tpl
Solidity|#aa6746|sol
Starlark|#76d275|bzl star|BUILD WORKSPACE BUILD.bazel WORKSPACE.bazel MODULE.bazel BUCK Tiltfile
Stylus|#ff6347|styl
Svelte|#ff3e00|svelte
Swift|#f05138|swift||swift
SystemVerilog|#dae1c2|sv svh
Tcl|#e4cc98|tcl tm itk||tclsh wish
Terra|#00004c|terra
TeX|#3d6117|tex ltx sty cls bib bbx cbx dtx ins toc
Thrift|#d12127|thrift
Twig|#c1d026|twig
TypeScript|#3178c6|ts tsx mts cts||bun tsx ts-node
Typst|#239dad|typ
Vala|#a56de2|vala vapi
VBA|#867db1|bas frm
Verilog|#b2b7f8|v veo vh
VHDL|#adb2cb|vhd vhdl
Vim Script|#199f4b|vim|.vimrc vimrc
Visual Basic .NET|#945db7|vb vbs
Vue|#41b883|vue
WebAssembly|#04133b|wat wast
WGSL|#1a5e9a|wgsl
Wren|#383838|wren
XSLT|#eb8ceb|xslt xsl
Yacc|#4b6c4b|y yacc
Zig|#ec915c|zig zon
-AsciiDoc|#73a0c5|adoc asciidoc asc
-CSV|#237346|csv tsv
-Diff|#88dddd|diff patch
-GraphQL|#e10098|graphql gql
-INI|#d1dbe0|ini cfg properties conf editorconfig|.gitconfig .editorconfig
-JSON|#292929|json jsonl geojson webmanifest json5 jsonc
-Jupyter Notebook|#da5b0b|ipynb
-Markdown|#083fa1|md markdown mdx mkd
-Org|#77aa99|org
-Protocol Buffer|#8a9a5b|proto
-reStructuredText|#141414|rst rest
-SQL|#e38c00|sql ddl
-SVG|#ff9900|svg
-Text|#808080|txt|README LICENSE COPYING
-TOML|#9c4221|toml|Cargo.lock Pipfile
-XML|#0060ac|xml xsd plist csproj vcxproj props targets rss wsdl
-YAML|#cb171e|yml yaml|.clang-format
`;

interface Table {
  readonly languages: ReadonlyMap<string, Language>;
  readonly byExtension: ReadonlyMap<string, Language>;
  readonly byFileName: ReadonlyMap<string, Language>;
  readonly byInterpreter: ReadonlyMap<string, Language>;
}

function readTable(): Table {
  const languages = new Map<string, Language>();
  const byExtension = new Map<string, Language>();
  const byFileName = new Map<string, Language>();
  const byInterpreter = new Map<string, Language>();
  const enter = (map: Map<string, Language>, keys: string | undefined, language: Language) => {
    for (const key of (keys ?? "").split(" ")) if (key !== "" && !map.has(key)) map.set(key, language);
  };
  for (const row of ROWS.trim().split("\n")) {
    const [title, colour, extensions, fileNames, interpreters] = row.split("|");
    const counted = !title!.startsWith("-");
    const language = { name: counted ? title! : title!.slice(1), colour: colour!, counted };
    languages.set(language.name.toLowerCase(), language);
    enter(byExtension, extensions, language);
    enter(byFileName, fileNames, language);
    enter(byInterpreter, interpreters, language);
  }
  return { languages, byExtension, byFileName, byInterpreter };
}

const TABLE = readTable();

/** Finds a language by name, case-insensitively; spaces may be written as dashes, as in `.gitattributes`. */
export function languageNamed(name: string): Language | undefined {
  const key = name.toLowerCase();
  return TABLE.languages.get(key) ?? TABLE.languages.get(key.replaceAll("-", " "));
}

/** Dialects that are counted as the language they belong to. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ["Fish", "Shell"],
  ["Less", "CSS"],
  ["Sass", "CSS"],
  ["SCSS", "CSS"],
  ["Stylus", "CSS"],
]);

/** The name under which the bytes of a language are counted. */
export function groupOf({ name }: Language): string {
  return GROUPS.get(name) ?? name;
}

/** The language indicated by a file's name; undefined if none. */
export function languageOfFile(fileName: string): Language | undefined {
  const named = TABLE.byFileName.get(fileName);
  if (named) return named;
  // The longest extension decides: `x.blade.php` may be known as `blade.php`, otherwise it is `php`.
  for (let dot = fileName.indexOf("."); dot >= 0; dot = fileName.indexOf(".", dot + 1)) {
    const found = TABLE.byExtension.get(fileName.slice(dot + 1).toLowerCase());
    if (found) return found;
  }
  return undefined;
}

/** The kernel reads at most 256 bytes of a first line. */
const MAX_SHEBANG = 1024;

/** The language of a script according to its first line (`#!/usr/bin/env python3`). */
export function languageOfScript(firstLine: string): Language | undefined {
  const words = /^#!\s*(\S+)(.*)$/.exec(firstLine.slice(0, MAX_SHEBANG));
  if (!words) return undefined;
  let program = words[1]!.split("/").at(-1)!;
  if (program === "env")
    program =
      words[2]!
        .trim()
        .split(/\s+/)
        .find((word) => !/^-|=/.test(word)) ?? "";
  return TABLE.byInterpreter.get(program) ?? TABLE.byInterpreter.get(trimEndOf(program, "0123456789."));
}
