import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { decodeName, encodeName } from "../../src/git/objects/names.ts";
import type { ObjectType, Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { colourSequence } from "../../src/git/pretty/colours.ts";
import { CommitText } from "../../src/git/pretty/commit-text.ts";
import { type DateStyle, DEFAULT_DATES, formatDate, parseDateStyle, systemClock } from "../../src/git/pretty/dates.ts";
import { splitIdent } from "../../src/git/pretty/ident.ts";
import { readTrailerOptions } from "../../src/git/pretty/options.ts";
import { fileName } from "../../src/git/pretty/placeholders.ts";
import { formatTrailers } from "../../src/git/pretty/trailers.ts";
import { shortenRefName } from "../../src/git/refs/shorten.ts";
import { checkedOutBranches } from "../../src/git/worktrees.ts";
import { Fatal } from "./command.ts";
import { followed } from "./ref-upstream.ts";

/** A ref as `for-each-ref` shows it. */
export interface ListedRef {
  readonly name: string;
  readonly oid: Oid;
  readonly symbolicTo?: string;
}

/** What an atom stands for: text, and a number where that is what decides the order. */
export interface AtomValue {
  readonly text: string;
  readonly number?: number;
}

export type Atom = (ref: ListedRef) => AtomValue;

const NOTHING: AtomValue = { text: "" };
const PERSON = /^(author|committer|tagger)(name|email|date)?$|^(creator)(date)?$/;
const NAME_OPTION = /^(?:(short)|(?:l?strip)=(-?\d+)|(rstrip)=(-?\d+))$/;
const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----/gm;

/** Makes the atoms of git-for-each-ref(1), "FIELD NAMES", for one repository. */
export class Atoms {
  private readonly abbreviators = new Map<number | "auto", Abbreviator>();
  private readonly clock = systemClock();
  private names: Set<string> | undefined;
  private readonly texts = new Map<Oid, ObjectText | undefined>();

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly showsColours = false,
  ) {}

  /** @param text what stands between the brackets of `%(…)` @throws Fatal a field git does not know */
  atom(text: string): Atom {
    const isTarget = text.startsWith("*");
    const colon = text.indexOf(":");
    const name = text.slice(isTarget ? 1 : 0, colon < 0 ? undefined : colon);
    const option = colon < 0 ? undefined : text.slice(colon + 1);
    const ofRef = isTarget && name !== "refname" ? undefined : this.ofRef(name, option);
    if (ofRef && isTarget) return (ref) => ({ text: `${ofRef(ref).text}^{}` });
    if (ofRef) return ofRef;
    if (text === "") throw new Fatal("malformed field name: ");
    const ofObject = this.ofObject(name, option, text);
    if (!ofObject) throw new Fatal(`unknown field name: ${text}`);
    return ({ oid }) => {
      const target = isTarget ? this.targetOf(oid) : oid;
      return target === undefined ? NOTHING : ofObject(target);
    };
  }

  private ofRef(name: string, option: string | undefined): Atom | undefined {
    const shaped = (full: string | undefined) =>
      full === undefined ? NOTHING : { text: this.refName(full, option, name) };
    switch (name) {
      case "refname":
        return (ref) => shaped(ref.name);
      case "symref":
        return ({ symbolicTo }) => shaped(symbolicTo);
      case "upstream":
      case "push":
        return followed(this.repository, name, option, (full) => this.refName(full, option, name));
      case "worktreepath": {
        const folders = checkedOutBranches(this.repository.commonDir);
        return (ref) => ({ text: folders.get(ref.name) ?? "" });
      }
      case "color": {
        if (option === undefined) throw new Fatal("expected format: %(color:<color>)");
        const sequence = colourSequence(option);
        if (sequence === undefined)
          throw new Fatal(`unrecognized color: %(color:${option})`, 128, `error: invalid color value: ${option}`);
        return () => (this.showsColours ? { text: sequence } : NOTHING);
      }
      case "flag":
        return ({ symbolicTo }) => ({ text: symbolicTo === undefined ? "" : "symref" });
      case "HEAD": {
        const head = this.headRef();
        return (ref) => ({ text: ref.name === head ? "*" : " " });
      }
      default:
        return undefined;
    }
  }

  private headRef(): string | undefined {
    try {
      return this.repository.refs.head();
    } catch {
      return undefined;
    }
  }

  private refName(full: string, option: string | undefined, field: string): string {
    if (option === undefined) return full;
    const match = NAME_OPTION.exec(option);
    if (!match) throw new Fatal(`unrecognized %(${field}:${option}) argument: ${option}`);
    if (match[1]) return shortenRefName(full, (other) => this.exists(other));
    const parts = full.split("/");
    const count = Number(match[2] ?? match[4]);
    const drop = count >= 0 ? count : Math.max(0, parts.length + count);
    if (drop >= parts.length) return "";
    return (match[3] ? parts.slice(0, parts.length - drop) : parts.slice(drop)).join("/");
  }

  private exists(full: string): boolean {
    if (!full.startsWith("refs/")) return existsSync(join(this.repository.gitDir, full));
    this.names ??= new Set(this.repository.allRefs().map(({ name }) => name));
    return this.names.has(full);
  }

  private ofObject(name: string, option: string | undefined, whole: string): ((oid: Oid) => AtomValue) | undefined {
    const { store } = this.repository;
    const person = PERSON.exec(name);
    if (person) return this.person((person[1] ?? person[3])!, person[2] ?? person[4], option, whole);
    switch (name) {
      case "objectname": {
        const shape = this.idShape(name, option);
        return (oid) => ({ text: shape(oid) });
      }
      case "objecttype":
        return (oid) => ({ text: store.header(oid)?.type ?? "" });
      case "objectsize":
        if (option === "disk") return (oid) => numbered(store.stored(oid)?.diskBytes ?? 0);
        if (option !== undefined) return undefined;
        return (oid) => numbered(store.header(oid)?.sizeBytes ?? 0);
      case "deltabase":
        return (oid) => ({ text: store.stored(oid)?.deltaBase ?? store.format.zeroOid });
      case "tree": {
        const shape = this.idShape(name, option);
        return (oid) => this.text(oid, ({ commit }) => (commit ? shape(commit.tree) : ""));
      }
      case "parent": {
        const shape = this.idShape(name, option);
        return (oid) => this.text(oid, ({ commit }) => commit?.parents.map(shape).join(" ") ?? "");
      }
      case "numparent":
        return (oid) => {
          const commit = this.read(oid)?.commit;
          return commit ? numbered(commit.parents.length) : NOTHING;
        };
      case "object":
      case "type":
      case "tag":
        return (oid) => this.text(oid, ({ type, header }) => (type === "tag" ? (header(name) ?? "") : ""));
      case "raw":
        if (option === "size") return (oid) => ({ text: String(store.header(oid)?.sizeBytes ?? 0) });
        return option === undefined
          ? (oid) => ({ text: decodeName(store.read(oid)?.data ?? new Uint8Array(0)) })
          : undefined;
      case "subject":
        return this.contents(option === undefined ? "subject" : option === "sanitize" ? "sanitized" : undefined, whole);
      case "body":
        return this.contents(option === undefined ? "whole body" : undefined, whole);
      case "trailers":
        return this.contents(`trailers${option === undefined ? "" : `:${option}`}`, whole);
      case "contents":
        return this.contents(option ?? "", whole);
      default:
        return undefined;
    }
  }

  private idShape(field: string, option: string | undefined): (oid: Oid) => string {
    if (option === undefined) return (oid) => oid;
    const digits = /^short(?:=(.*))?$/.exec(option);
    if (digits?.[1] !== undefined && !/^0*[1-9]\d*$/.test(digits[1]))
      throw new Fatal(`positive value expected '${digits[1]}' in %(${field}:${option})`);
    if (!digits) throw new Fatal(`unrecognized %(${field}) argument: ${option}`);
    const length = digits[1] === undefined ? "auto" : Number(digits[1]);
    let abbreviator = this.abbreviators.get(length);
    if (!abbreviator) {
      abbreviator = new Abbreviator(this.repository.store, length);
      this.abbreviators.set(length, abbreviator);
    }
    const found = abbreviator;
    return (oid) => found.abbreviate(oid);
  }

  private person(who: string, part: string | undefined, option: string | undefined, whole: string) {
    let dates: DateStyle = DEFAULT_DATES;
    if (part === "date" && option !== undefined) dates = parseDateStyle(option);
    else if (part === "email" && option !== undefined) {
      if (option !== "trim" && option !== "localpart") throw new Fatal(`unrecognized email option: ${option}`);
    } else if (option !== undefined) throw new Fatal(`unknown field name: ${whole}`);
    return (oid: Oid): AtomValue => {
      const text = this.read(oid);
      if (!text) return NOTHING;
      const keyword = who === "creator" ? (text.type === "tag" ? "tagger" : "committer") : who;
      const line = text.header(keyword);
      if (line === undefined) return NOTHING;
      if (part === undefined) return { text: line };
      if (part === "name") return { text: line.includes(" <") ? line.slice(0, line.indexOf(" <")) : "" };
      if (part === "date") return this.date(line, dates);
      const open = line.indexOf("<");
      const close = open < 0 ? -1 : line.indexOf(">", open);
      if (close < 0) return NOTHING;
      const email = line.slice(open + 1, close);
      if (option === undefined) return { text: `<${email}>` };
      return { text: option === "trim" || !email.includes("@") ? email : email.slice(0, email.indexOf("@")) };
    };
  }

  private date(line: string, style: DateStyle): AtomValue {
    const ident = splitIdent(line);
    if (ident?.date === undefined) return NOTHING;
    const seconds = Number(ident.date);
    return { text: formatDate(seconds, ident.zone ?? 0, style, this.clock), number: seconds };
  }

  private contents(part: string | undefined, whole: string): (oid: Oid) => AtomValue {
    const lines = /^lines=(\d+)$/.exec(part ?? "")?.[1];
    const trailers = /^trailers(?::(.*))?$/.exec(part ?? "");
    const trailerOptions = trailers ? readTrailerOptions(trailers[1] ?? "") : undefined;
    if (trailers && !trailerOptions) throw new Fatal(`unknown %(trailers) argument: ${trailers[1]}`);
    const known = ["", "subject", "sanitized", "whole body", "body", "signature", "size"];
    if (part === undefined || !(known.includes(part) || lines !== undefined || trailers))
      throw new Fatal(
        `unrecognized %(${whole.replace(/^\*|:.*$/gs, "")}) argument: ${whole.slice(whole.indexOf(":") + 1)}`,
      );
    return (oid) => {
      const message = this.read(oid)?.message;
      if (message === undefined) return NOTHING;
      if (trailerOptions) return { text: formatTrailers(message, trailerOptions) };
      const { subject, body, signatureAt } = partsOf(message);
      if (lines !== undefined) return { text: firstLines(message.slice(0, signatureAt), Number(lines)) };
      switch (part) {
        case "subject":
          return { text: subject.replace(/\r?\n/g, " ") };
        case "sanitized":
          return { text: fileName(subject) };
        case "whole body":
          return { text: message.slice(body) };
        case "body":
          return { text: message.slice(body, signatureAt) };
        case "signature":
          return { text: message.slice(signatureAt) };
        case "size":
          return { text: String(encodeName(message).length) };
        default:
          return { text: message };
      }
    };
  }

  private text(oid: Oid, show: (text: ObjectText) => string): AtomValue {
    const text = this.read(oid);
    return text ? { text: show(text) } : NOTHING;
  }

  /** What a tag points to, one step of the way. */
  private targetOf(oid: Oid): Oid | undefined {
    const text = this.read(oid);
    return text?.type === "tag" ? text.header("object") : undefined;
  }

  private read(oid: Oid): ObjectText | undefined {
    if (this.texts.has(oid)) return this.texts.get(oid);
    const object = this.repository.store.read(oid);
    const text =
      object && (object.type === "commit" || object.type === "tag")
        ? new ObjectText(object.type, oid, object.data)
        : undefined;
    this.texts.clear();
    this.texts.set(oid, text);
    return text;
  }
}

