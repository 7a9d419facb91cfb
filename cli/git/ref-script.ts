import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { isRefName } from "../../src/git/refs/names.ts";
import { RefRefused, type RefTransaction } from "../../src/git/refs/transaction.ts";
import { Fatal, type Terminal } from "./command.ts";
import { recordsOf } from "./input.ts";
import { unquoteStart } from "./quoted.ts";

/** How many values may follow the ref. */
const CHANGES: Readonly<Record<string, number>> = { update: 2, create: 1, delete: 1, verify: 1 };

type State = "open" | "started" | "prepared" | "closed";
const AFTER: Readonly<Record<string, State>> = {
  start: "started",
  prepare: "prepared",
  commit: "closed",
  abort: "closed",
};

/**
 * Carries out what `update-ref --stdin` reads: `update|create|delete|verify <ref> …`, `option no-deref`, and
 * `start|prepare|commit|abort` around several. Without those all of it is one transaction.
 * @throws Fatal with git's words; what was committed before stays
 */
export async function runRefScript(
  transaction: RefTransaction,
  repository: RepositoryFolder,
  terminal: Terminal,
  options: { readonly isNul: boolean; readonly noDeref: boolean },
): Promise<void> {
  const records = recordsOf(terminal.stdin(), options.isNul ? 0 : 0x0a)[Symbol.asyncIterator]();
  let state: State = "open";
  let noDeref = options.noDeref;
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { text, isEnded } = next.value;
      const end = isEnded ? (options.isNul ? "" : "\n") : "";
      if (text === "" && isEnded) throw new Fatal("empty command in input");
      if (/^\s/.test(text)) throw new Fatal(`whitespace before command: ${text}${end}`);
      const after = Object.hasOwn(AFTER, text) && (isEnded || options.isNul) ? AFTER[text]! : undefined;
      const command = /^(update|create|delete|verify|option) /.exec(text)?.[1];
      if (after === undefined && command === undefined) throw new Fatal(`unknown command: ${text}${end}`);
      if (state === "prepared" && after !== "closed") throw new Fatal("prepared transactions can only be closed");
      if (state === "closed" && after !== "started") throw new Fatal("transaction is closed");
      if (state === "started" && after === "started") throw new Fatal("cannot restart ongoing transaction");
      if (after !== undefined) {
        close(transaction, text);
        state = after;
        terminal.out(`${text}: ok\n`);
        terminal.flush();
      } else if (command === "option") {
        if (text !== "option no-deref" || !isEnded) throw new Fatal(`option unknown: ${text.slice(7)}${end}`);
        noDeref = true;
      } else if (command !== undefined) {
        const line = options.isNul
          ? new NulArguments(text.slice(command.length + 1), await following(records, CHANGES[command]!))
          : new LineArguments(command, text.slice(command.length) + end);
        addChange(transaction, repository, terminal, { command, line, noDeref });
        noDeref = options.noDeref;
      }
    }
    if (state === "open") transaction.commit();
  } finally {
    transaction.abort();
  }
}

function close(transaction: RefTransaction, word: string): void {
  try {
    if (word === "prepare") transaction.prepare();
    if (word === "commit") transaction.commit();
    if (word === "abort") transaction.abort();
  } catch (error) {
    if (error instanceof RefRefused) throw new Fatal(`${word}: ${error.message}`);
    throw error;
  }
}

async function following(records: AsyncIterator<{ readonly text: string }>, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < count; at++) {
    const next = await records.next();
    if (next.done) break;
    found.push(next.value.text);
  }
  return found;
}

/** What follows a command. Values are undefined when they are left out, and empty for the id of zeros. */
interface Arguments {
  ref(): string;
  value(what: "newvalue" | "oldvalue", where: string): string | undefined;
  /** What is left and should not be, with the line's end; undefined when nothing is. */
  extra(): string | undefined;
}

/** Words with a space before each, in quotes where they have spaces themselves; a line end follows the last. */
class LineArguments implements Arguments {
  /** What was read before, for messages: the command and the ref. */
  private where: string;

  constructor(
    command: string,
    private left: string,
  ) {
    this.where = command;
  }

  ref(): string {
    const name = this.word() ?? "";
    this.where += ` ${name}`;
    return name;
  }

  value(): string | undefined {
    return this.word();
  }

  extra(): string | undefined {
    return this.left === "\n" ? undefined : this.left;
  }

  private word(): string | undefined {
    if (this.left === "" || this.left === "\n") return undefined;
    if (!this.left.startsWith(" ")) throw new Fatal(`${this.where}: expected SP but got: ${this.left}`);
    this.left = this.left.slice(1);
    if (this.left.startsWith('"')) {
      const found = unquoteStart(this.left);
      if (!found) throw new Fatal(`badly quoted argument: ${this.left}`);
      if (!/^(?:\s|$)/.test(found.rest)) throw new Fatal(`unexpected character after quoted argument: ${this.left}`);
      this.left = found.rest;
      return found.text;
    }
    const word = /^[^\s]*/.exec(this.left)?.[0] ?? "";
    this.left = this.left.slice(word.length);
    return word;
  }
}

class NulArguments implements Arguments {
  constructor(
    private readonly name: string,
    private readonly values: string[],
  ) {}

  ref(): string {
    return this.name;
  }

  value(what: "newvalue" | "oldvalue", where: string): string | undefined {
    const value = this.values.shift();
    if (value === undefined) throw new Fatal(`${where}: unexpected end of input when reading <${what}>`);
    return value === "" && what === "oldvalue" ? undefined : value;
  }

  extra(): undefined {
    return undefined;
  }
}

function addChange(
  transaction: RefTransaction,
  repository: RepositoryFolder,
  terminal: Terminal,
  { command, line, noDeref }: { readonly command: string; readonly line: Arguments; readonly noDeref: boolean },
): void {
  const name = line.ref();
  if (name === "") throw new Fatal(`${command}: missing <ref>`);
  if (!isRefName(name, { allowOneLevel: true })) throw new Fatal(`invalid ref format: ${name}`);
  const where = `${command} ${name}`;
  const value = (what: "newvalue" | "oldvalue"): Oid | null | undefined => {
    const text = line.value(what, where);
    if (text === undefined) return undefined;
    if (text === "" && what === "newvalue" && command === "update" && line instanceof NulArguments)
      terminal.err(`warning: ${where}: missing <newvalue>, treating as zero`);
    if (text === "" || text === repository.store.format.zeroOid) return null;
    const oid = repository.find(text);
    if (oid === undefined) throw new Fatal(`${where}: invalid <${what}>: ${text}`);
    return oid;
  };
  let newOid: Oid | null | undefined;
  let oldOid: Oid | null | undefined;
  if (command === "update" || command === "create") {
    newOid = value("newvalue");
    if (newOid === undefined) throw new Fatal(`${where}: missing <newvalue>`);
    if (command === "create" && newOid === null) throw new Fatal(`${where}: zero <newvalue>`);
    oldOid = command === "create" ? null : value("oldvalue");
  } else {
    oldOid = value("oldvalue");
    if (command === "delete" && oldOid === null) throw new Fatal(`${where}: zero <oldvalue>`);
    if (command === "delete") newOid = null;
    // Without a value the ref must not be there.
    else oldOid ??= null;
  }
  const extra = line.extra();
  if (extra !== undefined) throw new Fatal(`${where}: extra input: ${extra}`);
  transaction.add({ name, newOid, oldOid, noDeref });
}
