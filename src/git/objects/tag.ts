import { CorruptObject } from "../errors.ts";
import { decodeText, formatHeader, type Header, readHeaders } from "./headers.ts";
import { formatSignature, parseSignature, type Signature } from "./signature.ts";
import { type ObjectType, type Oid, readOid } from "./types.ts";

/** An annotated tag. */
export interface Tag {
  readonly object: Oid;
  readonly type: ObjectType;
  readonly name: string;
  /** Absent in tags of git's first years. */
  readonly tagger?: Signature;
  readonly extraHeaders?: readonly Header[];
  /** Without the signature. */
  readonly message: string;
  /** ASCII-armoured signature at the end of the tag, over everything before it. */
  readonly signature?: string;
}

const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m;

/**
 * Reads an annotated tag for display.
 * @throws CorruptObject when object or type are missing or malformed
 */
export function parseTag(data: Uint8Array): Tag {
  const { headers, messageStart } = readHeaders(data, decodeText);
  const value = (name: string) => headers.find((header) => header.name === name)?.value;
  const object = readOid(value("object") ?? "");
  const type = value("type") ?? "";
  if (object === undefined || !isObjectType(type)) throw new CorruptObject("tag without an object or a type");
  const tagger = value("tagger");
  const text = decodeText(data.subarray(messageStart), value("encoding"));
  const signatureAt = SIGNATURE.exec(text)?.index;
  const known = new Set(["object", "type", "tag", "tagger"]);
  const extraHeaders = headers.filter((header) => !known.has(header.name));
  return {
    object,
    type,
    name: value("tag") ?? "",
    ...(tagger === undefined ? {} : { tagger: parseSignature(tagger) }),
    ...(extraHeaders.length === 0 ? {} : { extraHeaders }),
    message: signatureAt === undefined ? text : text.slice(0, signatureAt),
    ...(signatureAt === undefined ? {} : { signature: text.slice(signatureAt) }),
  };
}

/** Serializes an annotated tag, as UTF-8. */
export function serializeTag(tag: Tag): Uint8Array {
  let text = `object ${tag.object}\ntype ${tag.type}\ntag ${tag.name}\n`;
  if (tag.tagger) text += `tagger ${formatSignature(tag.tagger)}\n`;
  for (const header of tag.extraHeaders ?? []) text += formatHeader(header);
  return new TextEncoder().encode(`${text}\n${tag.message}${tag.signature ?? ""}`);
}

/** The signed payload (the exact bytes before the signature) and the signature; undefined when the tag is unsigned. */
export function signedTagPayload(data: Uint8Array): { payload: Uint8Array; signature: string } | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", 0, data.length);
  const at = SIGNATURE.exec(text)?.index;
  if (at === undefined) return undefined;
  return { payload: data.subarray(0, at), signature: text.slice(at) };
}

/** The object a tag points to, for walks. @throws CorruptObject when object or type are malformed */
export function parseTagLink(data: Uint8Array): { object: Oid; type: ObjectType } {
  const head = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(
    "latin1",
    0,
    Math.min(data.length, 96),
  );
  const match = /^object ([0-9a-fA-F]{40}|[0-9a-fA-F]{64})\ntype (commit|tree|blob|tag)\n/.exec(head);
  if (!match) throw new CorruptObject("tag without an object or a type");
  return { object: match[1]!.toLowerCase(), type: match[2]! as ObjectType };
}

export function isObjectType(text: string): text is ObjectType {
  return text === "commit" || text === "tree" || text === "blob" || text === "tag";
}
