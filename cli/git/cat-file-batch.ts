import { GitError } from "../../src/git/errors.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { ObjectHeader, Oid } from "../../src/git/objects/types.ts";
import { RevisionRefused } from "../../src/git/revision-language.ts";
import { AmbiguousRevision } from "../../src/git/revisions.ts";
import { writeContent } from "./cat-file.ts";
import { Fatal, type Terminal } from "./command.ts";
import { linesOf } from "./input.ts";

const DEFAULT_FORMAT = "%(objectname) %(objecttype) %(objectsize)";

export interface BatchRequest {
  /** `batch`, `batch-check` or `batch-command`. */
  readonly kind: string;
  readonly format: string | undefined;
  /** All objects instead of named ones. */
  readonly all: "sorted" | "unordered" | undefined;
  /** Output is not flushed after each object. */
  readonly buffered: boolean;
  /** Names end with NUL. */
  readonly nul: boolean;
}

/** `cat-file --batch` and its variants (git-cat-file(1), "BATCH OUTPUT"). @throws Fatal */
export async function batch(repository: RepositoryFolder, terminal: Terminal, request: BatchRequest): Promise<void> {
  const work = new Batch(repository, terminal, request.format ?? DEFAULT_FORMAT);
  const withContent = request.kind === "batch";
  if (request.all !== undefined) {
    const oids = new Set(repository.store.allOids());
    for (const oid of request.all === "sorted" ? [...oids].sort() : oids) await work.show(oid, "", withContent);
    return;
  }
  const end = request.nul ? 0 : 0x0a;
  for await (const line of linesOf(terminal.stdin(), end)) {
    if (request.kind === "batch-command") await work.command(line, request.buffered);
    else await work.name(line, withContent);
    if (!request.buffered) terminal.flush();
  }
}

class Batch {
  private readonly fill: (oid: Oid, header: ObjectHeader, rest: string) => string;
  private readonly splitsRest: boolean;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
    format: string,
  ) {
    this.fill = compile(format, repository);
    this.splitsRest = format.includes("%(rest)");
  }

  /** `info <object>`, `contents <object>` or `flush`. @throws Fatal */
  async command(line: string, buffered: boolean): Promise<void> {
    if (line === "") throw new Fatal("empty command in input");
    if (/^\s/.test(line)) throw new Fatal(`whitespace before command: '${line}'`);
    const name = ["contents", "info", "flush"].find((known) => line.startsWith(known));
    if (name === undefined) throw new Fatal(`unknown command: '${line}'`);
    const rest = line.slice(name.length);
    if (name === "flush") {
      if (rest !== "") throw new Fatal("flush takes no arguments");
      if (!buffered) throw new Fatal("flush is only for --buffer mode");
      return this.terminal.flush();
    }
    if (!rest.startsWith(" ")) throw new Fatal(`${name} requires arguments`);
    await this.name(rest.slice(1), name === "contents");
  }

  async name(line: string, withContent: boolean): Promise<void> {
    const blank = this.splitsRest ? /[ \t]/.exec(line)?.index : undefined;
    const name = blank === undefined ? line : line.slice(0, blank);
    const rest = blank === undefined ? "" : line.slice(blank).replace(/^[ \t]+/, "");
    let oid: Oid | undefined;
    try {
      oid = this.repository.oidOf(name);
    } catch (error) {
      if (!(error instanceof GitError) || error instanceof RevisionRefused) throw error;
      return this.terminal.out(`${name} ${error instanceof AmbiguousRevision ? "ambiguous" : "missing"}\n`);
    }
    if (this.repository.has(oid)) await this.show(oid, rest, withContent);
    else this.terminal.out(`${name} missing\n`);
  }

  async show(oid: Oid, rest: string, withContent: boolean): Promise<void> {
    const { store } = this.repository;
    const header = store.header(oid);
    if (!header) return this.terminal.out(`${oid} missing\n`);
    this.terminal.out(`${this.fill(oid, header, rest)}\n`);
    if (!withContent) return;
    await writeContent(store, oid, header, this.terminal);
    this.terminal.out("\n");
  }
}

/** @throws Fatal for a placeholder git does not support here */
function compile(
  format: string,
  { store }: RepositoryFolder,
): (oid: Oid, header: ObjectHeader, rest: string) => string {
  type Field = (oid: Oid, header: ObjectHeader, rest: string) => string;
  const fields: Readonly<Record<string, Field>> = {
    objectname: (oid) => oid,
    objecttype: (_, { type }) => type,
    objectsize: (_, { sizeBytes }) => String(sizeBytes),
    "objectsize:disk": (oid) => String(store.stored(oid)?.diskBytes ?? 0),
    deltabase: (oid) => store.stored(oid)?.deltaBase ?? store.format.zeroOid,
    rest: (_, __, rest) => rest,
  };
  const parts = format.split(/(%\([^)]*\)?|%%)/).map((part): string | Field => {
    if (part === "%%") return "%";
    if (!part.startsWith("%(")) return part;
    if (!part.endsWith(")")) throw new Fatal(`format element '${part.slice(1)}' does not end in ')'`);
    const name = part.slice(2, -1);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new Fatal(`unknown format element: ${name}`);
    return field;
  });
  return (oid, header, rest) =>
    parts.map((part) => (typeof part === "string" ? part : part(oid, header, rest))).join("");
}