function numbered(number: number): AtomValue {
  return { text: String(number), number };
}

/** A commit or a tag as text; its bytes are not re-coded here, as git does not. */
class ObjectText {
  readonly commit: CommitText | undefined;
  readonly message: string;
  private readonly head: string;

  constructor(
    readonly type: ObjectType,
    oid: Oid,
    data: Uint8Array,
  ) {
    this.commit = type === "commit" ? new CommitText({ oid, data }) : undefined;
    const text = decodeName(data);
    const end = text.startsWith("\n") ? 0 : text.indexOf("\n\n");
    this.head = end < 0 ? text : text.slice(0, end + 1);
    let start = end < 0 ? text.length : end + 1;
    while (text[start] === "\n") start++;
    const nul = text.indexOf("\0", start);
    this.message = text.slice(start, nul < 0 ? undefined : nul);
  }

  /** The first line of that keyword, without it. */
  readonly header = (name: string): string | undefined => {
    const mark = `\n${name} `;
    const at = `\n${this.head}`.indexOf(mark);
    if (at < 0) return undefined;
    const start = at + mark.length - 1;
    const end = this.head.indexOf("\n", start);
    return this.head.slice(start, end < 0 ? undefined : end);
  };
}

/** Subject, where the body begins, and where the signature does (the message's length without one). */
function partsOf(message: string): { subject: string; body: number; signatureAt: number } {
  const signatureAt = [...message.matchAll(SIGNATURE)].at(-1)?.index ?? message.length;
  const paragraph = /\n\n|\r\n\r\n/.exec(message)?.index ?? signatureAt;
  const end = Math.min(paragraph, signatureAt);
  let body = end;
  while (message[body] === "\n" || message[body] === "\r") body++;
  let subjectEnd = end;
  while (subjectEnd > 0 && "\r\n".includes(message[subjectEnd - 1]!)) subjectEnd--;
  return { subject: message.slice(0, subjectEnd), body, signatureAt };
}

function firstLines(text: string, count: number): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.slice(0, count).join("\n    ");
}
