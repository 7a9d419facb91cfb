import type { LanguageRules } from "./function-lines.ts";

/**
 * git's built-in languages (gitattributes(5), "Defining a custom hunk-header"). The rules are our own, derived by
 * testing lines against git 2.39. Lines have one character per byte, so only ASCII letters count as letters; the `s`
 * flag makes a dot match a carriage return, too.
 *
 * Lines may be hostile: every pattern is anchored or begins with a character it cannot skip, and no two adjacent
 * repetitions match the same character, so that time grows only linearly with a line's length. Any number of words is
 * matched as one run of letters and blanks, as the engine stores backtracking state for repeated groups.
 */
export const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  /** Heads of subprograms, packages, tasks and protected units, except instantiations, stubs and renamings. */
  ada: {
    never: /(?:^|[ \t])(?:is[ \t]+(?:new|separate)|renames)(?:[ \t]|$)/i,
    takes: [/^[ \t]*(?<shown>(?:procedure|function|package|protected|task)[ \t].*)/is],
  },

  /** `name()` alone is shown; after the keyword `function`, the opening of the body is required and shown as well. */
  bash: {
    takes: [
      /^[ \t]*(?<shown>function[ \t]+[A-Za-z_]\w*(?:[ \t]*\([ \t]*\)[ \t]*|[ \t]+)(?:\{|\(\(?|\[\[))/,
      /^[ \t]*(?<shown>[A-Za-z_]\w*[ \t]*\([ \t]*\))/,
    ],
  },

  /** `@kind{key`, up to a character that is not allowed in a key. */
  bibtex: { takes: [/@[A-Za-z]+[ \t]*\{?[ \t]*[^ \t"@',\\#}{~%]*/] },

  /** Anything that begins with a name in the first column, except labels and `public:`. */
  cpp: {
    never: /^[ \t]*[A-Za-z_]\w*:[ \t\v\f\r]*(?:$|\/[/*])/,
    takes: [/^(?:::[ \t\v\f\r]*)?[A-Za-z_].*/s],
  },

  /** Methods, properties without a body on their line, types and namespaces; 30 modifiers are enough for anyone. */
  csharp: {
    never: /^[ \t]*(?:do|while|for|if|else|instanceof|new|return|switch|case|throw|catch|using)/,
    takes: [
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|virtual|sealed|override|unsafe|async)[ \t]+){0,30}[\][<>@.~\w]+[ \t]+[<>@.\w]+[ \t]*\(.*\))[ \t]*$/s,
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|virtual|sealed|override|unsafe)[ \t]+){0,30}[\][<>@.~\w]+[ \t]+[@.\w]+)[ \t]*$/,
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|unsafe|sealed|abstract|partial)[ \t]+){0,30}(?:class|enum|interface|struct|record)[ \t].*)/s,
      /^[ \t]*(?<shown>namespace[ \t].*)/s,
    ],
  },

  /** Selectors and `@` rules in the first column; a line ending in a colon or semicolon is not one. */
  css: { never: /[:;][ \t\v\f\r]*$/, takes: [/^[:[@.#]?\w.*/s] },

  /** Nodes, by name, label or path; a line with a value or a semicolon is a property. */
  dts: { never: /[;=]/, takes: [/^[ \t]*(?<shown>(?:\/[ \t]*\{|&?[A-Za-z_]).*)/s] },

  /** Definitions and tests. */
  elixir: { takes: [/^[ \t]*(?<shown>(?:def(?:macro|module|impl|protocol|p)?|test)[ \t].*)/s] },

  /** Program units, including their ends; a `C` or `*` in the first column, or `!`, begins a comment. */
  fortran: {
    never: /^(?:[c*]|[ \t]*(?:!|module[ \t]+procedure[ \t]))/i,
    takes: [
      /^[ \t]*(?<shown>(?:end[ \t]+)?(?:program|module|block[ \t]+data)[ \t]+[a-z].*)/is,
      /^[ \t]*(?<shown>(?:[^!'" \t][^!'"]*[ \t])?(?:subroutine|function)[ \t]+[a-z].*)/is,
    ],
  },

  /** Scene headings: interior, exterior, establishing, or forced with a period. */
  fountain: { takes: [/^(?:\.[^.]|(?:int|ext|est|int\.?\/ext|i\/e)[. ]).*/is] },

  /** Functions, methods, and struct and interface types, up to the brace. */
  golang: {
    takes: [/^[ \t]*(?<shown>func.*)/s, /^[ \t]*(?<shown>type[ \t].*(?:struct|interface)[ \t]*(?:\{[ \t]*)?)/s],
  },

  /** Headings from `h1` to `h6`. */
  html: { takes: [/^[ \t]*(?<shown><h[1-6](?:[ \t].*)?>.*)/is] },

  /** Types with something after their name, and methods; statements contain a semicolon or begin with a keyword. */
  java: {
    never: /^[ \t]*(?:catch|do|for|if|instanceof|new|return|switch|throw|while)/,
    takes: [
      /^[ \t]*(?<shown>(?:[a-z][a-z \t]*[ \t])?(?:class|enum|interface)[ \t]+[A-Za-z][\w$]*[ \t]+.*)/s,
      /^(?![^(]*[ \t][\][?.,0-9])[ \t]*(?<shown>[A-Za-z_<>&][\][?&<>.,\w \t]*[ \t][A-Za-z_]\w*[ \t]*\([^;]*)$/,
    ],
  },

  /** Functions, classes and interfaces after any modifiers. */
  kotlin: { takes: [/^[ \t]*(?<shown>(?:[a-z][a-z \t]*[ \t])?(?:fun|class|interface)[ \t].*)/s] },

  /** Headings with number signs, shown with their indentation. */
  markdown: { takes: [/^ {0,3}#{1,6}[ \t].*/s] },

  /** Functions, classes, and script sections in the first column, also in Octave's form. */
  matlab: { takes: [/^[ \t\v\f\r]*(?<shown>(?:classdef|function)[ \t\v\f\r].*)/s, /^(?:%%%?|##)[ \t\v\f\r].*/s] },

  /** Methods, C functions in the first column, and the start of a class, interface or protocol. */
  objc: {
    never: /^[ \t]*(?:do|for|if|else|return|switch|while)/,
    takes: [
      /^[ \t]*(?<shown>[-+][ \t]*\([ \t]*[A-Za-z_][\w* \t]*\)[ \t]*[A-Za-z_].*)/s,
      /^(?![^(]*[ \t][0-9])[ \t]*(?<shown>[A-Za-z_][\w \t]*[ \t][A-Za-z_]\w*[ \t]*\([^;]*)$/,
      /^@(?:implementation|interface|protocol)[ \t].*/s,
    ],
  },

  /** Routines and the sections of a unit in the first column; classes and records anywhere. */
  pascal: {
    takes: [
      /^(?:(?:class[ \t]+)?(?:procedure|function)|constructor|destructor|interface|implementation|initialization|finalization).*/s,
      /^.*=[ \t]*(?:class|record).*/s,
    ],
  },

  /** Packages, subs, special blocks and POD headings, in the first column. */
  perl: {
    takes: [
      /^package .*/s,
      // The lookahead matches the whole name without backtracking; the other rule matches it up to a colon.
      /^sub (?=(?<name>[\w':]+))\k<name>[ \t]*(?<shown>\([^)]*\)[ \t]*)?(?::[^;#]*)?(?:\{[ \t]*)?(?:#.*)?$/s,
      /^sub [\w':][\w']*:[^;#]*(?:#.*)?$/s,
      /^(?<shown>BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*(?:\{[ \t]*)?(?:#.*)?$/s,
      /^=head[0-9] .*/s,
    ],
  },

  /** Functions and types after their modifiers; any word that begins with the keyword counts. */
  php: {
    takes: [
      /^[ \t]*(?<shown>(?:(?:public|protected|private|static|abstract|final)[ \t]+)*function.*)/s,
      /^[ \t]*(?<shown>(?:(?:(?:final|abstract)[ \t]+)?class|enum|interface|trait).*)/s,
    ],
  },

  /** Classes and functions. */
  python: { takes: [/^[ \t]*(?<shown>(?:class|(?:async[ \t]+)?def)[ \t].*)/s] },

  /** Classes, modules and methods. */
  ruby: { takes: [/^[ \t]*(?<shown>(?:class|module|def)[ \t].*)/s] },

  /** Items with a visibility and at most one qualifier, unless they end on the same line. */
  rust: {
    takes: [
      /^[ \t]*(?<shown>(?:pub(?:\([^)\\]+\))?[ \t]+)?(?:(?:async|const|unsafe|extern[ \t]+"[^"]+")[ \t]+)?(?:struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t][^;]*)$/,
    ],
  },

  /** Definitions of any kind, modules, libraries, structures and classes. */
  scheme: {
    takes: [
      /^[ \t]*(?<shown>\((?:(?:define|def(?:struct|syntax|class|method|rules|record|proto|alias)?)[-*/ \t]|(?:library|module|struct|class)[*+ \t]).*)/s,
    ],
  },

  /** Parts, chapters and sections in the first column. */
  tex: { takes: [/^\\(?:(?:sub)*section|chapter|part)\*?\{.*/s] },
};
