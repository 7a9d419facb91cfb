import type { LanguageRules } from "./function-lines.ts";

/**
 * The languages git knows by name (gitattributes(5), "Defining a custom hunk-header"). The rules are our own, found by
 * asking git 2.39 about lines. Lines have one character a byte, so only letters of ASCII are letters; `s` makes a dot
 * stand for a carriage return, too.
 *
 * Lines are hostile: every pattern is anchored, or begins with a sign it cannot pass over, and no two repetitions that
 * follow each other take the same character, so that time grows with the length of a line only. Words that may come in
 * any number are taken as a run of letters and blanks: the engine keeps what it needs to go back into repeated groups.
 */
export const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  /** Heads of subprograms, packages, tasks and protected units; not those that only name another one. */
  ada: {
    never: /(?:^|[ \t])(?:is[ \t]+(?:new|separate)|renames)(?:[ \t]|$)/i,
    takes: [/^[ \t]*(?<shown>(?:procedure|function|package|protected|task)[ \t].*)/is],
  },

  /** `name()` alone is shown; after the word `function` what opens the body is asked for and shown, too. */
  bash: {
    takes: [
      /^[ \t]*(?<shown>function[ \t]+[A-Za-z_]\w*(?:[ \t]*\([ \t]*\)[ \t]*|[ \t]+)(?:\{|\(\(?|\[\[))/,
      /^[ \t]*(?<shown>[A-Za-z_]\w*[ \t]*\([ \t]*\))/,
    ],
  },

  /** `@kind{key`, up to what cannot be in a key. */
  bibtex: { takes: [/@[A-Za-z]+[ \t]*\{?[ \t]*[^ \t"@',\\#}{~%]*/] },

  /** Anything that begins with a name in the first column, but labels and `public:`. */
  cpp: {
    never: /^[ \t]*[A-Za-z_]\w*:[ \t\v\f\r]*(?:$|\/[/*])/,
    takes: [/^(?:::[ \t\v\f\r]*)?[A-Za-z_].*/s],
  },

  /** Methods, properties without a body on their line, types and namespaces; no one writes more modifiers than that. */
  csharp: {
    never: /^[ \t]*(?:do|while|for|if|else|instanceof|new|return|switch|case|throw|catch|using)/,
    takes: [
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|virtual|sealed|override|unsafe|async)[ \t]+){0,30}[\][<>@.~\w]+[ \t]+[<>@.\w]+[ \t]*\(.*\))[ \t]*$/s,
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|virtual|sealed|override|unsafe)[ \t]+){0,30}[\][<>@.~\w]+[ \t]+[@.\w]+)[ \t]*$/,
      /^[ \t]*(?<shown>(?:(?:static|public|internal|private|protected|new|unsafe|sealed|abstract|partial)[ \t]+){0,30}(?:class|enum|interface|struct|record)[ \t].*)/s,
      /^[ \t]*(?<shown>namespace[ \t].*)/s,
    ],
  },

  /** Selectors and `@` rules in the first column; a line that ends with a colon or semicolon is a property's. */
  css: { never: /[:;][ \t\v\f\r]*$/, takes: [/^[:[@.#]?\w.*/s] },

  /** Nodes, by name, label or path; what holds a value or ends at a semicolon is a property. */
  dts: { never: /[;=]/, takes: [/^[ \t]*(?<shown>(?:\/[ \t]*\{|&?[A-Za-z_]).*)/s] },

  /** Definitions, and tests. */
  elixir: { takes: [/^[ \t]*(?<shown>(?:def(?:macro|module|impl|protocol|p)?|test)[ \t].*)/s] },

  /** Program units, their ends included; comments begin with a `C` or `*` in the first column, or `!`. */
  fortran: {
    never: /^(?:[c*]|[ \t]*(?:!|module[ \t]+procedure[ \t]))/i,
    takes: [
      /^[ \t]*(?<shown>(?:end[ \t]+)?(?:program|module|block[ \t]+data)[ \t]+[a-z].*)/is,
      /^[ \t]*(?<shown>(?:[^!'" \t][^!'"]*[ \t])?(?:subroutine|function)[ \t]+[a-z].*)/is,
    ],
  },

  /** Headings of scenes: inside, outside, establishing, or forced by a point. */
  fountain: { takes: [/^(?:\.[^.]|(?:int|ext|est|int\.?\/ext|i\/e)[. ]).*/is] },

  /** Functions and methods, and types that are structs or interfaces, up to their brace. */
  golang: {
    takes: [/^[ \t]*(?<shown>func.*)/s, /^[ \t]*(?<shown>type[ \t].*(?:struct|interface)[ \t]*(?:\{[ \t]*)?)/s],
  },

  /** Headings from `h1` to `h6`. */
  html: { takes: [/^[ \t]*(?<shown><h[1-6](?:[ \t].*)?>.*)/is] },

  /** Types with something behind their name, and methods; a statement has a semicolon or begins with a keyword. */
  java: {
    never: /^[ \t]*(?:catch|do|for|if|instanceof|new|return|switch|throw|while)/,
    takes: [
      /^[ \t]*(?<shown>(?:[a-z][a-z \t]*[ \t])?(?:class|enum|interface)[ \t]+[A-Za-z][\w$]*[ \t]+.*)/s,
      /^(?![^(]*[ \t][\][?.,0-9])[ \t]*(?<shown>[A-Za-z_<>&][\][?&<>.,\w \t]*[ \t][A-Za-z_]\w*[ \t]*\([^;]*)$/,
    ],
  },

  /** Functions, classes and interfaces behind any modifiers. */
  kotlin: { takes: [/^[ \t]*(?<shown>(?:[a-z][a-z \t]*[ \t])?(?:fun|class|interface)[ \t].*)/s] },

  /** Headings with number signs, shown with what they are indented by. */
  markdown: { takes: [/^ {0,3}#{1,6}[ \t].*/s] },

  /** Functions and classes, and sections of scripts in the first column, in Octave's form, too. */
  matlab: { takes: [/^[ \t\v\f\r]*(?<shown>(?:classdef|function)[ \t\v\f\r].*)/s, /^(?:%%%?|##)[ \t\v\f\r].*/s] },

  /** Methods, C functions in the first column, and where a class, interface or protocol begins. */
  objc: {
    never: /^[ \t]*(?:do|for|if|else|return|switch|while)/,
    takes: [
      /^[ \t]*(?<shown>[-+][ \t]*\([ \t]*[A-Za-z_][\w* \t]*\)[ \t]*[A-Za-z_].*)/s,
      /^(?![^(]*[ \t][0-9])[ \t]*(?<shown>[A-Za-z_][\w \t]*[ \t][A-Za-z_]\w*[ \t]*\([^;]*)$/,
      /^@(?:implementation|interface|protocol)[ \t].*/s,
    ],
  },

  /** Routines and the parts of a unit in the first column, classes and records anywhere. */
  pascal: {
    takes: [
      /^(?:(?:class[ \t]+)?(?:procedure|function)|constructor|destructor|interface|implementation|initialization|finalization).*/s,
      /^.*=[ \t]*(?:class|record).*/s,
    ],
  },

  /** Packages, subs, special blocks and headings of the manual, in the first column. */
  perl: {
    takes: [
      /^package .*/s,
      // The name is taken whole (a group looked ahead for is not given back from), then in the other rule up to a colon.
      /^sub (?=(?<name>[\w':]+))\k<name>[ \t]*(?<shown>\([^)]*\)[ \t]*)?(?::[^;#]*)?(?:\{[ \t]*)?(?:#.*)?$/s,
      /^sub [\w':][\w']*:[^;#]*(?:#.*)?$/s,
      /^(?<shown>BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*(?:\{[ \t]*)?(?:#.*)?$/s,
      /^=head[0-9] .*/s,
    ],
  },

  /** Functions and types behind their modifiers; what begins like such a word is taken for it. */
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

  /** Items with a visibility and at most one qualifier; none that ends on its line. */
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
