import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal, type Terminal } from "./command.ts";
import { linesOf } from "./input.ts";
import type { RefTransaction } from "./ref-transaction.ts";

/** Values that a command takes after the ref: `?` may be left out. */
const VALUES: Readonly<Record<string, readonly ("new" | "old" | "old?")[]>> = {
  update: ["new", "old?"],
  create: ["new"],
  delete: ["old?"],
  verify: ["old?"],
};

/** One line of a script, taken apart. */
interface Line {
  readonly command: string;
  readonly ref: string;
  /** As typed; undefined where left out. */
  readonly values: readonly (string | undefined)[];
}

/**
 * Carries out what `update-ref --stdin` reads: `update|create|delete|verify <ref> …`, `option no-deref`, and
 * `start|prepare|commit|abort` around several. Without those all of it is one transaction.
 * @throws Fatal with git's words; nothing has changed then
 */
export async function runRefScript(
  transaction: RefTransaction,
  repository: RepositoryFolder,
  terminal: Terminal,
  isNul: boolean,
): Promise<number> {
  let state: "open" | "started" | "prepared" | "closed" = "open";
  const fields = linesOf(terminal.stdin(), isNul ? 0 : 0x0a)[Symbol.asyncIterator]();
  for (let next = await fields.next(); !next.done; next = await fields.next()) {
    const text = next.value;
    const word = text.split(" ", 1)[0] ?? "";
    if (word === "start" || word === "prepare" || word === "commit" || word === "abort") {
      if (text !== word) throw new Fatal(`${word}: extra input: ${text.slice(word.length)}`);
      if (state === "closed" && word !== "start") throw new Fatal("transaction is closed");
      if (state === "prepared" && word !== "commit" && word !== "abort")
        throw new Fatal("prepared transactions can only be closed");
      if (state === "started" && word === "start") throw new Fatal("cannot restart ongoing transaction");
      if (word === "prepare") refuse(transaction.refusal());
      if (word === "commit") refuse(transaction.commit());
      if (word === "abort") transaction.clear();
      terminal.out(`${word}: ok\n`);
      state = word === "start" ? "started" : word === "prepare" ? "prepared" : "closed";
      continue;
    }
    if (state === "prepared") throw new Fatal("prepared transactions can only be closed");
    if (state === "closed") throw new Fatal("transaction is closed");
    if (word === "option") {
      if (text !== "option no-deref") throw new Fatal(`option unknown: ${text.slice(word.length + 1)}`);
      transaction.withoutDeref();
      continue;
    }
    const kinds = Object.hasOwn(VALUES, word) ? VALUES[word] : undefined;
    if (!kinds) throw new Fatal(`unknown command: ${text}${isNul ? "" : "\n"}`);
    const rest: (string | undefined)[] = [];
    if (isNul) for (const _ of kinds) rest.push((await fields.next()).value);
    addLine(transaction, repository, isNul ? lineWithNul(text, word, rest) : lineWithSpaces(text, word, kinds.length));
  }
  if (state === "open") refuse(transaction.commit());
  return 0;
}

function refuse(refusal: string | undefined): void {
  if (refusal !== undefined) throw new Fatal(refusal);
}

function lineWithSpaces(text: string, command: string, most: number): Line {
  const [ref = "", ...values] = text.slice(command.length + 1).split(" ");
  if (ref === "") throw new Fatal(`${command}: missing <ref>`);
  if (values.length > most) {
    const extra = values.slice(most).join(" ");
    throw new Fatal(`${command} ${ref}: extra input:  ${extra}\n`);
  }
  return { command, ref, values };
}

function lineWithNul(text: string, command: string, values: readonly (string | undefined)[]): Line {
  const ref = text.slice(command.length + 1);
  if (ref === "") throw new Fatal(`${command}: missing <ref>`);
  return { command, ref, values: values.map((value) => (value === "" ? undefined : value)) };
}

function addLine(transaction: RefTransaction, repository: RepositoryFolder, { command, ref, values }: Line): void {
  const where = `${command} ${ref}`;
  const value = (text: string, what: string): Oid | null => {
    if (text === "" || text === repository.store.format.zeroOid) return null;
    const oid = repository.find(text);
    if (oid === undefined) throw new Fatal(`${where}: invalid <${what}>: ${text}`);
    return oid;
  };
  const [first, second] = values;
  const old = (text: string | undefined) => (text === undefined ? undefined : value(text, "oldvalue"));
  if (command === "update" || command === "create") {
    if (first === undefined) throw new Fatal(`${where}: missing <newvalue>`);
    const newOid = value(first, "newvalue");
    if (command === "create" && newOid === null) throw new Fatal(`${where}: zero <newvalue>`);
    transaction.add({ name: ref, newOid, oldOid: command === "create" ? null : old(second) });
  } else if (command === "delete") {
    const oldOid = old(first);
    if (oldOid === null) throw new Fatal(`${where}: zero <oldvalue>`);
    transaction.add({ name: ref, newOid: null, oldOid });
  } else {
    // Without a value the ref must not be there.
    transaction.add({ name: ref, newOid: null, oldOid: old(first) ?? null, isCheck: true });
  }
}
